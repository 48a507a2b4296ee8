import * as z from "zod";

import type { SessionState } from "../../../../schemas/context.ts";
import type { KeptSource, KeptSources } from "../../../../schemas/step/sources.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { canonicalUrl } from "./canonical_url.ts";

/** Most sources of a session. */
const MAX_SOURCES = 5000;
/** Most characters that are kept of one page. */
const MAX_CONTENT = 2_000_000;
/** Where the session keeps the book. */
export const SOURCES = "sources";

const source = z.object({
  number: z.int(),
  title: z.string(),
  url: z.string(),
  snippet: z.string(),
  /** Characters of the content that is kept of it; 0 for none. */
  charCount: z.int(),
  found: z.string().exactOptional(),
  opened: z.string().exactOptional(),
});

const book: z.ZodType<KeptSources> = z.object({ sources: z.array(source) });

/** A page that was found or read, with the number under which it is cited. */
export type Source = Readonly<KeptSource>;

/** What is known of a page. */
export interface SourceFacts {
  url: string;
  title: string;
  snippet: string;
}

/**
 * The sources of a session. A page has one number, whatever its address is spelled like: it is given once and never
 * moves. What was read of a page stays. Calls of one session change the book one after the other, also those of other
 * processes.
 */
export class SourceBook {
  readonly #session: SessionState;
  readonly #sources: KeptSource[];
  readonly #byName: Map<string, KeptSource>;

  private constructor(session: SessionState, sources: KeptSource[]) {
    this.#session = session;
    this.#sources = sources;
    this.#byName = new Map(sources.map((source) => [canonicalUrl(source.url), source]));
  }

  /** Opens the book of a session, to look things up; a session begins with an empty one. */
  static async open(session: SessionState): Promise<SourceBook> {
    const kept = await session.get(SOURCES);
    return new SourceBook(session, kept === undefined || kept === null ? [] : book.parse(kept).sources);
  }

  /** Changes the book of a session while no other call does. */
  static async change<T>(session: SessionState, work: (book: SourceBook) => Promise<T> | T): Promise<T> {
    return await session.alone(SOURCES, async () => {
      const book = await SourceBook.open(session);
      const result = await work(book);
      await session.set(SOURCES, { sources: book.#sources });
      return result;
    });
  }

  /** All sources, by number. */
  get sources(): readonly Source[] {
    return this.#sources;
  }

  /** The source of an address, `null` if the page is not known. */
  find(url: string): Source | null {
    return this.#byName.get(canonicalUrl(url)) ?? null;
  }

  /**
   * Enters a page, or finds it again. What was empty of it is filled in; nothing is replaced.
   *
   * @throws {ToolError} `limit_exceeded` above 5,000 sources
   */
  add({ url, title, snippet }: SourceFacts): Source {
    const name = canonicalUrl(url);
    const known = this.#byName.get(name);
    if (known !== undefined) {
      if (known.title === "") known.title = title;
      if (known.snippet === "") known.snippet = snippet;
      return known;
    }
    if (this.#sources.length >= MAX_SOURCES) {
      throw new ToolError(
        "limit_exceeded",
        `A session keeps at most ${MAX_SOURCES} sources: begin another one`,
      );
    }
    const entered = { number: this.#sources.length + 1, title, url, snippet, charCount: 0, found: now() };
    this.#sources.push(entered);
    this.#byName.set(name, entered);
    return entered;
  }

  /** Keeps what was read of a page, up to 2,000,000 characters. What there is stays: its parts were told by their places. */
  async keepContent({ number }: Source, content: string): Promise<void> {
    const entry = this.#sources[number - 1];
    if (entry === undefined || entry.charCount > 0) return;
    const kept = content.slice(0, MAX_CONTENT);
    await this.#session.set(contentKey(number), kept);
    entry.charCount = kept.length;
    if (kept !== "") entry.opened = now();
  }

  /** Returns what was read of a page, `""` if nothing was. */
  async content({ number, charCount }: Source): Promise<string> {
    if (charCount === 0) return "";
    const kept = await this.#session.get(contentKey(number));
    return typeof kept === "string" ? kept : "";
  }
}

function now(): string {
  return new Date().toISOString();
}

function contentKey(number: number): string {
  return `${SOURCES}:${number}:content`;
}
