/** How a column writes its decimals. */
export type DecimalMark = "." | ",";

/** What needs no mending: most numbers of most files. */
const SIMPLE = /^-?\d{1,15}(?:\.\d{1,15})?$/;
const POINT = /^[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:e[-+]?\d+)?$/i;
const COMMA = /^[-+]?(?:\d{1,3}(?:\.\d{3})+|\d+)?(?:,\d+)?(?:e[-+]?\d+)?$/i;
const CURRENCY = /^([-+]?)\s*([$€£¥￥₩₹])\s*|\s*([$€£¥￥₩₹元])$/u;
const MISSING = /^(?:|-{1,3}|–|—|\.|n\/?a|#n\/a|nan|null|none|nil|missing|缺失|无|暂无)$/i;

/** Says whether a cell stands for a value that is not there. */
export function isMissing(text: string): boolean {
  return MISSING.test(text.trim());
}

/** Reads a number with blanks, signs of currencies, percent and brackets for negative ones; `null` if it is none. */
export function parseNumber(text: string, mark: DecimalMark): number | null {
  if (mark === "." && SIMPLE.test(text)) return Number(text);
  const plain = plainNumber(text);
  if (!/\d/.test(plain) || !(mark === "." ? POINT : COMMA).test(plain)) return null;
  const digits = mark === "." ? plain.replaceAll(",", "") : plain.replaceAll(".", "").replace(",", ".");
  const value = Number(digits);
  return Number.isFinite(value) ? value : null;
}

/** Tells which decimal mark fits more of the cells; a point where both do. */
export function decimalMark(cells: readonly string[]): DecimalMark {
  const fitting = (mark: DecimalMark) => cells.filter((cell) => parseNumber(cell, mark) !== null).length;
  return fitting(",") > fitting(".") ? "," : ".";
}

/** Returns the sign that most cells carry: `%` or that of a currency; `null` without one. */
export function commonSign(cells: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const cell of cells) {
    const sign = /[%％]$/.test(cell) ? "%" : cell.match(/[$€£¥￥₩₹]/u)?.[0];
    if (sign) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  }
  const [best] = [...counts].sort((one, other) => other[1] - one[1]);
  return best !== undefined && best[1] * 2 > cells.length ? best[0] : null;
}

/** Letters after a number: `12 kg`, `3.5M`, `1.2万`. */
const SUFFIXED = /^(.*\d\)?)\s*((?:\p{L}|[°‰])[\p{L}²³/·]{0,9})$/u;
/** Parts of a date, or a rank. */
const NO_UNIT = /^(?:[年月周天日号期点时hdw]|季度|st|nd|rd|th|e)$/i;
const SIZES: Readonly<Record<string, number>> = {
  k: 1e3,
  K: 1e3,
  m: 1e6,
  M: 1e6,
  mn: 1e6,
  B: 1e9,
  bn: 1e9,
  T: 1e12,
  万: 1e4,
  亿: 1e8,
};

/** How the numbers of a column are read. */
export interface NumberReader {
  unit: string | null;
  read(cell: string): number | null;
}

/** Finds out by some cells how a column writes its numbers, and in which unit. */
export function numberReader(cells: readonly string[]): NumberReader {
  const parts = cells.map(suffixOf);
  const suffixes = new Set(parts.filter((suffix) => suffix !== ""));
  const [unit = ""] = suffixes;
  const areSizes = suffixes.size > 1 && [...suffixes].every((suffix) => SIZES[suffix] !== undefined);
  const isUnit = suffixes.size === 1 &&
    parts.filter((suffix) => suffix === unit).length >= 0.8 * parts.length;
  if (!areSizes && !isUnit) {
    const mark = decimalMark(cells);
    return { unit: commonSign(cells), read: (cell) => parseNumber(cell, mark) };
  }
  const bareOf = (cell: string) => cell.trim().match(SUFFIXED)?.[1] ?? cell;
  const mark = decimalMark(cells.map(bareOf));
  const read = (cell: string) => {
    const suffix = suffixOf(cell);
    if (!areSizes && suffix !== "" && suffix !== unit) return null;
    const value = parseNumber(bareOf(cell), mark);
    return value === null ? null : areSizes ? Number((value * (SIZES[suffix] ?? 1)).toPrecision(15)) : value;
  };
  return { unit: areSizes ? commonSign(cells) : `${commonSign(cells.map(bareOf)) ?? ""}${unit}`, read };
}

/** The letters after a number; empty without any. */
function suffixOf(cell: string): string {
  const [, number = "", suffix = ""] = cell.trim().match(SUFFIXED) ?? [];
  return suffix === "元" || NO_UNIT.test(suffix) ||
      parseNumber(number, ".") === null && parseNumber(number, ",") === null
    ? ""
    : suffix;
}

function plainNumber(text: string): string {
  const trimmed = text.replace(/[\s\u00a0\u202f'’]/g, "").replace(/^−/, "-").replace(/[%％]$/, "");
  const bare = trimmed.replace(/^\((.+)\)$/, "-$1");
  return bare.replace(CURRENCY, "$1").replace(CURRENCY, "$1");
}
