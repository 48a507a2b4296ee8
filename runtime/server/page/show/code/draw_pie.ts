import { escaped } from "./escaped.ts";

/** Part of a pie. */
interface Slice {
  label: string;
  value: number;
}

const COLOURS = ["#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#b07aa1", "#9c755f", "#bab0ac"];
const RADIUS = 100;
const MOST_SLICES = 40;
const LINE_PX = 22;

/** Draws a pie of mermaid's words as SVG; `null` if the text is none. */
export function drawPie(text: string): string | null {
  const [head = "", ...lines] = text.trim().split("\n").map((line) => line.trim());
  const [, showData, title = ""] = /^pie(\s+showData)?(?:\s+title\s+(.+))?$/.exec(head) ?? [];
  if (!/^pie\b/.test(head)) return null;
  const named = lines.map((line) => /^title\s+(.+)$/.exec(line)?.[1]).find((found) => found !== undefined);
  const slices = lines.flatMap((line): Slice[] => {
    const [, label, value] = /^"([^"]+)"\s*:\s*(\d+(?:\.\d+)?)$/.exec(line) ?? [];
    return label === undefined ? [] : [{ label, value: Number(value) }];
  }).filter(({ value }) => value > 0).slice(0, MOST_SLICES);
  if (slices.length === 0) return null;
  return pictureOf(slices, { title: named ?? title, isTold: showData !== undefined });
}

function pictureOf(slices: readonly Slice[], { title, isTold }: { title: string; isTold: boolean }): string {
  const sum = slices.reduce((all, { value }) => all + value, 0);
  const top = title === "" ? 16 : 44;
  const height = Math.max(2 * RADIUS, slices.length * LINE_PX) + top + 16;
  let from = 0;
  const parts = slices.map(({ label, value }, at) => {
    const share = value / sum;
    const colour = COLOURS[at % COLOURS.length]!;
    const piece = sector(from, share, colour);
    from += share;
    const words = `${label}${isTold ? ` (${value})` : ""}, ${Math.round(share * 1_000) / 10} %`;
    const y = top + at * LINE_PX;
    return `<g transform="translate(${RADIUS + 16} ${top + RADIUS})">${piece}</g>` +
      `<rect x="250" y="${y + 4}" width="14" height="14" fill="${colour}"/>` +
      `<text x="272" y="${y + 16}">${escaped(words)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="560" height="${height}" viewBox="0 0 560 ${height}" ` +
    `font-family="sans-serif" font-size="14" fill="#23262b">` +
    `<text x="16" y="26" font-size="17" font-weight="bold">${escaped(title)}</text>${parts.join("")}</svg>`;
}

/** Shares of the whole, clockwise from the top. */
function sector(from: number, share: number, colour: string): string {
  if (share > 0.9999) return `<circle r="${RADIUS}" fill="${colour}"/>`;
  const [start, end] = [from, from + share].map((part) => {
    const angle = 2 * Math.PI * part;
    return `${(RADIUS * Math.sin(angle)).toFixed(2)} ${(-RADIUS * Math.cos(angle)).toFixed(2)}`;
  });
  const far = share > 0.5 ? 1 : 0;
  return `<path d="M0 0L${start}A${RADIUS} ${RADIUS} 0 ${far} 1 ${end}Z" fill="${colour}" stroke="#ffffff"/>`;
}
