/** Encodings of East Asia: the bytes of their common characters. */
interface Encoding {
  label: string;
  name: string;
  /** Says whether two bytes are a common character. */
  isCommon(lead: number, trail: number): boolean;
  /** Pairs that are needed before it counts: short texts fit several encodings. */
  least: number;
}

const within = (value: number, from: number, to: number) => value >= from && value <= to;

/** Where several fit as well, the first counts. */
const ENCODINGS: readonly Encoding[] = [
  {
    label: "euc-kr",
    name: "EUC-KR",
    // Its syllables are common in Chinese text, too, but there others stand between them.
    least: 12,
    isCommon: (lead, trail) => trail > 0xa0 && (within(lead, 0xa1, 0xa3) || within(lead, 0xb0, 0xc8)),
  },
  {
    label: "gb18030",
    name: "GB18030",
    least: 1,
    isCommon: (lead, trail) => trail > 0xa0 && (within(lead, 0xa1, 0xa3) || within(lead, 0xb0, 0xd7)),
  },
  {
    label: "shift_jis",
    name: "Shift-JIS",
    least: 2,
    isCommon: (lead, trail) =>
      within(trail, 0x40, 0xfc) && trail !== 0x7f &&
      (within(lead, 0x81, 0x83) || within(lead, 0x88, 0x97)),
  },
  {
    label: "big5",
    name: "Big5",
    least: 2,
    isCommon: (lead, trail) =>
      (within(trail, 0x40, 0x7e) || within(trail, 0xa1, 0xfe)) &&
      (within(lead, 0xa1, 0xa3) || within(lead, 0xa4, 0xc6)),
  },
];

/** Part of the pairs that are common characters in real text; in that of western Europe few are. */
const MOST_COMMON = 0.8;
/** Part of the pairs that stand beside another one; accents of western Europe stand alone. */
const MOST_BESIDE = 0.5;
const SAMPLE_BYTES = 100_000;

/** An encoding of East Asia that fits bytes which are no UTF-8, the likeliest first. */
export function guessEncodings(bytes: Uint8Array): { label: string; name: string }[] {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const scored = ENCODINGS.map((encoding) => ({ encoding, score: scoreOf(sample, encoding) }));
  return scored.filter(({ score }) => score >= MOST_COMMON).toSorted((one, other) => other.score - one.score)
    .map((
      { encoding: { label, name } },
    ) => ({ label, name }));
}

/** Part of the bytes above 127 that are common pairs. */
function scoreOf(bytes: Uint8Array, { isCommon, least }: Encoding): number {
  let high = 0;
  let pairs = 0;
  let beside = 0;
  let end = -1;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at]! < 0x80) continue;
    if (!isCommon(bytes[at]!, bytes[at + 1] ?? 0)) {
      high++;
      continue;
    }
    if (end === at) beside++;
    high++;
    pairs++;
    at++;
    end = at + 1;
  }
  const isAlone = least > 1 && beside < MOST_BESIDE * (pairs - 1);
  return pairs < least || isAlone ? 0 : pairs / high;
}
