import type { NetRules } from "../../../schemas/net.ts";
import { decideAddress, decideName, decideUnseen, type NetDecision } from "../../walls/net/decide_net.ts";
import { hostAndPort, readHost } from "../../walls/net/read_host.ts";
import { addressesOf } from "./addresses_of.ts";
import { GateFailure } from "./gate_failure.ts";

/** Where a connection goes. */
export interface Destination {
  /** As it was asked for. */
  host: string;
  port: number;
}

/** What is found out on the way, for the audit. */
export interface Trail {
  /** The word that allowed it. */
  rule: string;
  /** The address that was dialled, `null` where the user's proxy dials. */
  address: string | null;
}

/** How connections are made. */
export interface DialOptions {
  rules: NetRules;
  /** Longest time of a lookup, and again until a connection stands, in milliseconds. */
  connectMs: number;
  /** What {@linkcode lookUp} found for this very connection. @default it is looked up */
  addresses?: readonly string[] | null;
  /** Ends the attempt. */
  signal: AbortSignal;
  trail: Trail;
}

/**
 * Looks a host up if the rules allow its name, and decides about each of its addresses.
 *
 * @throws {GateFailure} For a refusal, and for a name without an address
 */
export async function lookUp(to: Destination, options: DialOptions): Promise<readonly string[]> {
  const { rules, trail } = options;
  trail.rule = allowedBy(decideName(rules, to), to);
  const addresses = await addressesFor(to, options);
  for (const address of addresses) {
    trail.rule = allowedBy(decideAddress(rules, { ...to, address }), to, address);
  }
  return addresses;
}

/**
 * Connects to a host if the rules allow it: by its name before any lookup, and by each of its addresses before the
 * dial. What is dialled is an address that was checked.
 *
 * @throws {GateFailure} For a refusal, and if no address answers
 */
export async function dial(to: Destination, options: DialOptions): Promise<Deno.TcpConn> {
  return await connectToAny(options.addresses ?? await lookUp(to, options), to, options);
}

/**
 * Connects to a host, whatever the rules say: for what the user names for this very purpose.
 *
 * @throws {GateFailure} If no address answers
 */
export async function connectTo(to: Destination, options: DialOptions): Promise<Deno.TcpConn> {
  return await connectToAny(await addressesFor(to, options), to, options);
}

async function addressesFor({ host }: Destination, options: DialOptions): Promise<readonly string[]> {
  const { name, address } = readHost(host) ?? { name: "", address: null };
  if (name === "") throw new GateFailure("dns", `${host} is not the name of a host`);
  return address === null ? await addressesOf(name, deadline(options)) : [name];
}

function deadline({ signal, connectMs }: DialOptions): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(connectMs)]);
}

/**
 * Checks a host that somebody else will look up: by its name, and by its address if it spells one.
 *
 * @returns The host in its one spelling: another reader may understand others otherwise
 * @throws {GateFailure} For a refusal
 */
export function checkUnseen(
  to: Destination,
  { rules, trail }: Pick<DialOptions, "rules" | "trail">,
): Destination {
  trail.rule = allowedBy(decideUnseen(rules, to), to);
  return { ...to, host: readHost(to.host)?.name ?? to.host };
}

/** Tries one address after the other: of several, none may use up the time of the rest. */
async function connectToAny(
  addresses: readonly string[],
  { host, port }: Destination,
  options: DialOptions,
): Promise<Deno.TcpConn> {
  const { connectMs, trail } = options;
  const signal = deadline(options);
  let last: unknown;
  for (const [at, address] of addresses.entries()) {
    trail.address = address;
    const isLast = at === addresses.length - 1;
    const own = isLast
      ? signal
      : AbortSignal.any([signal, AbortSignal.timeout(connectMs / addresses.length)]);
    try {
      const conn = await Deno.connect({ hostname: address, port, signal: own });
      // The lines before a body and the body may go in two writes.
      conn.setNoDelay(true);
      return conn;
    } catch (error) {
      last = error;
      if (signal.aborted) break;
    }
  }
  const where = hostAndPort(host, port);
  if (signal.aborted) throw new GateFailure("timeout", `${where} did not answer within ${connectMs} ms`);
  throw new GateFailure("connect", `cannot connect to ${where}: ${shortReason(last)}`);
}

function allowedBy(decision: NetDecision, { host, port }: Destination, address?: string): string {
  if (decision.allowed) return decision.rule;
  const where = hostAndPort(host, port);
  const found = address === undefined || address === host ? "" : ` (${address})`;
  throw new GateFailure(decision.reason, `${where}${found} is refused: ${decision.rule}`, {
    rule: decision.rule,
    flag: decision.flag,
  });
}

/** The system's words without Deno's name of the class and the number. */
function shortReason(error: unknown): string {
  if (error instanceof Deno.errors.ConnectionRefused) return "the connection was refused";
  if (error instanceof DOMException && error.name === "TimeoutError") return "no answer";
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/ \(os error \d+\)$/, "").slice(0, 200);
}
