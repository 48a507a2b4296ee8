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
  },
  zh: { other: "其他", total: "合计", count: "数量", increase: "增加", decrease: "减少", value: "数值" },
} as const;

/** Writes a number for people: at most four digits that count, thousands parted. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 1000 ? 0 : size >= 100 ? 1 : 2;
  const options = size > 0 && size < 0.01
    ? { maximumSignificantDigits: 3 }
    : { maximumFractionDigits: digits };
  return value.toLocaleString("en-US", options);
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
