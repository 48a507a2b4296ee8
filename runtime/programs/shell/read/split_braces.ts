const MAX_WORDS = 64;
const NUMBERS = /^(-?\d{1,9})\.\.(-?\d{1,9})$/;
const LETTERS = /^([A-Za-z])\.\.([A-Za-z])$/;

/** Returns the words that `{a,b}` or `{1..3}` stands for, `null` if they are unknown. */
export function splitBraces(text: string): string[] | null {
  const inner = text.slice(1, -1);
  if (/[`$]/.test(inner)) return null;
  return sequence(inner) ?? split(inner);
}

function sequence(inner: string): string[] | null {
  const numbers = NUMBERS.exec(inner);
  if (numbers) return range(Number(numbers[1]), Number(numbers[2]))?.map(String) ?? null;
  const letters = LETTERS.exec(inner);
  if (!letters) return null;
  const codes = range(letters[1]!.charCodeAt(0), letters[2]!.charCodeAt(0));
  return codes?.map((code) => String.fromCharCode(code)) ?? null;
}

function range(first: number, last: number): number[] | null {
  const count = Math.abs(last - first) + 1;
  if (count > MAX_WORDS) return null;
  const step = last < first ? -1 : 1;
  return Array.from({ length: count }, (_, index) => first + index * step);
}

function split(inner: string): string[] | null {
  const words = [""];
  let depth = 0;
  let quote = "";
  for (let at = 0; at < inner.length; at++) {
    const char = inner[at]!;
    if (char === "\\" && quote !== "'") {
      words.push(words.pop() + char + (inner[++at] ?? ""));
      continue;
    }
    if (quote) quote = char === quote ? "" : quote;
    else if (char === "'" || char === '"') quote = char;
    else if (char === "{") depth++;
    else if (char === "}") depth--;
    else if (char === "," && depth === 0) {
      words.push("");
      continue;
    }
    words.push(words.pop() + char);
  }
  return words.length > 1 && words.length <= MAX_WORDS ? words : null;
}
