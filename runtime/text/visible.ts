/** Characters that reverse the direction of writing or end a line: they make a text look like another one. */
export const MISLEADING: RegExp = /[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** What nobody sees, what ends a line, and what turns the writing round; a tab is seen. */
const UNSEEN = lazily(() =>
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u2800]|(?!\t)\p{Cc}|(?! )\p{Zs}|[\ufe00-\ufe0f]/gu
);

/** Scripts and signs with letters that look like Latin ones. */
const LIKE_LATIN = lazily(() =>
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\u0250-\u02af]/gu
);
/** Letters of these scripts of which whole words can be made that look Latin. */
const TWINS = "АВЕЅІЈКМНОРСТХУҮЗабгеорсухіјѕԁһԛԝѵпΑΒΕΖΗΙΚΜΝΟΡΤΥΧονυρικ";
const TWIN_WORD = new RegExp(`^[${TWINS}]{2,}$`);
const NO_TWIN = lazily(() => new RegExp(`(?![${TWINS}])[\\p{Script=Cyrillic}\\p{Script=Greek}]`, "u"));
/** Other characters that look like one of ASCII: wide and mathematical letters, dots, slashes, hyphens. */
const LIKE_ASCII = lazily(() =>
  /[\uff0d-\uff19\uff21-\uff3a\uff3c\uff41-\uff5a\u{1d400}-\u{1d7ff}\u2024\u2044\u2215\u29f8\u29f5\ufe68\u037e\u2236\ua789\u2010\u2011\u2212\u2113]/gu
);
/** A word, or an escape of JSON, whose letter belongs to no word. */
const WORD = lazily(() => /\\(?:u[0-9a-f]{4}|[\x21-\x7e])|[\p{L}\p{M}\p{N}_]+/gu);

/**
 * Returns a text in which a reader sees every character for what it is: what is invisible or reverses the direction of
 * writing stands as its code (`\u200b`), and so does a letter that looks like one of the letters around it and is of
 * another script. Line ends count as invisible.
 */
export function showHidden(text: string): string {
  // Most texts are plain, and this is the quickest way to know.
  if (/^[\t\x20-\x7e]*$/.test(text)) return text;
  const isForeign = NO_TWIN().test(text);
  const marked = text.replace(WORD(), (word) => {
    const isMixed = /[a-z]/i.test(word) && word[0] !== "\\";
    const isTwin = !isForeign && TWIN_WORD.test(word) && /[a-z]/i.test(text);
    return isMixed || isTwin ? word.replace(LIKE_LATIN(), codesOf) : word;
  });
  return marked.replace(LIKE_ASCII(), codesOf).replace(UNSEEN(), codesOf);
}

/** Longest run of blanks that is shown as it is: more of them push what follows out of sight. */
const MAX_BLANKS = 32;
const BLANKS = lazily(() =>
  new RegExp(`(?:(?!\\n)[\\s\\p{Default_Ignorable_Code_Point}\\u2800]){${MAX_BLANKS + 1},}`, "gu")
);
/** More empty lines than anybody writes. */
const EMPTY_LINES = /\n(?:(?:(?!\n)\s)*\n){5,}/g;

/** Puts a mark with their number in place of long runs of blanks and of empty lines: `␠×5000`. */
export function foldBlanks(text: string): string {
  return text.replace(BLANKS(), (run) => `␠×${[...run].length}`)
    .replace(EMPTY_LINES, (run) => `\n⏎×${run.split("\n").length - 2}\n`);
}

/** Returns the codes of characters, by code units as JSON escapes them. */
export function codesOf(text: string): string {
  return text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Patterns about all of Unicode take long to make, and most texts need none. */
function lazily(make: () => RegExp): () => RegExp {
  let made: RegExp | undefined;
  return () => made ??= make();
}
