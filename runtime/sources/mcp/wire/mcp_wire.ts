import type { Connection } from "../../../../schemas/net.ts";

/** Longest message of a server, in bytes. */
export const MAX_SERVER_MESSAGE = 10 * 1024 * 1024;

/** Why a way to a server has ended. */
export interface WireEnd {
  /** As a part of a sentence whose subject is the server: `it ended with code 1`. */
  why: string;
  /** The last lines that the server said beside its messages; `""` if it said nothing. */
  said: string;
}

/**
 * The way to a server whose messages are lines: a program's pipes. What is in a message is not looked at here. Closing it
 * ends the server.
 */
export interface McpWire extends AsyncDisposable {
  /** Takes one message for the server, JSON without a line end. After the end it does nothing. */
  send(message: string): void;
  /**
   * The server's messages as bytes, without their line ends, each at most {@linkcode MAX_SERVER_MESSAGE} long. Nothing is
   * read ahead of what is taken. It ends with the server, or with a message that is too long, and does not throw.
   */
  readonly messages: AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** What the server has printed that is no message, as parts of a sentence; `""` if nothing. @default nothing is known */
  noise?(): string;
  /** Settles once the messages have ended. Never rejects. */
  readonly ended: Promise<WireEnd>;
  /** Where the server connected to since this was asked the last time, and where it was refused. @default nothing is known */
  connections?(): Promise<readonly Connection[]>;
}

/** Starts a server, and opens the way to it. */
export type OpenWire = (options: { signal: AbortSignal }) => Promise<McpWire>;
