import type { Connection, NetRules } from "../../schemas/net.ts";
import type { UpstreamProxies } from "./dial/upstream.ts";
import type { GateSecret } from "./forms/service.ts";

/** One unix socket of the gate: who has it may reach what its rules say. */
export interface DoorSettings {
  id: number;
  /** Path of the socket; `null` for a port, which comes with the message, and on loopback. */
  path: string | null;
  /** Tool or program that has it, for the audit. */
  who: string;
  rules: NetRules;
  secrets: readonly GateSecret[];
  /**
   * What each request of a room must carry, and a bridge says first: who may write in the folder of all sockets could open
   * this one.
   */
  token: string;
  /**
   * `request` serves rooms and workers (the URL in a header), `proxy` serves programs (CONNECT, absolute form, SOCKS5).
   * Ports serve requests alone.
   */
  form: "request" | "proxy";
  /**
   * On a port of loopback that the system picks, for a program outside of a sandbox that can say nothing first: every program
   * of this machine can use it. Only for `proxy`. @default where `path` says
   */
  listens?: "loopback";
}

/** How the gate reaches the network. */
export interface GateSettings {
  /** Folder of its sockets; the gate removes it at the end. */
  folder: string;
  upstream: UpstreamProxies;
  /** Own certificate authorities, as PEM. */
  caCerts: readonly string[];
  /** Longest time until a connection stands, in milliseconds. */
  connectMs: number;
}

/** What main says to the gate. */
export type ToGate =
  | { t: "open"; settings: GateSettings }
  | { t: "door"; door: DoorSettings }
  | { t: "close"; id: number }
  /** Asks for the connections of a call, also those that are still open. */
  | { t: "take"; n: number; id: number; call: string | null }
  /** The end: the folder goes away. */
  | { t: "end" };

/** What the gate says. */
export type FromGate =
  | { t: "ready" }
  /** `loopback` is the port there, for a door that listens on one. */
  | { t: "opened"; id: number; loopback?: number }
  | { t: "failed"; id: number; message: string }
  | { t: "taken"; n: number; connections: readonly Connection[] }
  /** A door is closed and its socket is gone; the connections that nobody asked for. */
  | { t: "closed"; id: number; connections: readonly Connection[] }
  | { t: "ended" };
