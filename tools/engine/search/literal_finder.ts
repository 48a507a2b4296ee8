import type { Literal } from "./pattern.ts";

/** Finds a literal in `bytes` from `from` up to `end`; returns its first byte's index, or -1. */
export type LiteralFinder = (bytes: Uint8Array, from: number, end: number) => number;

/**
 * How many bytes behind `end` a {@linkcode LiteralFinder} may touch; they must be there, whatever they hold.
 */
export const FINDER_MARGIN = 1024;

/** From this many bytes on a search runs in two halves at once. */
const HALVES_FROM_BYTES = 1024;

/** A step has to fit into a byte; longer literals are skipped over in smaller steps than they allow. */
const MAX_STEP = 255;

/** What a search needs of its literal. */
interface Needle {
  /** Length of the literal without its last byte. */
  last: number;
  /** For each byte under the literal's end: how far the literal moves until it can fit. */
  steps: Uint8Array;
  stepAfterMiss: number;
  /** Says whether the literal ends at `at`, where its last byte fits already. */
  matches(bytes: Uint8Array, at: number): boolean;
}

/**
 * Compiles a literal for Boyer-Moore-Horspool search with an unrolled skip loop. The literal must not be
 * empty.
 */
export function compileFinder(literal: Literal): LiteralFinder {
  const { bytes: wanted, fold } = literal;
  const last = wanted.length - 1;
  const folded = foldTable(fold);
  const repeat = last - wanted.lastIndexOf(wanted[last]!, last - 1);
  const needle: Needle = {
    last,
    steps: stepTable(wanted, fold),
    stepAfterMiss: Math.min(wanted.length, MAX_STEP, repeat || 1),
    matches(bytes, at) {
      let back = last - 1;
      while (back >= 0 && folded[bytes[at - last + back]!] === wanted[back]) back--;
      return back < 0;
    },
  };
  const find = makeSearch(needle);
  const findInHalves = makeHalves(needle, find);
  return (bytes, from, end) =>
    end - from < HALVES_FROM_BYTES ? find(bytes, from + last, end) : findInHalves(bytes, from, end);
}

/** Returns a search whose `from` is where the literal's last byte may lie. */
function makeSearch({ last, steps, stepAfterMiss, matches }: Needle): LiteralFinder {
  return (bytes, from, end) => {
    let at = from;
    while (at < end) {
      let step = steps[bytes[at]!]!;
      // A step of zero stays where it is, so three steps need one test of the end.
      while (step !== 0) {
        at += step;
        at += steps[bytes[at]!]!;
        at += steps[bytes[at]!]!;
        if (at >= end) return -1;
        step = steps[bytes[at]!]!;
      }
      if (matches(bytes, at)) return at - last;
      at += stepAfterMiss;
    }
    return -1;
  };
}

/** Each step waits for the memory of the one before; two searches at once wait together. */
function makeHalves({ last, steps, stepAfterMiss, matches }: Needle, find: LiteralFinder): LiteralFinder {
  return (bytes, from, end) => {
    const middle = (from + last + end) >> 1;
    let at = from + last;
    let far = middle;
    while (at < middle && far < end) {
      let step = steps[bytes[at]!]!;
      let farStep = steps[bytes[far]!]!;
      while (step !== 0 && farStep !== 0) {
        at += step;
        far += farStep;
        at += steps[bytes[at]!]!;
        far += steps[bytes[far]!]!;
        at += steps[bytes[at]!]!;
        far += steps[bytes[far]!]!;
        if (at >= middle || far >= end) break;
        step = steps[bytes[at]!]!;
        farStep = steps[bytes[far]!]!;
      }
      if (at >= middle || far >= end) break;
      if (step === 0) {
        if (matches(bytes, at)) return at - last;
        at += stepAfterMiss;
      } else if (matches(bytes, far)) {
        break;
      } else {
        far += stepAfterMiss;
      }
    }
    const near = find(bytes, at, middle);
    return near >= 0 ? near : find(bytes, far, end);
  };
}

function foldTable(fold: boolean): Uint8Array {
  const table = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  if (fold) { for (let byte = 0x41; byte <= 0x5a; byte++) table[byte] = byte + 0x20; }
  return table;
}

/** For each byte that may lie under the literal's end: how far the literal moves until it can fit. */
function stepTable(wanted: Uint8Array, fold: boolean): Uint8Array {
  const table = new Uint8Array(256).fill(Math.min(wanted.length, MAX_STEP));
  wanted.forEach((byte, index) => {
    const step = Math.min(wanted.length - 1 - index, MAX_STEP);
    table[byte] = step;
    if (fold && byte >= 0x61 && byte <= 0x7a) table[byte - 0x20] = step;
  });
  return table;
}
