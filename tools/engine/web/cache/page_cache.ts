import * as z from "zod";

import type { SessionState } from "../../../../schemas/context.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { countCharacters } from "../../file/characters.ts";
import { type LineRange, lineRange } from "../content/lines.ts";
import { type Page, page } from "./page.ts";

/** Pages that a session keeps at most: each has its place by its address, and a new one takes the place of another. */
const PLACES = 256;
/** Most UTF-16 units of a character. */
const UNITS = 2;
/** Least characters of a part: reading on takes only the parts that it shows. */
const PART_CHARS = 65_536;

/** What is kept of a page beside its parts. */
const head = page.omit({ text: true }).extend({
  /** Names this text: its parts have it, too. */
  stamp: z.string(),
  totalLines: z.int(),
  totalChars: z.int(),
  /** The first line of each part, from 1, and its characters. */
  parts: z.array(z.object({ line: z.int(), chars: z.int() })),
});
const part = z.object({ stamp: z.string(), text: z.string() });

/** A page of which only those parts are loaded that somebody reads. */
export interface KeptPage extends Omit<Page, "text"> {
  totalChars: number;
  /**
   * Returns the page with all of its text.
   *
   * @throws {ToolError} `conflict`, retryable, if another call has just replaced the page
   */
  whole(): Promise<Page>;
  /**
   * Returns lines of the page, as {@linkcode lineRange} does.
   *
   * @throws {ToolError} `conflict`, retryable, if another call has just replaced the page
   */
  lines(range: {
    startLine: number;
    startChar?: number;
    endLine: number;
    maxChars: number;
  }): Promise<LineRange>;
}

/** Which page is wanted. */
export interface WantedPage {
  /** @default "article" */
  want?: Page["want"];
  /** Longest age of a page that was read before, in milliseconds. */
  maxAgeMs: number;
}

/** Pages of a session by their address, so that reading on fetches nothing. */
export class PageCache {
  readonly #session: SessionState;

  constructor(session: SessionState) {
    this.#session = session;
  }

  /**
   * Returns a page that was read before, `null` if it is not there, or older than so many milliseconds.
   *
   * @param address Address of the page without its part after `#`
   */
  async find(address: string, { want = "article", maxAgeMs }: WantedPage): Promise<KeptPage | null> {
    const place = placeOf(address, want);
    const kept = head.safeParse(await this.#session.get(place));
    if (!kept.success || kept.data.asked !== address || kept.data.want !== want) return null;
    if (Date.now() - kept.data.fetchedAt > maxAgeMs) return null;
    const { parts, stamp, ...facts } = kept.data;
    return keptPage({ facts, parts, load: (at) => this.#part(place, { at, stamp }) });
  }

  /**
   * Returns a page that was read before, or fetches it. Several calls that want the same page at the same time fetch it
   * once.
   *
   * @param address Address of the page without its part after `#`
   * @param load Fetches the page; `isPicture` if its text is not all of it: such a page is not kept
   */
  async findOrFetch(
    address: string,
    wanted: WantedPage,
    load: () => Promise<{ page: Page; isPicture?: boolean }>,
  ): Promise<KeptPage> {
    const before = await this.find(address, wanted);
    if (before !== null) return before;
    return await this.#session.alone(`fetch:${wanted.want ?? "article"}:${address}`, async () => {
      const meanwhile = await this.find(address, wanted);
      if (meanwhile !== null) return meanwhile;
      const { page, isPicture = false } = await load();
      return isPicture ? inMemory(page, partsOf(page.text)) : await this.keep(page);
    });
  }

  /** Keeps a page. */
  async keep(page: Page): Promise<KeptPage> {
    const { text, ...facts } = page;
    const place = placeOf(page.asked, page.want);
    const stamp = crypto.randomUUID();
    const cut = partsOf(text);
    for (const [at, { text }] of cut.parts.entries()) {
      await this.#session.set(`${place}:${at}`, { stamp, text });
    }
    const parts = cut.parts.map(({ line, text }) => ({ line, chars: text.length }));
    const { totalLines } = cut;
    await this.#session.set(place, { ...facts, totalLines, totalChars: countCharacters(text), stamp, parts });
    return inMemory(page, cut);
  }

  async #part(place: string, { at, stamp }: { at: number; stamp: string }): Promise<string> {
    const kept = part.safeParse(await this.#session.get(`${place}:${at}`));
    if (kept.success && kept.data.stamp === stamp) return kept.data.text;
    throw new ToolError("conflict", "The page was fetched anew while it was read: read it again", {
      retryable: true,
    });
  }
}

/** A part of a text: whole lines. */
interface Part {
  /** Its first line, from 1. */
  line: number;
  text: string;
}

/** What a page and its parts are made of, wherever they lie. */
interface Parts {
  facts: Omit<Page, "text"> & { totalLines: number; totalChars: number };
  parts: readonly { line: number; chars: number }[];
  load(at: number): Promise<string>;
}

function keptPage({ facts: { totalLines, ...facts }, parts, load }: Parts): KeptPage {
  return {
    ...facts,
    async whole() {
      const texts: string[] = [];
      for (const at of parts.keys()) texts.push(await load(at));
      const { totalChars: _, ...rest } = facts;
      return { ...rest, text: texts.join("\n") };
    },
    async lines({ startLine, startChar = 0, endLine, maxChars }) {
      const first = Math.max(0, parts.findLastIndex(({ line }) => line <= startLine));
      const texts: string[] = [];
      let chars = 0;
      for (let at = first; at < parts.length && chars <= UNITS * (startChar + maxChars); at++) {
        if (at > first && parts[at]!.line > endLine) break;
        texts.push(await load(at));
        // What the first part has before the wanted line does not count.
        if (at > first) chars += parts[at]!.chars;
      }
      const window = { firstLine: parts[first]?.line ?? 1, totalLines };
      return lineRange(texts.join("\n"), { startLine, startChar, endLine, maxChars, ...window });
    },
  };
}

/** Cuts a text at ends of lines. */
function partsOf(text: string): { totalLines: number; parts: Part[] } {
  const lines = text.split("\n");
  const parts: Part[] = [];
  for (let from = 0; from < lines.length;) {
    let [end, chars] = [from, 0];
    while (end < lines.length && chars < PART_CHARS) chars += lines[end++]!.length + 1;
    parts.push({ line: from + 1, text: lines.slice(from, end).join("\n") });
    from = end;
  }
  return { totalLines: text === "" ? 0 : lines.length, parts };
}

function inMemory({ text, ...facts }: Page, { totalLines, parts }: ReturnType<typeof partsOf>): KeptPage {
  return keptPage({
    facts: { ...facts, totalLines, totalChars: countCharacters(text) },
    parts: parts.map(({ line, text }) => ({ line, chars: text.length })),
    load: (at) => Promise.resolve(parts[at]?.text ?? ""),
  });
}

function placeOf(address: string, want: Page["want"]): string {
  let hash = want === "page" ? 0x811c9dc5 : 0x1000193;
  for (let at = 0; at < address.length; at++) hash = Math.imul(hash ^ address.charCodeAt(at), 0x01000193);
  return `page:${(hash >>> 0) % PLACES}`;
}
