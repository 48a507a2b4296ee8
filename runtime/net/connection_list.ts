import type { Connection } from "../../schemas/net.ts";
import { foldConnections } from "../walls/net/fold_connections.ts";
import { shownHost } from "../walls/net/read_host.ts";
import type { Destination } from "./dial/dial.ts";
import { GateFailure } from "./dial/gate_failure.ts";
import type { ConnectionTrace } from "./forms/service.ts";

/** How many connections of a list are remembered one by one. */
const MAX_KEPT = 1_000;
/** How many of them stay apart if there are more. */
const FOLDED = 500;
/** Longest name of a host that is told, in characters; no real one is longer. */
const MAX_HOST = 255;

/** A connection and the call that it belongs to. */
interface Kept {
  call: string | null;
  connection: Connection;
  isOpen: boolean;
}

/** The connections of one door, from their beginning until somebody asks for them. */
export class ConnectionList {
  #kept: Kept[] = [];

  /** Begins the record of a connection. */
  begin(who: string, { host, port }: Destination, call: string | null): ConnectionTrace {
    const connection: Connection = {
      who,
      host: shownHost(host).slice(0, MAX_HOST),
      port,
      address: null,
      decision: "allowed",
      rule: "",
      sentBytes: 0,
      receivedBytes: 0,
    };
    const kept: Kept = { call, connection, isOpen: true };
    if (this.#kept.length >= MAX_KEPT) this.#fold();
    this.#kept.push(kept);
    return {
      trail: connection,
      counts: connection,
      end(failure) {
        if (!kept.isOpen) return;
        kept.isOpen = false;
        if (failure !== undefined) noteFailure(connection, failure);
      },
    };
  }

  /**
   * Returns the connections of a call, and forgets them. Of one without a name that is still open, the rest comes the
   * next time.
   */
  take(call: string | null): Connection[] {
    const asked = this.#kept.filter((kept) => kept.call === call);
    const lasting = new Set(call === null ? asked.filter(({ isOpen }) => isOpen) : []);
    this.#kept = this.#kept.filter((kept) => kept.call !== call || lasting.has(kept));
    return asked.filter(({ connection }) => isNews(connection)).map((kept) => {
      const told = { ...kept.connection };
      // What was told is not told again.
      if (lasting.has(kept)) Object.assign(kept.connection, { count: 0, sentBytes: 0, receivedBytes: 0 });
      return told;
    });
  }

  /** Returns all that nobody asked for. */
  rest(): Connection[] {
    return this.#kept.map(({ connection }) => connection).filter(isNews);
  }

  #fold(): void {
    const ended = Map.groupBy(this.#kept.filter(({ isOpen }) => !isOpen), ({ call }) => call);
    const folded = [...ended].flatMap(([call, kept]) =>
      foldConnections(kept.map(({ connection }) => connection), FOLDED)
        .map((connection): Kept => ({ call, connection, isOpen: false }))
    );
    this.#kept = [...folded, ...this.#kept.filter(({ isOpen }) => isOpen)];
  }
}

/** Nothing may have happened since it was told. */
function isNews({ count, decision, sentBytes, receivedBytes }: Connection): boolean {
  return count !== 0 || decision !== "allowed" || sentBytes + receivedBytes > 0;
}

function noteFailure(connection: Connection, failure: unknown): void {
  const known = failure instanceof GateFailure ? failure : null;
  // That it failed is told, also if its beginning was.
  if (connection.count === 0) connection.count = 1;
  connection.decision = known?.isRefusal ? "refused" : "failed";
  connection.rule = known?.rule ?? "it broke off";
  if (known?.refusal) connection.reason = known.refusal;
  if (known?.flag) connection.flag = known.flag;
}
