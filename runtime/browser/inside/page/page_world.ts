import type { CDPSession, ElementHandle, Frame } from "puppeteer-core";

import type { BrowserFile, BrowserOption } from "../../../../schemas/browser/browser.ts";
import type { PageLine } from "../../../../schemas/browser/page.ts";
import { ToolError } from "../../../../schemas/error.ts";
import PAGE_INDEX from "./page_index.js" with { type: "text" };
import PAGE_LOOKS from "./page_looks.js" with { type: "text" };
import PAGE_USE from "./page_use.js" with { type: "text" };
import { pause } from "./waiting.ts";

/** How soon scripts can run in a frame that was just put into a page, in milliseconds. */
const WORLD_MS = 300;
const LOOK_MS = 20;

/** What moves in a frame, or is moved. */
interface PageMotion {
  find(text: string): boolean;
  scroll(way: 1 | -1, pixels: number | null): number;
  isMoving(): boolean;
}

/** What {@linkcode PAGE_INDEX} offers in each frame. */
export interface PageIndex extends PageMotion {
  read(first: number, frames: readonly unknown[]): FrameReading;
  place(
    number: number,
    isStill: boolean,
  ): { is: "gone" } | { is: "off" } | { is: "hidden" } | { is: "covered"; by: string } | {
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
  ): { is: "gone" | "other" | "closed" | "off" | "missing" | "chosen"; text?: string };
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
  /** Elements that were left out, because there are too many. */
  unread: number;
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
  // Without it, less of the page is numbered.
  await hear(frame).catch((error) => {
    if (isGoneError(error)) throw error;
  });
  const read = () =>
    world.evaluate(
      (first, ...frames) => (globalThis as unknown as Called).pageIndex?.read?.(first, frames),
      first,
      ...frames,
    );
  return await installed(world, read) as FrameReading;
}

/** What scripts listen for that have something done when it is clicked. */
const CLICKS: readonly string[] = ["click", "mousedown", "mouseup", "pointerdown", "pointerup"];
/** One that listens for so many kinds of events passes them on: it is no part of its own to click. */
const MOST_KINDS = 16;
/** Most elements that the index of a frame is told of at once. */
const MOST_HEARD = 2_000;
const GROUP = "heard";

/** What the index of a frame was told of. Numbers of the browser's own. */
const told = new WeakMap<Frame, Set<number>>();

/**
 * Tells the index of a frame which elements scripts of the page have clicks told to: only the browser knows that. None of the
 * page's own code runs for it.
 */
async function hear(frame: Frame): Promise<void> {
  const world = frame.isolatedRealm() as World & Numbered;
  const { client } = frame as unknown as { client: CDPSession };
  const roots = await installed(world, () => rootsOf(world));
  const [own, theirs] = [world.context?.id, (frame.mainRealm() as World & Numbered).context?.id];
  if (roots === undefined || own === undefined || theirs === undefined) return;
  const of = (backendNodeId: number, executionContextId: number) =>
    client.send("DOM.resolveNode", { backendNodeId, executionContextId, objectGroup: GROUP })
      // It is gone.
      .then(({ object }) => [object.objectId!], () => []);
  try {
    const { result } = await client.send("Runtime.getProperties", { objectId: roots, ownProperties: true });
    const nodes = result.flatMap(({ value }) => value?.subtype === "node" ? [value.objectId!] : []);
    const found = await Promise.all(nodes.map(async (objectId) => {
      const { node } = await client.send("DOM.describeNode", { objectId });
      const [root] = await of(node.backendNodeId, theirs);
      if (root === undefined) return [];
      // The browser crashes on some pages when it is to go into the shadow roots by itself (`pierce`).
      return (await client.send("DOMDebugger.getEventListeners", { objectId: root, depth: -1 })).listeners;
    }));
    const fresh = unheard(frame, found.flat());
    if (fresh.length === 0) return;
    const heard = (await Promise.all(fresh.map((id) => of(id, own)))).flat();
    await client.send("Runtime.callFunctionOn", {
      functionDeclaration: "(...heard) => pageIndex.hear(...heard)",
      executionContextId: own,
      arguments: heard.map((objectId) => ({ objectId })),
    });
  } finally {
    await client.send("Runtime.releaseObject", { objectId: roots }).catch(() => {});
    await client.send("Runtime.releaseObjectGroup", { objectGroup: GROUP }).catch(() => {});
  }
}

/** A world has a number in the browser. */
type Numbered = { context?: { id: number } };

/** The list of a page's open shadow roots, and its topmost element first. */
async function rootsOf(world: World): Promise<string | undefined> {
  const roots = await world.evaluateHandle(() => (globalThis as unknown as Called).pageIndex?.roots?.());
  return roots.remoteObject().objectId;
}

/** Those that are clicked, and were not told before. */
function unheard(frame: Frame, listeners: readonly { type: string; backendNodeId?: number }[]): number[] {
  const known = told.get(frame) ?? new Set();
  told.set(frame, known);
  const kinds = new Map<number, Set<string>>();
  for (const { type, backendNodeId } of listeners) {
    if (backendNodeId === undefined || known.has(backendNodeId)) continue;
    const own = kinds.get(backendNodeId) ?? new Set();
    kinds.set(backendNodeId, own.add(type));
  }
  const fresh = [...kinds].filter(([, own]) => own.size < MOST_KINDS && CLICKS.some((kind) => own.has(kind)))
    .slice(0, MOST_HEARD).map(([id]) => id);
  for (const id of fresh) known.add(id);
  return fresh;
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
  await world.evaluate(
    `if (typeof pageIndex === "undefined") {\n${PAGE_LOOKS}\n${PAGE_INDEX}\n${PAGE_USE}\n}`,
  );
  return await call();
}
