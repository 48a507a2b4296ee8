import type { Page } from "puppeteer-core";

import type { BrowserPlace, BrowserPoint } from "../../../schemas/browser/browser.ts";
import { ToolError } from "../../../schemas/error.ts";
import { type ElementPlace, pointOf } from "./use_element.ts";
import { within } from "./page/waiting.ts";

/** Longest time for one use of the mouse, in milliseconds. */
const USE_MS = 10_000;
/** Moves from one place to the other: pages tell a drag by them. */
const STEPS = 12;

/** Runs in the page. */
const SIZE = "({ width: innerWidth, height: innerHeight })" as unknown as () => BrowserSize;

interface BrowserSize {
  width: number;
  height: number;
}

/** Clicks a point of the window. Throws `invalid_input` for one outside of it. */
export async function clickPoint(point: BrowserPoint, page: Page): Promise<void> {
  await requireInside(point, page);
  await within(page.mouse.click(point.x, point.y), USE_MS);
}

/** Drags from one place to another. */
export async function drag(
  { from, to }: { from: BrowserPlace; to: BrowserPlace },
  at: ElementPlace,
): Promise<void> {
  const { mouse } = at.page;
  const { start, end } = await bothInView(from, to, at);
  await within(mouse.move(start.x, start.y), USE_MS);
  await within(mouse.down(), USE_MS);
  try {
    await within(mouse.move(end.x, end.y, { steps: STEPS }), USE_MS);
    // What was moved under the mouse while it moved takes the place in at last.
    await within(mouse.move(end.x, end.y), USE_MS);
  } finally {
    await within(mouse.up(), USE_MS);
  }
}

/** An element that is brought into view may push the other one out. */
async function bothInView(
  from: BrowserPlace,
  to: BrowserPlace,
  at: ElementPlace,
): Promise<{ start: BrowserPoint; end: BrowserPoint }> {
  await place(from, at);
  const end = await place(to, at);
  try {
    return { start: await place(from, at, { isStill: true }), end };
  } catch (error) {
    throw new ToolError("conflict", "Both places are not in view at once: scroll until they are", {
      cause: error,
    });
  }
}

async function place(place: BrowserPlace, at: ElementPlace, options = {}): Promise<BrowserPoint> {
  if ("element" in place) return await pointOf(place.element, at, options);
  await requireInside(place, at.page);
  return place;
}

async function requireInside({ x, y }: BrowserPoint, page: Page): Promise<void> {
  const { width, height } = await within(page.mainFrame().isolatedRealm().evaluate(SIZE), USE_MS);
  if (x < width && y < height) return;
  throw new ToolError(
    "invalid_input",
    `The point ${x}, ${y} is outside of the window, which is ${width} wide and ${height} high`,
  );
}
