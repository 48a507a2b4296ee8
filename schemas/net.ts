import type { Scope } from "./grants.ts";

/**
 * What one holder of a way to the network may reach. A word of a list is `public` (all public addresses), a host, a host
 * with a port or ports (`example.com:443`, `example.com:80,443`), `*.example.com` (all hosts below it), an address, or a
 * range of them (`203.0.113.0/24`). Plain data.
 */
export interface NetRules {
  /** What may be reached; `true` is as `public`. */
  allow: Scope;
  /** Wins over `allow`. */
  deny: Scope;
  /**
   * Hosts that may have addresses that are not public; `true` means all of them. What a list names here need not be in
   * `allow`.
   */
  private: Scope;
}

/** Why the gate refused: the rule that decided. */
export type NetRefusal =
  /** A `deny` names it. */
  | "denied"
  /** No `allow` names it. */
  | "outside"
  /** An address of it is not public. */
  | "private"
  /** Only `http:` and `https:` leave, without a name and a password in the URL. */
  | "scheme"
  /** It is not the name or the address of a host. */
  | "host"
  /** The name in the TLS greeting is not the one that was asked for. */
  | "server_name"
  /** A key was asked for that does not belong to this host. */
  | "secret";

/** A key of a service: the gate adds it to requests for that service, and to no others. Plain data. */
export interface ServiceKey {
  /** Variable of the user that holds the key, such as `SERPER_KEY`. */
  name: string;
  /** Where the service is, as `host:port`. */
  hosts: readonly string[];
  /** Variable of the user with another address of the service; its host gets the key as well. @default none */
  baseUrl?: string;
}

/** One connection through the gate, or one attempt. */
export interface Connection {
  /** Tool or program. */
  who: string;
  /** The name, or the address, that was asked for. */
  host: string;
  /** The port. */
  port: number;
  /** The address that was dialled, `null` if none was. */
  address: string | null;
  /** What became of it. */
  decision: "allowed" | "refused" | "failed";
  /** The word of the list that decided, the reason of a refusal, or what failed. */
  rule: string;
  /** Why it was refused. */
  reason?: NetRefusal;
  /** The flag that would have allowed it. */
  flag?: string;
  /** Bytes to the other side. */
  sentBytes: number;
  /** Bytes from the other side. */
  receivedBytes: number;
  /** How many alike it stands for; 0 for more of one that was told before. @default 1 */
  count?: number;
}
