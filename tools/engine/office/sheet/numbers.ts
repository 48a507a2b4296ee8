import type { OfficePackage } from "../package/package.ts";

/** Numbers of built-in formats that show dates or times, and which of both. */
const BUILT_IN: ReadonlyMap<number, DateParts> = new Map([
  ...range(14, 17, { date: true, time: false, elapsed: false }),
  ...range(18, 21, { date: false, time: true, elapsed: false }),
  [22, { date: true, time: true, elapsed: false }],
  ...range(27, 31, { date: true, time: false, elapsed: false }),
  ...range(32, 35, { date: false, time: true, elapsed: false }),
  [36, { date: true, time: false, elapsed: false }],
  [45, { date: false, time: true, elapsed: false }],
  [46, { date: false, time: true, elapsed: true }],
  [47, { date: false, time: true, elapsed: false }],
  ...range(50, 58, { date: true, time: false, elapsed: false }),
]);

const DAY_SECONDS = 86_400;
const DAY_MS = 86_400_000;
const LAST_DAY = 2_958_465;
/** Days from the start of the calendar of old Macs to that of the others. */
const DAYS_TO_1904 = 1462;
/** A day that never existed: Excel treats 1900 as a leap year. */
const FALSE_DAY = 60;
/** Digits that a number in a spreadsheet has. */
const DIGITS = 15;

interface DateParts {
  date: boolean;
  time: boolean;
  /** Counts hours beyond a day. */
  elapsed: boolean;
}

/** Returns a number cell's value as text, by the number of its style. */
export type CellFormat = (value: string, style: number) => string;

/** Reads a workbook's styles for the formats that show numbers as dates. */
export async function createCellFormat(
  file: OfficePackage,
  options: { part: string | undefined; date1904: boolean },
): Promise<CellFormat> {
  const { part, date1904 } = options;
  const custom = new Map<number, DateParts | null>();
  const styles: (DateParts | null)[] = [];
  let inCells = false;
  if (part !== undefined) {
    await file.read(part, {
      open(name, { numFmtId, formatCode = "" }) {
        if (name === "cellXfs") inCells = true;
        if (name === "numFmt") custom.set(Number(numFmtId), datePartsOf(formatCode));
        if (name !== "xf" || !inCells) return;
        const id = Number(numFmtId ?? 0);
        styles.push(custom.get(id) ?? (custom.has(id) ? null : BUILT_IN.get(id) ?? null));
      },
      close(name) {
        if (name === "cellXfs") inCells = false;
      },
    });
  }
  return (value, style) => {
    const number = Number(value);
    if (value === "" || !Number.isFinite(number)) return value;
    const parts = styles[style];
    return (parts ? formatDate(number, parts, { date1904 }) : null) ?? formatNumber(value, number);
  };
}

function* range(first: number, last: number, parts: DateParts): Generator<[number, DateParts]> {
  for (let id = first; id <= last; id++) yield [id, parts];
}

/** Tells whether a format's first section shows dates or times; `null` if neither. */
function datePartsOf(code: string): DateParts | null {
  const elapsed = /\[(h+|m+|s+)\]/i.test(code);
  const bare = code.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, "").split(";")[0] ?? "";
  const letters = bare.toLowerCase();
  if (letters.includes("general") || /[0#?]/.test(letters.replace(/s\.0+/g, "s"))) return null;
  const time = elapsed || /[hs]/.test(letters);
  const date = /[yde]/.test(letters) || (!time && letters.includes("m"));
  return date || time ? { date, time, elapsed } : null;
}

function formatDate(number: number, parts: DateParts, { date1904 }: { date1904: boolean }): string | null {
  if (parts.elapsed && number >= 0) return clock(Math.round(number * DAY_SECONDS));
  const serial = number + (date1904 ? DAYS_TO_1904 : 0);
  if (number < 0 || serial > LAST_DAY + 1) return null;
  const seconds = Math.round(serial * DAY_SECONDS);
  const days = Math.floor(seconds / DAY_SECONDS);
  const rest = seconds - days * DAY_SECONDS;
  const day = dayText(days);
  if (!parts.date) return days === 0 || date1904 && number < 1 ? clock(rest) : `${day}T${clock(rest)}`;
  return parts.time || rest > 0 ? `${day}T${clock(rest)}` : day;
}

function dayText(days: number): string {
  if (days === FALSE_DAY) return "1900-02-29";
  const fromEpoch = days - 25_569 + (days < FALSE_DAY ? 1 : 0);
  return new Date(fromEpoch * DAY_MS).toISOString().slice(0, 10);
}

function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

function formatNumber(value: string, number: number): string {
  return value.length <= DIGITS ? value : String(Number(number.toPrecision(DIGITS)));
}
