import type { ElementHandle, Frame } from "puppeteer-core";

import type { BrowserFile, BrowserOption } from "../../../schemas/browser/browser.ts";
import type { PageLine } from "../../../schemas/browser/page.ts";
import PAGE_INDEX from "./page_index.js" with { type: "text" };
import PAGE_USE from "./page_use.js" with { type: "text" };

/** What {@linkcode PAGE_INDEX} offers in each frame. */
export interface PageIndex {
  read(first: number, frames: readonly unknown[]): FrameReading;
  get(number: number): unknown;
  place(
    number: number,
  ): { is: "gone" } | { is: "hidden" } | { is: "covered"; by: string } | { is: "free"; x: number; y: number };
  field(number: number, text: string): {
    is: "gone" | "closed" | "file" | "refused" | "done" | "other" | "ready";
    wasEmpty?: boolean;
  };
  options(number: number): { is: "gone" | "other" | "list"; list?: BrowserOption[] };
  choose(
    number: number,
    text: string,
  ): { is: "gone" | "other" | "closed" | "missing" | "chosen"; text?: string };
  find(text: string): boolean;
  scroll(way: 1 | -1, pixels: number | null): number;
  give(
    number: number,
    files: readonly BrowserFile[],
  ): { is: "gone" | "other" | "closed" | "single" | "given" };
  label(shown: readonly number[]): void;
}

/** What a frame shows; another frame stands where it is in the page. */
export interface FrameReading {
  lines: (PageLine | { frame: number })[];
  next: number;
  scroll: { above: number; below: number; height: number };
}

/** The world of a page's scripts that holds the index: the page cannot reach it. */
type World = ReturnType<Frame["isolatedRealm"]>;

/** Says whether a failure only means that a page went away, or a frame of it. */
export function isGoneError(error: unknown): boolean {
  const message = error instanceof Error ? error.message : String(error);
  return /detached|destroyed|navigat|Cannot find context|Target closed|Session closed/i.test(message);
}

/** Calls the index of a frame; it is put there when it is missing. */
export async function inFrame<Name extends keyof PageIndex>(
  frame: Frame,
  name: Name,
  ...given: Parameters<PageIndex[Name]>
): Promise<ReturnType<PageIndex[Name]>> {
  const world = frame.isolatedRealm();
  await install(world);
  const called = await world.evaluate(
    (name, given) => (globalThis as unknown as Called).pageIndex[name]!(...given),
    name as string,
    given as unknown[],
  );
  return called as ReturnType<PageIndex[Name]>;
}

/** Reads a frame. `frames` are the elements of the frames in it. */
export async function readFrame(
  frame: Frame,
  { first, frames }: { first: number; frames: readonly ElementHandle[] },
): Promise<FrameReading> {
  const world = frame.isolatedRealm();
  await install(world);
  const read = await world.evaluate(
    (first, ...frames) => (globalThis as unknown as Called).pageIndex.read!(first, frames),
    first,
    ...frames,
  );
  return read as FrameReading;
}

/** Returns an element by its number, `null` if it is gone. */
export async function elementIn(frame: Frame, number: number): Promise<ElementHandle | null> {
  const world = frame.isolatedRealm();
  await install(world);
  const handle = await world.evaluateHandle(
    (number) => (globalThis as unknown as Called).pageIndex.get!(number),
    number,
  );
  const element = handle.asElement() as ElementHandle | null;
  if (element === null) await handle.dispose();
  return element;
}

/** What a function that runs in a page sees. */
type Called = { pageIndex: Record<string, (...given: readonly unknown[]) => unknown> };

async function install(world: World): Promise<void> {
  if (await world.evaluate("typeof pageIndex === 'object'")) return;
  await world.evaluate(`${PAGE_INDEX}\n${PAGE_USE}`);
}
