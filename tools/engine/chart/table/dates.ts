/** Order of day and month where both are numbers. */
export type DateOrder = "dmy" | "mdy";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const CLOCK = String.raw`(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2})${CLOCK})?$`, "i");
const CHINESE = new RegExp(String.raw`^(\d{4})年(?:(\d{1,2})月(?:(\d{1,2})日?${CLOCK})?)?$`);
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})${CLOCK}$`);
const NAMED_DAY = /^(\d{1,2})[\s-]+([a-z]{3,9})\.?,?[\s-]+(\d{4})$/i;
const DAY_NAMED = /^([a-z]{3,9})\.?\s+(\d{1,2}),?\s+(\d{4})$/i;
const NAMED_MONTH = /^([a-z]{3,9})\.?[\s-]+(\d{4})$/i;
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
  const cell = text.trim();
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
    if (cell.length < 8 || /^\s*\d{4}/.test(cell)) continue;
    const [, one, , two] = cell.trim().match(YEAR_LAST) ?? [];
    if (Number(one) > 12) return { order: "dmy", certain: true };
    if (Number(two) > 12) return { order: "mdy", certain: true };
  }
  return { order: "mdy", certain: !cells.some((cell) => /^\s*\d{1,2}[-/]\d{1,2}[-/]\d{4}/.test(cell)) };
}

function named(cell: string): number | null {
  const [, day, month, year] = cell.match(NAMED_DAY) ?? [];
  if (day) return utc([year!, monthOf(month!), day], []);
  const [, monthFirst, dayAfter, yearAfter] = cell.match(DAY_NAMED) ?? [];
  if (monthFirst) return utc([yearAfter!, monthOf(monthFirst), dayAfter!], []);
  const [, name, ofYear] = cell.match(NAMED_MONTH) ?? [];
  return name ? utc([ofYear!, monthOf(name), "1"], []) : null;
}

function digits(cell: string): number | null {
  const compact = cell.match(COMPACT);
  if (compact) return utc([compact[1]!, compact[2]!, compact[3]!], []);
  return YEAR.test(cell) ? Date.UTC(Number(cell), 0, 1) : null;
}

function monthOf(name: string): string {
  return String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1);
}

function utc(
  parts: readonly [string, string, string],
  clock: readonly (string | undefined)[],
): number | null {
  const [year, month, day] = parts.map(Number) as [number, number, number];
  const [hour, minute, second] = [clock[0], clock[1], clock[2]].map((part) => Number(part ?? 0));
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  const back = new Date(time);
  // Months and days that do not exist.
  if (back.getUTCMonth() !== month - 1 || (hour! < 24 && back.getUTCDate() !== day)) return null;
  return time - zoneMs(clock[3]);
}

function zoneMs(zone: string | undefined): number {
  const [, sign, hours, minutes] = zone?.match(/([+-])(\d{2}):?(\d{2})/) ?? [];
  return hours === undefined ? 0 : (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
