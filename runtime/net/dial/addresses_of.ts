import { orAborted } from "../../wait/or_aborted.ts";
import { GateFailure } from "./gate_failure.ts";

type Lookup = typeof import("node:dns/promises")["lookup"];

let loading: Promise<Lookup> | undefined;

/** It is loaded with the first name. Deno 2.6 would print that a module of Node's own is old. */
async function loadLookup(): Promise<Lookup> {
  const { default: process } = await import("node:process");
  Object.assign(process, { noDeprecation: true });
  return (await import("node:dns/promises")).lookup;
}

/**
 * Looks a name up once, as the system does: its hosts file and its search domains count.
 *
 * @throws {GateFailure} `dns` if it has no address, `timeout` when the signal aborts
 */
export async function addressesOf(name: string, signal: AbortSignal): Promise<readonly string[]> {
  const lookup = await (loading ??= loadLookup());
  let found: { address: string }[] | null;
  try {
    found = await orAborted(lookup(name, { all: true, verbatim: true }), signal);
  } catch (error) {
    const { code = "" } = error as { code?: string };
    const isUnknown = ["ENOTFOUND", "ENODATA", "EAI_NONAME"].includes(code);
    throw new GateFailure("dns", isUnknown ? `there is no host ${name}` : `cannot look ${name} up: ${code}`);
  }
  if (found === null) throw new GateFailure("timeout", `the lookup of ${name} took too long`);
  if (found.length === 0) throw new GateFailure("dns", `${name} has no address`);
  return found.map(({ address }) => address);
}
