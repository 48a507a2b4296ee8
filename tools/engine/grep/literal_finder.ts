import type { Literal } from "../pattern/pattern.ts";
import { type BytePair, MARGIN_BYTES, type ScanMemory } from "./scan_memory.ts";

/** Finds a literal in the memory from `from` up to `end`; returns its first byte's index, or -1. */
export type LiteralFinder = (from: number, end: number) => number;

/** Letters, digits and signs from the most frequent to the rarest in code and prose; other bytes are rarer still. */
const BY_FREQUENCY = " etaorinslcdupmhfgby.,_()w;v=:-\"'/x0k1{}<>2[]#*3+&45j6789q|z\\!?@$%^~`";

/** First bytes of a literal, among which the rarest are chosen: they must lie within the memory's margin. */
const LOOKED_AT = MARGIN_BYTES - 16;

/** Compiles a literal, which must not be empty: it finds the two rarest bytes, then compares the others. */
export function compileFinder({ bytes: wanted, fold }: Literal, memory: ScanMemory): LiteralFinder {
  const { bytes } = memory;
  const last = wanted.length - 1;
  const pair = rarestPair(wanted, fold);
  const folded = foldTable(fold);
  const fits = (at: number) => {
    let index = last;
    while (index >= 0 && folded[bytes[at + index]!] === wanted[index]) index--;
    return index < 0;
  };
  return (from, end) => {
    const stop = end - last;
    for (let at = memory.findPair(from, stop, pair); at >= 0; at = memory.findPair(at + 1, stop, pair)) {
      if (fits(at)) return at;
    }
    return -1;
  };
}

function rarestPair(wanted: Uint8Array, fold: boolean): BytePair {
  const places = Array.from(wanted.subarray(0, LOOKED_AT), (byte, at) => ({ at, rarity: rarity(byte) }))
    .sort((a, b) => b.rarity - a.rarity);
  const first = places[0]!;
  const second = places.find(({ at }) => wanted[at] !== wanted[first.at]) ?? places[1] ?? first;
  const values = (at: number): [number, number] => [wanted[at]!, fold ? upperCase(wanted[at]!) : wanted[at]!];
  return { offsets: [first.at, second.at], values: [values(first.at), values(second.at)] };
}

function rarity(byte: number): number {
  const rank = BY_FREQUENCY.indexOf(String.fromCharCode(byte).toLowerCase());
  return rank < 0 ? BY_FREQUENCY.length : rank;
}

function upperCase(byte: number): number {
  return byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte;
}

function foldTable(fold: boolean): Uint8Array {
  const table = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  if (fold) { for (let byte = 0x41; byte <= 0x5a; byte++) table[byte] = byte + 0x20; }
  return table;
}
