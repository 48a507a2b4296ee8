/** A bar of a plan; times are milliseconds since 1970. */
export interface GanttTask {
  name: string;
  section: string;
  start: number;
  end: number;
  kind: "done" | "active" | "crit" | "plain";
  /** A point in time, without a length. */
  isMilestone: boolean;
}

/** A plan by time, as mermaid words it. */
export interface Gantt {
  title: string;
  tasks: readonly GanttTask[];
}

/** What is known while lines are read. */
interface Reading {
  section: string;
  format: RegExp;
  tasks: GanttTask[];
  byId: Map<string, GanttTask>;
}

const MOST_TASKS = 100;
const DAY_MS = 86_400_000;
const UNITS_MS: Readonly<Record<string, number>> = {
  ...{ ms: 1, s: 1_000, m: 60_000, h: 3_600_000 },
  ...{ d: DAY_MS, w: 7 * DAY_MS, M: 30 * DAY_MS, y: 365 * DAY_MS },
};
const SETTINGS =
  /^(?:axisFormat|tickInterval|weekday|excludes|includes|todayMarker|inclusiveEndDates|click|accTitle|accDescr)\b/;
const TAGS = new Set(["done", "active", "crit", "milestone"]);
/** Parts of a date, in the words of `dateFormat`. */
const DATE_PARTS: Readonly<Record<string, string>> = {
  YYYY: "(?<year>\\d{4})",
  ...{ MM: "(?<month>\\d\\d)", DD: "(?<day>\\d\\d)" },
  ...{ HH: "(?<hour>\\d\\d)", mm: "(?<minute>\\d\\d)", ss: "(?<second>\\d\\d)" },
};

/** Reads a plan by time; `null` if the text is none, or has a line that is not understood. */
export function readGantt(text: string): Gantt | null {
  const [head = "", ...lines] = text.split("\n").map((line) => line.trim());
  if (head !== "gantt") return null;
  const reading: Reading = { section: "", format: formatOf("YYYY-MM-DD"), tasks: [], byId: new Map() };
  let title = "";
  for (const line of lines) {
    const [, word = "", rest = ""] = /^(title|section|dateFormat)\s+(.+)$/.exec(line) ?? [];
    if (line === "" || line.startsWith("%%") || SETTINGS.test(line)) continue;
    if (word === "title") title = rest;
    else if (word === "section") reading.section = rest;
    else if (word === "dateFormat") reading.format = formatOf(rest);
    else if (!addTask(reading, line)) return null;
  }
  const { tasks } = reading;
  return tasks.length === 0 || tasks.length > MOST_TASKS ? null : { title, tasks };
}

/** `Name :done, id, 2026-01-01, 7d`, where all but the end may be missing. */
function addTask(reading: Reading, line: string): boolean {
  const [, name = "", facts = ""] = /^([^:]+):(.+)$/.exec(line) ?? [];
  const parts = facts.split(",").map((part) => part.trim());
  const tags = parts.filter((part) => TAGS.has(part));
  const rest = parts.filter((part) => part !== "" && !TAGS.has(part));
  if (name === "" || rest.length === 0 || rest.length > 3) return false;
  const id = rest.length === 3 ? rest[0] : undefined;
  const begin = rest.length === 1 ? undefined : rest.at(-2)!;
  const start = begin === undefined ? reading.tasks.at(-1)?.end : startOf(reading, begin);
  if (start === undefined) return false;
  const end = endOf(reading, start, rest.at(-1)!);
  if (end === undefined || end < start) return false;
  const kind = (["crit", "active", "done"] as const).find((tag) => tags.includes(tag)) ?? "plain";
  const isMilestone = tags.includes("milestone");
  const task: GanttTask = { name: name.trim(), section: reading.section, start, end, kind, isMilestone };
  reading.tasks.push(task);
  if (id !== undefined) reading.byId.set(id, task);
  return true;
}

function startOf({ format, byId }: Reading, words: string): number | undefined {
  const [, ids] = /^after\s+(.+)$/.exec(words) ?? [];
  if (ids === undefined) return timeOf(words, format);
  const ends = ids.split(/\s+/).map((id) => byId.get(id)?.end);
  return ends.includes(undefined) ? undefined : Math.max(...ends as number[]);
}

function endOf({ format, byId }: Reading, start: number, words: string): number | undefined {
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?)(ms|[smhdwMy])$/.exec(words) ?? [];
  if (count !== undefined) return start + Number(count) * UNITS_MS[unit]!;
  const [, until] = /^until\s+(\S+)$/.exec(words) ?? [];
  return until === undefined ? timeOf(words, format) : byId.get(until)?.start;
}

function formatOf(words: string): RegExp {
  const parts = words.trim().split(/(YYYY|MM|DD|HH|mm|ss)/);
  const seen = new Set<string>();
  const source = parts.map((part) => {
    const known = DATE_PARTS[part];
    if (known === undefined || seen.has(part)) return part.replace(/[^\w\s]/g, "\\$&");
    seen.add(part);
    return known;
  });
  return new RegExp(`^${source.join("")}$`);
}

function timeOf(words: string, format: RegExp): number | undefined {
  const found = format.exec(words)?.groups;
  if (!found) return undefined;
  const { year = "1970", month = "01", day = "01", hour = "00", minute = "00", second = "00" } = found;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}
