import type { ElementHandle, Frame } from "puppeteer-core";

import type { BrowserFile, BrowserOption } from "../../../schemas/browser/browser.ts";
import type { PageLine } from "../../../schemas/browser/page.ts";
import { ToolError } from "../../../schemas/error.ts";
import PAGE_INDEX from "./page_index.js" with { type: "text" };
import PAGE_USE from "./page_use.js" with { type: "text" };
import { pause } from "./waiting.ts";

/** How soon scripts can run in a frame that was just put into a page, in milliseconds. */
const WORLD_MS = 300;
const LOOK_MS = 20;

/** What {@linkcode PAGE_INDEX} offers in each frame. */
export interface PageIndex {
  read(first: number, frames: readonly unknown[]): FrameReading;
  place(
    number: number,
    isStill: boolean,
  ): { is: "gone" } | { is: "hidden" } | { is: "covered"; by: string } | {
    is: "free";
    x: number;
    y: number;
    downloads: boolean;
  };
  inOwner(frame: unknown, point: { x: number; y: number }): { x: number; y: number; by: string | null };
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

/** Says whether scripts can run in a frame; in one whose page was refused by the browser itself, none ever can. */
export async function hasWorld(frame: Frame): Promise<boolean> {
  const world = frame.isolatedRealm() as unknown as { hasContext(): boolean };
  const ends = performance.now() + WORLD_MS;
  while (!world.hasContext() && !frame.detached && performance.now() < ends) await pause(LOOK_MS);
  return world.hasContext();
}

/** Calls the index of a frame; it is put there when it is missing. */
export async function inFrame<Name extends keyof PageIndex>(
  frame: Frame,
  name: Name,
  ...given: Parameters<PageIndex[Name]>
): Promise<ReturnType<PageIndex[Name]>> {
  return await called(frame.isolatedRealm(), name, given) as ReturnType<PageIndex[Name]>;
}

/** Reads a frame. `frames` are the elements of the frames in it. */
export async function readFrame(
  frame: Frame,
  { first, frames }: { first: number; frames: readonly ElementHandle[] },
): Promise<FrameReading> {
  const world = frame.isolatedRealm();
  const read = () =>
    world.evaluate(
      (first, ...frames) => (globalThis as unknown as Called).pageIndex?.read?.(first, frames),
      first,
      ...frames,
    );
  return await installed(world, read) as FrameReading;
}

/** Returns the element of a frame in the page around it, for the index there; `null` if there is none. */
export async function ownerOf(frame: Frame): Promise<ElementHandle | null> {
  const parent = frame.parentFrame();
  const owner = await frame.frameElement().catch(() => null);
  if (parent === null || owner === null) return null;
  try {
    // The handle is of the page's world; the index lives in another one.
    return await parent.isolatedRealm().adoptHandle(owner);
  } finally {
    await owner.dispose().catch(() => {});
  }
}

/** Says where a point of a frame is in the window of the whole page, and what lies over it there, if anything does. */
export async function inPage(
  frame: Frame,
  point: { x: number; y: number },
): Promise<{ x: number; y: number; by: string | null }> {
  const parent = frame.parentFrame();
  if (parent === null) return { ...point, by: null };
  const owner = await ownerOf(frame);
  if (owner === null) {
    throw new ToolError("conflict", "The frame of the element is gone: use the page as it is now");
  }
  const world = parent.isolatedRealm();
  const look = () =>
    world.evaluate(
      (owner, point) => (globalThis as unknown as Called).pageIndex?.inOwner?.(owner, point),
      owner,
      point,
    );
  const at = await installed(world, look) as ReturnType<PageIndex["inOwner"]>;
  await owner.dispose().catch(() => {});
  const above = await inPage(parent, at);
  return { ...above, by: at.by ?? above.by };
}

/** What a function that runs in a page sees. */
type Called = { pageIndex?: Record<string, (...given: readonly unknown[]) => unknown> };

async function called(world: World, name: string, given: readonly unknown[]): Promise<unknown> {
  // What returns nothing must not look as if it were not there.
  const call = () =>
    world.evaluate(
      (name, given) => {
        const { pageIndex } = globalThis as unknown as Called;
        return pageIndex && { given: pageIndex[name]!(...given) };
      },
      name,
      given as unknown[],
    );
  return (await installed(world, call))?.given;
}

/** Calls; what gives nothing did not find the index, and is called again once it is there. */
async function installed<T>(world: World, call: () => Promise<T | undefined>): Promise<T | undefined> {
  const given = await call();
  if (given !== undefined) return given;
  await world.evaluate(`if (typeof pageIndex === "undefined") {\n${PAGE_INDEX}\n${PAGE_USE}\n}`);
  return await call();
}
