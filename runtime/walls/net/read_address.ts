/** An IP address. IPv4 in IPv6 (`::ffff:192.0.2.1`) is the IPv4 address that it reaches. */
export interface Address {
  family: 4 | 6;
  value: bigint;
}

/** A range of addresses: those whose first `length` bits are those of `base`. */
export interface AddressRange {
  base: Address;
  length: number;
}

const WIDTHS = { 4: 32, 6: 128 } as const;

/**
 * Reads an address as the platform writes it: four decimal numbers, or IPv6 without brackets and zone. Other
 * spellings, such as `0x7f.1`, are none: `new URL` folds them first.
 *
 * @returns `null` for what is no address
 */
export function readAddress(text: string): Address | null {
  const four = readFour(text);
  if (four !== null) return { family: 4, value: four };
  const words = readWords(text);
  if (!words) return null;
  const value = words.reduce((sum, word) => (sum << 16n) | BigInt(word), 0n);
  return value >> 32n === 0xffffn ? { family: 4, value: value & 0xffffffffn } : { family: 6, value };
}

/**
 * Reads a range such as `10.0.0.0/8`.
 *
 * @returns `null` for what is no range
 */
export function readRange(text: string): AddressRange | null {
  const [, start = "", digits = ""] = /^(.+)\/(\d{1,3})$/.exec(text) ?? [];
  const base = readAddress(start);
  // A range of mapped addresses would be counted in other bits than it is written in.
  if (!base || (base.family === 4) === start.includes(":")) return null;
  const length = Number(digits);
  return length <= WIDTHS[base.family] ? { base, length } : null;
}

/** Says whether an address lies in a range. */
export function isInRange(address: Address, { base, length }: AddressRange): boolean {
  return address.family === base.family && firstBits(address, length) === firstBits(base, length);
}

/** Returns the range with the bits beyond its length set to zero. */
export function startOfRange({ base, length }: AddressRange): Address {
  const rest = BigInt(WIDTHS[base.family] - length);
  return { family: base.family, value: (base.value >> rest) << rest };
}

/** Writes an address in the one spelling that {@linkcode readAddress} and the platform share. */
export function writeAddress({ family, value }: Address): string {
  const parts = (count: number, bits: number) =>
    Array.from(
      { length: count },
      (_, at) => Number(BigInt.asUintN(bits, value >> BigInt((count - 1 - at) * bits))),
    );
  if (family === 4) return parts(4, 8).join(".");
  return new URL(`http://[${parts(8, 16).map((word) => word.toString(16)).join(":")}]/`).hostname.slice(
    1,
    -1,
  );
}

function firstBits({ family, value }: Address, length: number): bigint {
  return value >> BigInt(WIDTHS[family] - length);
}

function readFour(text: string): bigint | null {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) {
    return null;
  }
  return parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
}

/** Reads the eight words of IPv6. */
function readWords(text: string): number[] | null {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  if (dotted) {
    const four = readFour(dotted[2]!);
    if (four === null) return null;
    return readWords(`${dotted[1]}${(four >> 16n).toString(16)}:${(four & 0xffffn).toString(16)}`);
  }
  const halves = text.split("::").map((half) => half === "" ? [] : half.split(":"));
  const [head = [], tail = []] = halves;
  const missing = 8 - head.length - tail.length;
  if (halves.length > 2 || (halves.length === 2 ? missing < 1 : missing !== 0)) return null;
  const words = [...head, ...Array<string>(missing).fill("0"), ...tail];
  return words.every((word) => /^[0-9a-f]{1,4}$/i.test(word))
    ? words.map((word) => parseInt(word, 16))
    : null;
}
