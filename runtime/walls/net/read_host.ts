import { type Address, readAddress, writeAddress } from "./read_address.ts";

/** A host in its one spelling. */
export interface NetHost {
  /** Small letters, ASCII, without brackets and without a dot at the end. */
  name: string;
  /** The address that the name spells, `null` for a name that must be looked up. */
  address: Address | null;
}

/** How much is shown of what is no host, in characters. */
const MAX_SHOWN = 200;

/** Names that only a private network or this machine resolves. */
const LOCAL =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|home\.arpa|svc|test|invalid|onion)$/;

/**
 * Reads a host as a URL has it, or as a program asks a proxy for it: every spelling of an address becomes that address.
 *
 * @returns `null` for what no lookup can find, and for an address with a zone
 */
export function readHost(text: string): NetHost | null {
  // Only a whole host: what a URL would split at, decode or drop is none.
  // deno-lint-ignore no-control-regex
  if (/[\x00-\x20\x7f/?#@\\%]/.test(text)) return null;
  const isBracketed = text.startsWith("[");
  if (isBracketed && !text.endsWith("]")) return null;
  const url = URL.parse(`http://${text.includes(":") && !isBracketed ? `[${text}]` : text}/`);
  if (!url) return null;
  const name = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const address = readAddress(name);
  if (address) return { name: writeAddress(address), address };
  const labels = name.split(".");
  if (name.length > 253 || labels.some((label) => label === "" || label.length > 63)) return null;
  // A URL may have others, but no host has, and no flag can name them: `*` means more than one host there.
  if (!/^[a-z0-9._-]+$/.test(name)) return null;
  return { name, address: null };
}

/** Says whether a name, in its one spelling, belongs to this machine or its network. */
export function isLocalName(name: string): boolean {
  return !name.includes(".") || LOCAL.test(name);
}

/** Returns a host as people and audits are told of it: in its one spelling, or the start of what is none. */
export function shownHost(text: string): string {
  return readHost(text)?.name ?? (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}

/** Writes a host and a port as one word. */
export function hostAndPort(name: string, port: number): string {
  return `${name.includes(":") ? `[${name}]` : name}:${port}`;
}
