import { ToolError } from "../../../../schemas/error.ts";
import type { ChartPlan } from "../choose/plan.ts";
import { textWidth } from "../series/words.ts";
import { frame, type Option, SIZE } from "./frame.ts";

const MOST_WORDS = 120;
const FONT = { least: 13, most: 68 };
/** Height of a line in its font size. */
const LINE = 1.15;
/** Part of the picture that words may fill: between them are gaps. */
const FILLED = 0.4;
const SMALLEST = 9;
const TOP = 64;
const COLORS = ["#3b6fd4", "#f2913d", "#35a773", "#d9534f", "#8661c1", "#8c6d4f", "#2aa9bf"];
/** Longer cells are sentences, whose words are counted; those with a number of their own may be phrases. */
const LONGEST_WORD = 24;
const LONGEST_PHRASE = 60;
const EMPTY_WORDS = new Set(
  "the and for that with this from are was were not but you your have has had its our they she him her his a an of in on to is it as at by be or we i 的 了 是 在 和 与 我 也 就 都 而 及 或"
    .split(" "),
);

/** A word and where it stands, in pixels. */
export interface PlacedWord {
  text: string;
  size: number;
  x: number;
  y: number;
}

/** Words as large as their numbers, or as often as they occur. */
export function wordCloudOption(
  { title, plan, language }: { title: string; plan: ChartPlan; language: string },
): Option {
  const words = wordsOf(plan, language);
  if (words.length === 0) {
    throw new ToolError("invalid_input", "A word cloud needs a column of words, and there is none");
  }
  return {
    ...frame(title, { legend: false }),
    graphic: placeWords(words).map(({ text, size, x, y }, at) => ({
      type: "text",
      x,
      y,
      style: {
        text,
        fontSize: size,
        fontFamily: "sans-serif",
        fill: COLORS[at % COLORS.length],
        align: "center",
        verticalAlign: "middle",
      },
    })),
    series: [],
  };
}

function wordsOf({ levels: [names], y: [size] }: ChartPlan, language: string): [string, number][] {
  const sums = new Map<string, number>();
  const add = (word: string, value: number) => void sums.set(word, (sums.get(word) ?? 0) + value);
  const segments = new Intl.Segmenter(language, { granularity: "word" });
  names?.values.forEach((cell, row) => {
    if (cell === null) return;
    const text = String(cell);
    const value = size === undefined ? 1 : size.values[row] ?? 0;
    const isName = size === undefined
      ? text.length <= LONGEST_WORD && !isSentence(text)
      : text.length <= LONGEST_PHRASE;
    if (isName) return add(text, value);
    for (const { segment, isWordLike } of segments.segment(text)) {
      const word = segment.toLowerCase();
      if (isWordLike && !EMPTY_WORDS.has(word) && (word.length > 2 || /\p{sc=Han}{2}/u.test(word))) {
        add(word, value);
      }
    }
  });
  return [...sums].filter(([, value]) => value > 0).toSorted(([, one], [, other]) => other - one).slice(
    0,
    MOST_WORDS,
  );
}

/** Chinese writes no spaces between words, but marks, and few words are longer than six characters. */
function isSentence(text: string): boolean {
  return /[\s，。！？、；：]/.test(text) || /\p{sc=Han}{7}/u.test(text);
}

/**
 * Places words from the middle outwards, the largest first, so that none lies on another. Many words are smaller, so that
 * nearly all find a place.
 */
export function placeWords(words: readonly (readonly [string, number])[]): PlacedWord[] {
  const most = words[0]?.[1] ?? 1;
  const wanted = words.map(([text, value]) => {
    return { text, size: Math.max(FONT.least, FONT.most * Math.sqrt(value / most)) };
  });
  const area = wanted.reduce((sum, { text, size }) => sum + textWidth(text) * size * size * LINE, 0);
  const zoom = Math.min(1, Math.sqrt(FILLED * SIZE.width * (SIZE.height - TOP) / area));
  const placed: (PlacedWord & Box)[] = [];
  for (const word of wanted) {
    const size = Math.max(SMALLEST, Math.round(word.size * zoom));
    const box = { width: textWidth(word.text) * size + 6, height: size * LINE };
    const spot = freeSpot(box, placed);
    if (spot) placed.push({ text: word.text, size, ...spot, ...box });
  }
  return placed.map(({ text, size, x, y }) => ({ text, size, x, y }));
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

function freeSpot(
  { width, height }: Pick<Box, "width" | "height">,
  others: readonly Box[],
): { x: number; y: number } | null {
  const middle = { x: SIZE.width / 2, y: TOP + (SIZE.height - TOP) / 2 };
  for (let turn = 0; turn < 1400; turn++) {
    const angle = turn * 0.35;
    const radius = 1.1 * angle;
    const x = Math.round(middle.x + 1.7 * radius * Math.cos(angle));
    const y = Math.round(middle.y + radius * Math.sin(angle));
    if (x - width / 2 < 8 || x + width / 2 > SIZE.width - 8) continue;
    if (y - height / 2 < TOP || y + height / 2 > SIZE.height - 8) continue;
    const hits = others.some((other) =>
      Math.abs(x - other.x) * 2 < width + other.width && Math.abs(y - other.y) * 2 < height + other.height
    );
    if (!hits) return { x, y };
  }
  return null;
}
