/** Order of day and month where both are numbers. */
export type DateOrder = "dmy" | "mdy";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const CLOCK = String
  .raw`(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([ap]m)?\s*(Z|[+-]\d{2}:?\d{2})?)?`;
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+(?=\w+\W+\w+\W+\d)/i;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2})${CLOCK})?$`, "i");
const CHINESE = new RegExp(String.raw`^(\d{4})年(?:(\d{1,2})月(?:(\d{1,2})日?${CLOCK})?)?$`);
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})${CLOCK}$`, "i");
const NAMED_DAY = new RegExp(
  String.raw`^(\d{1,2})(?:st|nd|rd|th)?[\s-]+([a-z]{3,9})\.?,?[\s-]+(\d{4}|\d{2})${CLOCK}$`,
  "i",
);
const DAY_NAMED = new RegExp(
  String.raw`^([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})${CLOCK}$`,
  "i",
);
const NAMED_MONTH = /^([a-z]{3,9})(?:\.?,?[\s-]+(\d{4})|-(\d{2})|\s*['’](\d{2}))$/i;
const COMPACT = /^((?:19|20)\d{2})(\d{2})(\d{2})$/;
const YEAR = /^(1[5-9]\d{2}|20\d{2}|21\d{2})$/;

/** How dates of a column are read. */
export interface DateForm {
  order: DateOrder;
  /** Four digits are a year, and eight a day. */
  bare: boolean;
}

/** Reads a date, or a date and a time, as milliseconds since the epoch; without a zone as UTC. `null` if it is none. */
export function parseDate(text: string, { order, bare }: DateForm): number | null {
  const cell = text.trim().replace(WEEKDAY, "");
  const first = cell.match(YEAR_FIRST) ?? cell.match(CHINESE);
  if (first) {
    const [, year, month = "1", day = "1", ...clock] = first;
    return utc([year!, month, day], clock);
  }
  const last = cell.match(YEAR_LAST);
  if (last) {
    const [, one, separator, two, year, ...clock] = last;
    const dayFirst = separator === "." || order === "dmy";
    return utc(dayFirst ? [year!, two!, one!] : [year!, one!, two!], clock);
  }
  return named(cell) ?? (bare ? digits(cell) : null);
}

/** Tells the order of day and month by a number that is no month. */
export function dateOrder(cells: readonly string[]): { order: DateOrder; certain: boolean } {
  for (const cell of cells) {
    // Quicker than the pattern, for the many that begin with a year.
    if (cell.length < 6 || /^\s*\d{4}/.test(cell)) continue;
    const [, one, , two] = cell.trim().match(YEAR_LAST) ?? [];
    if (Number(one) > 12) return { order: "dmy", certain: true };
    if (Number(two) > 12) return { order: "mdy", certain: true };
  }
  return { order: "mdy", certain: !cells.some((cell) => /^\s*\d{1,2}[-/]\d{1,2}[-/]\d{2}/.test(cell)) };
}

function named(cell: string): number | null {
  const [, day, month, year, ...clock] = cell.match(NAMED_DAY) ?? [];
  if (day) return utc([year!, monthOf(month!), day], clock);
  const [, monthFirst, dayAfter, yearAfter, ...clockAfter] = cell.match(DAY_NAMED) ?? [];
  if (monthFirst) return utc([yearAfter!, monthOf(monthFirst), dayAfter!], clockAfter);
  const [, name, ...years] = cell.match(NAMED_MONTH) ?? [];
  return name ? utc([years.find((ofYear) => ofYear)!, monthOf(name), "1"], []) : null;
}

function digits(cell: string): number | null {
  const compact = cell.match(COMPACT);
  if (compact) return utc([compact[1]!, compact[2]!, compact[3]!], []);
  return YEAR.test(cell) ? Date.UTC(Number(cell), 0, 1) : null;
}

/** Reads seconds or milliseconds since the epoch, in this century or near it. */
export function parseEpoch(text: string): number | null {
  const cell = text.trim();
  if (/^\d{9,10}(?:\.\d+)?$/.test(cell)) return Math.round(Number(cell) * 1000);
  return /^\d{12,13}$/.test(cell) ? Number(cell) : null;
}

function monthOf(name: string): string {
  return String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1);
}

function utc(
  parts: readonly [string, string, string],
  clock: readonly (string | undefined)[],
): number | null {
  const [, month, day] = parts.map(Number) as [number, number, number];
  const year = fullYear(parts[0]);
  const [shown, minute, second] = [clock[0], clock[1], clock[2]].map((part) => Number(part ?? 0));
  const half = clock[3]?.toLowerCase();
  const hour = half === undefined ? shown! : shown! % 12 + (half === "pm" ? 12 : 0);
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  const back = new Date(time);
  // Months and days that do not exist.
  if (back.getUTCMonth() !== month - 1 || (hour < 24 && back.getUTCDate() !== day)) return null;
  return time - zoneMs(clock[4]);
}

/** Two digits are of this century up to 69. */
function fullYear(digits: string): number {
  const year = Number(digits);
  return digits.length > 2 ? year : year < 70 ? 2000 + year : 1900 + year;
}

function zoneMs(zone: string | undefined): number {
  const [, sign, hours, minutes] = zone?.match(/([+-])(\d{2}):?(\d{2})/) ?? [];
  return hours === undefined ? 0 : (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
