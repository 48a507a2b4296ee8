import { escaped } from "./escaped.ts";
import { type Gantt, type GanttTask, readGantt } from "./read_gantt.ts";

const WIDTH = 760;
const NAMES_PX = 210;
const ROW_PX = 26;
const MOST_LETTERS = 28;
const TICKS = 5;
const COLOURS = { done: "#bab0ac", active: "#4e79a7", crit: "#e15759", plain: "#76b7b2" } as const;

/** Where times lie in the picture. */
interface Scale {
  first: number;
  span: number;
  xOf(time: number): number;
}

/** Draws a plan by time, in mermaid's words, as SVG; `null` if the text is none, or is not understood. */
export function drawGantt(text: string): string | null {
  const gantt = readGantt(text);
  return gantt && pictureOf(gantt);
}

function pictureOf({ title, tasks }: Gantt): string {
  const top = title === "" ? 16 : 46;
  const scale = scaleOf(tasks);
  const rows = tasks.flatMap((task, at) => {
    const isFirst = task.section !== "" && task.section !== tasks[at - 1]?.section;
    return isFirst ? [{ section: task.section }, { task }] : [{ task }];
  });
  const bottom = top + rows.length * ROW_PX + 6;
  const lines = rows.map((row, at) => {
    const y = top + at * ROW_PX;
    return "section" in row
      ? `<text x="16" y="${y + 18}" font-weight="bold">${nameOf(row.section)}</text>`
      : taskLine(row.task, y, scale);
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${bottom + 32}" ` +
    `viewBox="0 0 ${WIDTH} ${bottom + 32}" font-family="sans-serif" font-size="13" fill="#23262b">` +
    `<text x="16" y="26" font-size="17" font-weight="bold">${escaped(title)}</text>` +
    `${axis(scale, top, bottom)}${lines.join("")}</svg>`;
}

function scaleOf(tasks: readonly GanttTask[]): Scale {
  const first = Math.min(...tasks.map(({ start }) => start));
  const span = Math.max(1, Math.max(...tasks.map(({ end }) => end)) - first);
  const width = WIDTH - NAMES_PX - 40;
  return { first, span, xOf: (time) => Math.round(NAMES_PX + width * (time - first) / span) };
}

function taskLine({ name, start, end, kind, isMilestone }: GanttTask, y: number, { xOf }: Scale): string {
  const [from, middle] = [xOf(start), y + ROW_PX / 2];
  const width = Math.max(3, xOf(end) - from);
  const bar = isMilestone
    ? `<path d="M${from} ${middle - 8}l8 8l-8 8l-8 -8Z" fill="${COLOURS[kind]}"/>`
    : `<rect x="${from}" y="${y + 4}" width="${width}" height="${ROW_PX - 8}" rx="3" fill="${
      COLOURS[kind]
    }"/>`;
  return `<text x="28" y="${y + 18}">${nameOf(name)}</text>${bar}`;
}

function axis({ first, span, xOf }: Scale, top: number, bottom: number): string {
  // Days are enough where a plan lasts longer than a few of them.
  const [from, to] = span > TICKS * 86_400_000 ? [0, 10] : [5, 16];
  return Array.from({ length: TICKS }, (_, at) => {
    const time = first + span * at / (TICKS - 1);
    const words = new Date(time).toISOString().slice(from, to).replace("T", " ");
    const x = xOf(time);
    return `<path d="M${x} ${top}V${bottom}" stroke="#c9c9c9"/>` +
      `<text x="${x}" y="${bottom + 18}" font-size="11" text-anchor="middle">${words}</text>`;
  }).join("");
}

function nameOf(text: string): string {
  return escaped(text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text);
}
