const LEAD = "\\x1b";
const C0 = "\\0-\\x17\\x19\\x1c-\\x1f";
/** A control sequence with parameters; a terminal acts on other controls in its middle first, and leaves out DEL. */
const SEQUENCE = new RegExp(`(?:${LEAD}([${C0}]*)\\[|\\x9b)([${C0}\\x20-\\x3f\\x7f]*)([@-~])`, "g");
const CONTROLS = new RegExp(`[${C0}]`, "g");
/** What is no parameter and no sign of a sequence. */
const NO_PARAMETER = new RegExp(`[${C0}\\x7f]`, "g");
/** Sequences whose work grows with their number: they insert, erase, scroll, repeat or go from tab to tab. */
const REPEATING = /[@ILMPSTXZb}~]/;
/** Sequences whose numbers name modes, colors or sizes. */
const NAMING = /[chlmnpqstu]/;
const LARGEST = 65_535;

/**
 * Bounds the numbers in a terminal's output, so that what a terminal does for it grows with its length and not with the
 * numbers in it. No number is larger than the screen, and all that repeat something are together no more than the text
 * is long, with a few screens to spare; then each stands for one.
 *
 * @param size Rows and columns of the screen
 */
export function boundCounts(text: string, { rows, cols }: { rows: number; cols: number }): string {
  const most = Math.max(rows, cols);
  let left = text.length + 4 * rows * cols;
  return text.replace(SEQUENCE, (_whole, inLead: string | undefined, body: string, final: string) => {
    const limit = NAMING.test(final)
      ? LARGEST
      : REPEATING.test(final)
      ? Math.min(most, Math.max(1, left))
      : most;
    const first = (inLead ?? "") + (body.match(CONTROLS)?.join("") ?? "");
    const numbers = body.replace(NO_PARAMETER, "").replace(/\d+/g, (digits) => {
      const number = Math.min(Number(digits), limit);
      if (REPEATING.test(final)) left -= number;
      return `${number}`;
    });
    return `${first}\x1b[${numbers}${final}`;
  });
}
