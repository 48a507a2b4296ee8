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

function plainNumber(text: string): string {
  const trimmed = text.replace(/[\s\u00a0\u202f'’]/g, "").replace(/^−/, "-").replace(/[%％]$/, "");
  const bare = trimmed.replace(/^\((.+)\)$/, "-$1");
  return bare.replace(CURRENCY, "$1").replace(CURRENCY, "$1");
}
