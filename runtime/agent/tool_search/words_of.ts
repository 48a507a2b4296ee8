/** A word: letters and digits of any script. */
const WORD = /[\p{L}\p{M}]+|\p{N}+/gu;

/** Where a name in one piece has its joints: `readFile`, `HTTPServer`. */
const JOINTS = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;

/**
 * Returns the words of a text in the order of the text, as they are compared: names are split at their joints and also
 * kept in one piece, and endings that only bend a word are left out. The same words come from `list_files` and
 * `ListingFile`.
 */
export function wordsOf(text: string): string[] {
  return (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).flatMap((piece) => {
    const parts = piece.split(JOINTS).flatMap((part) => part.match(WORD) ?? []);
    const whole = parts.length > 1 ? [piece.toLowerCase()] : [];
    return [...parts.map(stem), ...whole];
  });
}

/** Endings of plurals, and what stands instead; the first one that fits counts. */
const PLURALS = [
  ["sses", "ss"],
  ["shes", "sh"],
  ["ches", "ch"],
  ["xes", "x"],
  ["ies", "y"],
  ["s", ""],
] as const;

/** Shortest rest of a word. */
const LEAST = 3;

/** Leaves out what makes an English word plural or a form of a verb. Short words and other languages stay as they are. */
function stem(word: string): string {
  const lower = word.toLowerCase();
  if (lower.length <= LEAST) return lower;
  const base = bareVerb(singular(lower));
  return base.length > LEAST + 1 && base.endsWith("e") ? base.slice(0, -1) : base;
}

function singular(word: string): string {
  if (/(?:ss|us|is)$/.test(word)) return word;
  for (const [ending, instead] of PLURALS) {
    const base = word.length - ending.length;
    if (base >= LEAST && word.endsWith(ending)) return word.slice(0, base) + instead;
  }
  return word;
}

/** `reading` and `read`, `running` and `run`; but `string` has no verb in it. */
function bareVerb(word: string): string {
  const base = word.replace(/(?:ing|ed)$/, "");
  if (base === word || base.length < LEAST || !/[aeiouy]/.test(base)) return word;
  return base.replace(/([bdfgkmnprtv])\1$/, "$1");
}
