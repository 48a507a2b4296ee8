import type { ElementHandle, Frame, Page } from "puppeteer-core";

import type { PageLine, PageView } from "../../../../schemas/browser/page.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { within } from "./waiting.ts";
import { type FrameReading, hasWorld, isGoneError, ownerOf, readFrame } from "./page_world.ts";

/** Most lines of a page, and most characters of all of them together. */
const MOST_LINES = 1_500;
const MOST_CHARS = 60_000;
/** Frames that are read: deeper ones, and later ones, are left out. */
const MOST_DEPTH = 5;
const MOST_FRAMES = 40;
/** How long a frame may take; one that hangs is left out. */
const FRAME_MS = 5_000;
/** How long the page itself may take; one that hangs is found out before. */
const PAGE_MS = 10_000;
/** From then on frames in the page are left out, in milliseconds. */
const ALL_FRAMES_MS = 15_000;

/** What is read of a page. */
type Reading = Pick<PageView, "lines" | "more" | "scroll">;

/** What is left for the frames of a page: how many, and until when. */
interface FrameBudget {
  frames: number;
  ends: number;
}

/** The numbers of the parts of pages that can be used. No number is ever given twice. */
export class NumberedPage {
  #next = 0;
  /** The frame of each element that was shown. */
  readonly #frames = new Map<number, Frame>();

  /** Reads a page with all frames in it that can be seen. */
  async read(page: Page): Promise<Reading> {
    const budget = { frames: MOST_FRAMES, ends: performance.now() + ALL_FRAMES_MS };
    const { lines, scroll, unread } = await this.#readFrame(page.mainFrame(), { depth: 0, budget });
    const { more, ...shown } = bounded(lines);
    return { ...shown, more: more + unread, scroll };
  }

  /**
   * Returns the frame of an element.
   *
   * @throws {ToolError} `not_found` for a number that was never given, `conflict` if the element's frame is gone
   */
  frameOf(number: number, page: Page): Frame {
    const frame = this.#frames.get(number);
    if (frame === undefined) {
      const known = this.#next === 0 ? "no page was read yet" : `numbers go up to ${this.#next - 1}`;
      throw new ToolError("not_found", `There is no element ${number}: ${known}`);
    }
    if (frame.detached || frame.page() !== page) throw outdated(number);
    return frame;
  }

  async #readFrame(
    frame: Frame,
    at: { depth: number; budget: FrameBudget },
  ): Promise<Omit<FrameReading, "next" | "lines"> & { lines: PageLine[] }> {
    const inner = at.depth < MOST_DEPTH ? frame.childFrames() : [];
    const held: { child: Frame; element: ElementHandle }[] = [];
    for (const child of inner) {
      if (at.budget.frames <= 0 || performance.now() > at.budget.ends) break;
      const element = await ownerOf(child);
      if (element === null) continue;
      at.budget.frames -= 1;
      held.push({ child, element });
    }
    const frames = held.map(({ element }) => element);
    const read = await within(
      readFrame(frame, { first: this.#next, frames }),
      at.depth === 0 ? PAGE_MS : FRAME_MS,
    );
    await Promise.all(frames.map((element) => element.dispose().catch(() => {})));
    this.#next = Math.max(this.#next, read.next);
    const lines: PageLine[] = [];
    let { unread } = read;
    for (const line of read.lines) {
      if (!("frame" in line)) {
        if ("number" in line) this.#frames.set(line.number, frame);
        lines.push(line);
        continue;
      }
      const child = held[line.frame]?.child;
      if (child === undefined) continue;
      const inner = await this.#readInner(child, { ...at, depth: at.depth + 1 });
      lines.push(...inner.lines);
      unread += inner.unread;
    }
    return { lines, scroll: read.scroll, unread };
  }

  /** A frame that goes away meanwhile, or hangs, does not hide the rest of the page. */
  async #readInner(
    frame: Frame,
    at: { depth: number; budget: FrameBudget },
  ): Promise<{ lines: readonly PageLine[]; unread: number }> {
    const none = { lines: [], unread: 0 };
    try {
      return await hasWorld(frame) ? await this.#readFrame(frame, at) : none;
    } catch (error) {
      return isGoneError(error) ? none : { ...none, lines: [{ text: "(a frame that cannot be read)" }] };
    }
  }
}

/** The error of an element that is not there any more. */
export function outdated(number: number): ToolError {
  return new ToolError(
    "conflict",
    `Element ${number} is not on the page any more: use the numbers of the page as it is now`,
  );
}

function bounded(lines: readonly PageLine[]): Pick<Reading, "lines" | "more"> {
  let chars = 0;
  const fits = lines.findIndex((line, at) => {
    chars += JSON.stringify(line).length;
    return at >= MOST_LINES || chars > MOST_CHARS;
  });
  return fits < 0 ? { lines, more: 0 } : { lines: lines.slice(0, fits), more: lines.length - fits };
}
