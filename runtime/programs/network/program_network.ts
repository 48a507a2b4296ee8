import type { Connection, NetRules } from "../../../schemas/net.ts";

/** The way of programs behind walls to the network: the gate, and a bridge to it in the network of each box. */
export interface ProgramNetwork {
  /** Begins what takes long, before a program needs it. */
  expect(): void;
  /**
   * Returns the way of one program, under whose name its connections are noted.
   *
   * @param rules What it may reach. @default what the programs of the run may reach
   * @throws {ToolError} If there is none
   */
  take(who: string, rules?: NetRules): Promise<ProgramWay>;
  /** Returns a network that leads nowhere, whose loopback several programs may share. Throws `ToolError` if there is none. */
  takeClosed(): Promise<ProgramWay>;
  /** Ends all bridges. */
  end(): Promise<void>;
}

/** The way of one program to the network. */
export interface ProgramWay {
  /** A process whose network the program's box joins; `null` if a port of this machine leads to the gate instead. */
  readonly pid: number | null;
  /** That port. @default none */
  readonly port?: number;
  /** False once the gate or the bridge has ended: then what it was connected to broke off. */
  readonly isWhole: boolean;
  /** Returns the connections of the program, also those that were refused, and forgets them. */
  connections(): Promise<readonly Connection[]>;
  /**
   * Lets the program reach one host more, instead of the one before; what it is connected to breaks off. What is denied stays
   * so, and a network that leads nowhere goes on to.
   *
   * @param host As rules name it, such as `127.0.0.1:8080`
   * @param options `until`: it is shut again once this settles
   */
  admit(host: string, options: { until: Promise<unknown> }): Promise<void>;
  /**
   * Called when the box has ended. Returns the connections that nobody asked for yet, and whether it was whole to the end.
   *
   * @param options `clean`: none of its processes is left, nor dying still
   */
  end(options: { clean: boolean }): Promise<{ connections: readonly Connection[]; isWhole: boolean }>;
}
