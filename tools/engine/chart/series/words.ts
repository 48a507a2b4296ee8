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
  },
  zh: {
    other: "其他",
    total: "合计",
    count: "数量",
    increase: "增加",
    decrease: "减少",
    value: "数值",
    average: "平均值",
  },
} as const;

/** Writes a number for people: few decimals, the fewer the larger it is, and thousands parted. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e15) return String(Number(value.toPrecision(4)));
  const digits = size >= 100_000 ? 0 : size >= 100 ? 1 : 2;
  const options = size > 0 && size < 0.01
    ? { maximumSignificantDigits: 3 }
    : { maximumFractionDigits: digits };
  return value.toLocaleString("en-US", options);
}

/** Writes a number with its unit: a percent sign or a sign of a currency stands at it. */
export function measured(value: number, unit: string | null): string {
  if (unit === null || unit === "") return shortNumber(value);
  if (unit === "%") return `${shortNumber(value)}%`;
  if (/^\p{Sc}$/u.test(unit)) return `${value < 0 ? "-" : ""}${unit}${shortNumber(Math.abs(value))}`;
  return `${shortNumber(value)} ${unit}`;
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
