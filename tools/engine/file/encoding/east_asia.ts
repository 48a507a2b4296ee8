import type { Named } from "./alphabets.ts";

/** Pairs of bytes, and how likely one of them is in a text. */
interface Range {
  leads: readonly [from: number, to: number];
  trails: readonly [from: number, to: number];
  share: number;
}

/** An encoding of East Asia. */
interface Encoding {
  named: Named;
  prior: number;
  ranges: readonly Range[];
}

const WHOLE = [0xa1, 0xfe] as const;
const range = (from: number, to: number, trails: Range["trails"], share: number): Range => ({
  leads: [from, to],
  trails,
  share,
});

/** Its rare characters take four bytes, of which two are digits. */
const FOUR_BYTES: Named = ["GB18030", "gb18030"];

/** The common characters are written with the first ranges, as the standards sort them. */
const ENCODINGS: readonly Encoding[] = [
  {
    named: FOUR_BYTES,
    prior: -1,
    ranges: [range(0xb0, 0xd7, WHOLE, 0.9), range(0xa1, 0xa3, WHOLE, 0.08), range(0xd8, 0xf7, WHOLE, 0.015)],
  },
  {
    named: ["Big5", "big5"],
    prior: -2,
    ranges: [
      range(0xa4, 0xc6, [0x40, 0x7e], 0.37),
      range(0xa4, 0xc6, WHOLE, 0.53),
      range(0xa1, 0xa3, [0x40, 0x7e], 0.06),
      range(0xa1, 0xa3, WHOLE, 0.02),
      range(0xc9, 0xf9, [0x40, 0xfe], 0.015),
    ],
  },
  {
    named: ["Shift-JIS", "shift_jis"],
    prior: -2,
    ranges: [
      range(0x82, 0x82, [0x9f, 0xf1], 0.45),
      range(0x83, 0x83, [0x40, 0x96], 0.15),
      range(0x88, 0x97, [0x40, 0xfc], 0.28),
      range(0x81, 0x82, [0x40, 0xfc], 0.1),
      range(0x98, 0xea, [0x40, 0xfc], 0.015),
    ],
  },
  {
    named: ["EUC-JP", "euc-jp"],
    prior: -7,
    ranges: [
      range(0xa4, 0xa4, [0xa1, 0xf3], 0.45),
      range(0xa5, 0xa5, [0xa1, 0xf6], 0.15),
      range(0xb0, 0xcf, WHOLE, 0.28),
      range(0xa1, 0xa3, WHOLE, 0.1),
      range(0xd0, 0xf4, WHOLE, 0.015),
    ],
  },
  {
    named: ["EUC-KR", "euc-kr"],
    prior: -2,
    ranges: [range(0xb0, 0xc8, WHOLE, 0.95), range(0xa1, 0xa3, WHOLE, 0.03), range(0xca, 0xfd, WHOLE, 0.005)],
  },
];

/** Likelihood of a pair that no range has, such as a rare character. */
const ELSEWHERE = -16;
const ALONE = -3;

/** Scores bytes beyond ASCII in the encodings of East Asia: natural logarithms, compared with any bytes. */
export function scoreEastAsia(bytes: Uint8Array, byChance: number): { named: Named; score: number }[] {
  return ENCODINGS.map(({ named, prior, ranges }) => {
    let score = prior;
    let end = -1;
    for (let at = 0; at < bytes.length; at++) {
      const lead = bytes[at]!;
      if (lead < 0x80) continue;
      if (named === FOUR_BYTES && isFour(bytes, at)) {
        at += 3;
        continue;
      }
      const trail = bytes[++at] ?? 0;
      const found = ranges.find(({ leads, trails }) => isWithin(lead, leads) && isWithin(trail, trails));
      score += found ? Math.log(found.share / (size(found.leads) * size(found.trails))) : ELSEWHERE;
      score -= 2 * byChance;
      // Characters stand beside each other.
      if (end !== at - 1 && (bytes[at + 1] ?? 0) < 0x80) score += ALONE;
      end = at + 1;
    }
    return { named, score };
  });
}

function isFour(bytes: Uint8Array, at: number): boolean {
  const isDigit = (byte = 0) => byte >= 0x30 && byte <= 0x39;
  return isDigit(bytes[at + 1]) && (bytes[at + 2] ?? 0) > 0x80 && isDigit(bytes[at + 3]);
}

function isWithin(value: number, [from, to]: readonly [number, number]): boolean {
  return value >= from && value <= to;
}

function size([from, to]: readonly [number, number]): number {
  return to - from + 1;
}
