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

/** Writes a point in time, as precisely as its neighbours need. */
export function shortTime(time: number, { days, clock }: { days: boolean; clock: boolean }): string {
  const text = new Date(time).toISOString();
  return clock ? text.slice(0, 16).replace("T", " ") : text.slice(0, days ? 10 : 7);
}
