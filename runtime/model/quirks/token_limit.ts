/** What a server says about the length of a reply, in tokens. */
export type SaidLimit =
  /** The longest reply that it takes at all. */
  | { most: number }
  /** What it takes of conversation and reply together, and what this conversation took of it. */
  | { window: number; input: number };

/** The fields, and other words, by which servers name the length of a reply. */
const NAMES =
  /max(?:imum)?[_ -]?(?:completion|output|new|generated)?[_ -]?tokens|(?:completion|output|new) tokens|tokens? (?:you )?requested|in the (?:completion|output)|maxOutputTokens/i;
const NUMBER = String.raw`['"\x60]?(\d[\d,_]*)['"\x60]?`;
/** How a server names all that fits, and what the conversation takes. */
const WINDOWS = [
  `\\d[\\d,_]* ?\\+ ?\\d[\\d,_]* ?> ?${NUMBER}`,
  `(?:context (?:length|window|size|limit)|model length|max_model_len)\\D{0,40}?${NUMBER}`,
  `\`inputs\` tokens \\+ \`max_new_tokens\` must be <= ?${NUMBER}`,
];
const INPUTS = [
  `${NUMBER} (?:input|prompt|\`inputs\`) tokens`,
  `${NUMBER} (?:tokens )?(?:in|from|of) the (?:messages|prompt|input|text)`,
  `${NUMBER} ?\\+ ?\\d[\\d,_]* ?>`,
  `(?:prompt|input) (?:contains|has|is|takes)(?: at least)? ${NUMBER}`,
];
/** How a server names the longest reply; `most` is one less than the number that is said. */
const MOSTS: readonly (readonly [pattern: string, less?: 1])[] = [
  [`[[(] ?\\d+ ?, ?${NUMBER} ?\\)`, 1],
  [`[[(] ?\\d+ ?, ?${NUMBER} ?\\]`],
  [`${NUMBER} ?\\(exclusive\\)`, 1],
  [`between \\d+ and ${NUMBER}`],
  [`(?<![\\w-])\\d+ ?(?:to|\\.\\.) ?${NUMBER}`],
  [`(?:at most|no more than|up to|not exceed|can only afford|less than or equal to|<=|≤) ?${NUMBER}`],
  [`(?:lower|less|smaller|fewer) than ${NUMBER}`, 1],
  [`(?<![=-])< ?${NUMBER}`, 1],
  [`> ?${NUMBER}`],
  [`(?:limit|maximum|max allowed|maximum allowed)\\D{0,60}?${NUMBER}`],
  [`exceeds?\\D{0,60}?${NUMBER}`],
];
/** A number that is not part of a name such as `gpt-4` or a version. */
const FREE_NUMBER = /(?<![\w.$-])(\d[\d,_]*)(?![\w.-]*[A-Za-z\d])/g;
/** Shortest reply that a number without words around it can mean. */
const LEAST = 16;

/**
 * Reads from a refusal how long a reply may be.
 *
 * @param asked What was asked for, in tokens
 * @returns `null` if the refusal is about something else, or leaves no room for a shorter reply
 */
export function readTokenLimit(message: string, asked: number): SaidLimit | null {
  if (!NAMES.test(message)) return null;
  const window = firstNumber(WINDOWS, message);
  const input = firstNumber(INPUTS, message);
  if (window !== null && input !== null) return window > input ? { window, input } : null;
  for (const [pattern, less = 0] of MOSTS) {
    const most = numbersOf(pattern, message).map((number) => number - less).find((number) =>
      isLower(number, asked)
    );
    if (most !== undefined) return { most };
  }
  const lower = [...message.matchAll(FREE_NUMBER)]
    .map(([, digits]) => toNumber(digits!))
    .filter((number) => number >= LEAST && isLower(number, asked));
  return lower.length === 0 ? null : { most: Math.max(...lower) };
}

function isLower(number: number, asked: number): boolean {
  return number > 0 && number < asked;
}

function firstNumber(patterns: readonly string[], text: string): number | null {
  for (const pattern of patterns) {
    const [number] = numbersOf(pattern, text);
    if (number !== undefined) return number;
  }
  return null;
}

function numbersOf(pattern: string, text: string): number[] {
  return [...text.matchAll(new RegExp(pattern, "gi"))].map(([, digits]) => toNumber(digits!));
}

function toNumber(digits: string): number {
  return Number(digits.replace(/[,_]/g, ""));
}
