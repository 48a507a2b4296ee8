/** Languages of charts and insights. */
export type Language = "en" | "zh";

/** What charts themselves say. */
export const WORDS = {
  en: {
    other: "Other",
    total: "Total",
    count: "Count",
    increase: "Increase",
    decrease: "Decrease",
    value: "Value",
    average: "Average",
    size: "size",
  },
  zh: {
    other: "其他",
    total: "合计",
    count: "数量",
    increase: "增加",
    decrease: "减少",
    value: "数值",
    average: "平均值",
    size: "大小",
  },
} as const;

/** From here on, numbers are written with words for their size. */
export const LARGE = 1e9;

/** Writes a large number as axes show it: `2.5T`, or `2.5万亿`. It stands alone: pages take its code as it is. */
export function sizedNumber(value: number, language: string): string {
  const sizes: [number, string][] = language === "zh"
    ? [[1e12, "万亿"], [1e8, "亿"], [1e4, "万"]]
    : [[1e12, "T"], [1e9, "B"], [1e6, "M"], [1e3, "K"]];
  const [size, word] = sizes.find(([least]) => Math.abs(value) >= least) ?? [1, ""];
  return Math.abs(value) >= 1e15
    ? String(Number(value.toPrecision(4)))
    : `${Number((value / size).toPrecision(5))}${word}`;
}

/** Writes a number for people: few decimals, the fewer the larger it is, and thousands parted. */
export function shortNumber(value: number, language: Language = "en"): string {
  const size = Math.abs(value);
  if (size >= LARGE && size < 1e15) return sizedNumber(value, language);
  if (size >= 1e15) return String(Number(value.toPrecision(4)));
  const digits = size >= 100_000 ? 0 : size >= 100 ? 1 : 2;
  const options = size > 0 && size < 0.01
    ? { maximumSignificantDigits: 3 }
    : { maximumFractionDigits: digits };
  return value.toLocaleString("en-US", options);
}

/** Writes a number with its unit: a percent sign or a sign of a currency stands at it. */
export function measured(value: number, unit: string | null, language: Language = "en"): string {
  if (unit === null || unit === "") return shortNumber(value, language);
  if (unit === "%") return `${shortNumber(value, language)}%`;
  if (/^\p{Sc}$/u.test(unit)) {
    return `${value < 0 ? "-" : ""}${unit}${shortNumber(Math.abs(value), language)}`;
  }
  const number = shortNumber(value, language);
  return /[万亿]$/.test(number) ? `${number}${unit}` : `${number} ${unit}`;
}

/** Cuts a text that is too long to be drawn. */
export function shortText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Writers of points in time: as precise as the most precise of them. */
export function timeWriter(times: readonly number[]): (time: number) => string {
  const all = times.map((time) => new Date(time));
  const length = times.some((time) => time % 86_400_000 !== 0)
    ? 16
    : all.some((date) => date.getUTCDate() !== 1)
    ? 10
    : all.some((date) => date.getUTCMonth() !== 0) || times.length < 2
    ? 7
    : 4;
  return (time) => new Date(time).toISOString().slice(0, length).replace("T", " ");
}

/** Width of a text in its font size, roughly: characters of East Asia are square. */
export function textWidth(text: string): number {
  return [...text].reduce(
    (sum, char) => sum + (/[\u2e80-\uffdc]/.test(char) ? 1 : /[A-Z@MWmw]/.test(char) ? 0.78 : 0.58),
    0,
  );
}
