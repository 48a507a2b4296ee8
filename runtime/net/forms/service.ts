import type { Connection, NetRules } from "../../../schemas/net.ts";
import type { Destination, Trail } from "../dial/dial.ts";
import type { UpstreamProxies } from "../dial/upstream.ts";
import type { ByteConn } from "../wire/streams.ts";
import type { IdleWays } from "./idle_ways.ts";

/** A key that the gate adds to requests for its own service, and to no other. */
export interface GateSecret {
  /** Name of the variable, such as `SERPER_KEY`. */
  name: string;
  value: string;
  /** `host:port` of the service. */
  hosts: readonly string[];
  /** How the value may be written in an answer, which masks it. */
  forms: readonly string[];
}

/** What a form serves: who asks, what it may reach, and how the gate reaches it. */
export interface Service {
  rules: NetRules;
  /** What each request of a room carries, and a bridge says first; `null` where a program connects, which says nothing. */
  token: string | null;
  secrets: readonly GateSecret[];
  upstream: UpstreamProxies;
  caCerts: readonly string[];
  connectMs: number;
  /** Ends what is open. */
  signal: AbortSignal;
  /** Connections to servers that wait for another request. */
  idle: IdleWays;
  /** Hears when a connection waits for another request, and when it does no longer. */
  onIdle(conn: ByteConn, isIdle: boolean): void;
  /** Begins the record of a connection. */
  trace(to: Destination, call: string | null): ConnectionTrace;
}

/** The record of one connection while it lasts. */
export interface ConnectionTrace {
  trail: Trail;
  counts: Pick<Connection, "sentBytes" | "receivedBytes">;
  /** Says how it ended: allowed, or why not. Only the first time counts. */
  end(failure?: unknown): void;
}
