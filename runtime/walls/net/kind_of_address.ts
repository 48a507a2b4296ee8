import { type Address, type AddressRange, isInRange, readRange } from "./read_address.ts";

/** What is not public, and what it is for. The first that holds an address counts. */
const SPECIAL: readonly (readonly [range: string, kind: string])[] = [
  ["0.0.0.0/32", "unspecified"],
  ["0.0.0.0/8", "reserved"],
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "carrier"],
  ["127.0.0.0/8", "loopback"],
  // What Azure tells its machines, on an address that looks public.
  ["168.63.129.16/32", "metadata"],
  ["169.254.0.0/16", "link-local"],
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "reserved"],
  ["192.0.2.0/24", "documentation"],
  ["192.88.99.0/24", "reserved"],
  ["192.168.0.0/16", "private"],
  ["198.18.0.0/15", "benchmark"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved"],
  ["::/128", "unspecified"],
  ["::1/128", "loopback"],
  ["fc00::/7", "private"],
  ["fe80::/10", "link-local"],
  ["fec0::/10", "private"],
  ["ff00::/8", "multicast"],
  ["2001::/23", "reserved"],
  ["2001:db8::/32", "documentation"],
  ["2002::/16", "6to4"],
  ["3fff::/20", "documentation"],
];

/** Where IPv4 addresses hide in IPv6: the range, and the bits to the right of them. */
const HOLDERS: readonly (readonly [range: string, shift: bigint])[] = [
  ["::/96", 0n],
  ["::ffff:0:0:0/96", 0n],
  ["64:ff9b::/96", 0n],
  ["64:ff9b:1::/48", 0n],
  ["2002::/16", 80n],
];

const NAT64 = range("64:ff9b::/96");
const GLOBAL = range("2000::/3");
const KINDS = SPECIAL.map(([text, kind]) => ({ range: range(text), kind }));
const HIDING = HOLDERS.map(([text, shift]) => ({ range: range(text), shift }));

/**
 * Returns what an address is for, such as `loopback`; `null` for a public one, which can be reached from everywhere: only such
 * ones are reached without a grant of their own.
 */
export function kindOfAddress(address: Address): string | null {
  // The translator of a network without IPv4: it reaches the address in it.
  if (isInRange(address, NAT64)) {
    return kindOfAddress({ family: 4, value: BigInt.asUintN(32, address.value) });
  }
  const special = KINDS.find((one) => isInRange(address, one.range));
  if (special) return special.kind;
  return address.family === 4 || isInRange(address, GLOBAL) ? null : "reserved";
}

/** Returns all addresses that packets to this one may reach: itself, one that hides in it, and loopback for none. */
export function reachedAddresses(address: Address): Address[] {
  const holder = address.family === 6 ? HIDING.find((one) => isInRange(address, one.range)) : undefined;
  const hidden: Address[] = holder
    ? [{ family: 4, value: BigInt.asUintN(32, address.value >> holder.shift) }]
    : [];
  const found = [address, ...hidden];
  return kindOfAddress(address) === "unspecified" ? [...found, ...LOOPBACK] : found;
}

const LOOPBACK: readonly Address[] = [{ family: 4, value: 0x7f000001n }, { family: 6, value: 1n }];

function range(text: string): AddressRange {
  const found = readRange(text);
  if (!found) throw new TypeError(`"${text}" is no range of addresses`);
  return found;
}
