import { dirname, join } from "@std/path";

import { jsonLine } from "../../text/json_line.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { systemError } from "../../walls/files/system_error.ts";
import { LineFile } from "../sessions/line_file.ts";
import { differences, lookBelow } from "./compare_folders.ts";
import { copyEntry } from "../trees/copy_entry.ts";
import { type EntryFacts, factsOf, isSameEntry } from "../trees/entry_facts.ts";
import { walkTree } from "../trees/walk_tree.ts";
import { keepContent } from "./keep_content.ts";
import {
  ALIVE_FILE,
  BASE_FILE,
  keepAlive,
  KEPT_FOLDER,
  LINES_FILE,
  noteBytes,
  OPEN,
  type Shut,
  type UndoHead,
  type UndoLine,
  wereShut,
} from "./undo_lines.ts";

/** How much is kept of the folders that programs may write. */
const UNDO_BOUNDS = { entries: 20_000, bytes: 512 * 1024 * 1024 };

/**
 * Keeps what was there before a run changed it. A change may begin as soon as the promise about it is fulfilled: what is
 * needed to take it back is on the disk then, whatever ends this process. Nothing is made on the disk before the first change.
 */
export class UndoRecord {
  /** The record's own folder. */
  readonly folder: string;
  readonly #head: UndoHead;
  readonly #bounds: typeof UNDO_BOUNDS;
  readonly #hidden: string;
  #lines: { file: Deno.FsFile; lines: LineFile } | undefined;
  /** What is known of paths: the state that the run found or left last. */
  readonly #last = new Map<string, EntryFacts | null>();
  readonly #changed = new Set<string>();
  #touched = new Set<string>();
  #base: "none" | "kept" | "too large" = "none";
  #roots: string[] = [];
  #running = 0;
  /** What the programs cannot change that are at work. */
  #shuts: readonly Shut[] = [];
  #alive: Disposable | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  /**
   * @param folder Made at the first change
   * @param options `state` is bulkhead's own folder, of which nothing is kept
   */
  constructor(
    folder: string,
    options: { head: UndoHead; state: string; bounds?: Partial<typeof UNDO_BOUNDS> | undefined },
  ) {
    this.folder = folder;
    this.#head = options.head;
    this.#bounds = { ...UNDO_BOUNDS, ...options.bounds };
    this.#hidden = options.state;
  }

  /** Whether anything was kept. */
  get isUsed(): boolean {
    return this.#lines !== undefined;
  }

  /**
   * Keeps entries that are about to be changed, made or removed, with the folders above them that are not there yet.
   *
   * @param paths Absolute, real paths
   * @throws {ToolError} If one cannot be kept: then none of them must be changed
   */
  keep(paths: readonly string[]): Promise<void> {
    return this.#inTurn(async () => {
      const kept = new Map<string, EntryFacts | null>();
      const touched = new Set<string>();
      for (const path of paths) if (!isInside(this.#hidden, path)) this.#plan(path, { kept, touched });
      await keepContent(kept, this.folder);
      for (const [path, before] of kept) this.#noteBefore(path, before);
      for (const path of touched) {
        this.#write({ t: "touch", path, at: Date.now() });
        this.#touched.add(path);
      }
      this.#lines?.file.syncDataSync();
    });
  }

  /** Notes what the run left of all that was kept since the last time. */
  settle(): Promise<void> {
    if (this.#touched.size === 0) return Promise.resolve();
    return this.#inTurn(() => {
      const paths = this.#touched;
      this.#touched = new Set();
      for (const path of paths) this.#noteAfter(path, factsOf(path));
    });
  }

  /**
   * Keeps what a program may change, before it starts.
   *
   * @param roots Folders that it may write
   * @param shut What it cannot change there
   * @returns A sentence for the user if what programs change cannot be kept
   */
  beginProgram(roots: readonly string[], shut: Shut = OPEN): Promise<string | null> {
    return this.#inTurn(async () => {
      const own = roots.filter((root) => !isInside(this.#hidden, root));
      if (own.length === 0 || this.#base === "too large") return null;
      if (this.#base === "none") {
        const why = await this.#keepBase(own);
        if (why !== null) return why;
      } else if (this.#running > 0) await this.#noteChanges();
      else await this.#noteForeign();
      this.#shuts = [...this.#running === 0 ? [] : this.#shuts, shut];
      this.#running++;
      this.#write({ t: "begin", shut });
      this.#watch();
      return null;
    });
  }

  /** Notes what programs changed. @param options `isEnd`: one of them has ended */
  endProgram({ isEnd }: { isEnd: boolean }): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#base !== "kept" || this.#running === 0) return;
      await this.#noteChanges();
      if (!isEnd) return;
      this.#running--;
      this.#write({ t: "end" });
      if (this.#running === 0) this.#stop();
    });
  }

  /** Ends the record. Nothing may be changed after it. */
  close(): Promise<void> {
    return this.#inTurn(async () => {
      this.#stop();
      if (this.#lines === undefined) return;
      for (const path of this.#touched) this.#noteAfter(path, factsOf(path));
      if (this.#base === "kept" && this.#running > 0) await this.#noteChanges();
      this.#write({ t: "close" });
      this.#lines.lines[Symbol.dispose]();
      this.#lines = undefined;
    });
  }

  /** Lets go of the record in the middle of a change, as a kill would. */
  abandon(): Promise<void> {
    return this.#inTurn(() => {
      this.#stop();
      this.#lines?.lines[Symbol.dispose]();
      this.#lines = undefined;
    });
  }

  #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  /** What has to be kept for the change of a path: the entry, the folder that it is in, and the folders that are missing. */
  #plan(
    path: string,
    { kept, touched }: { kept: Map<string, EntryFacts | null>; touched: Set<string> },
  ): void {
    const missing: string[] = [];
    let above = dirname(path);
    for (; factsOf(above) === null && above !== "/"; above = dirname(above)) missing.unshift(above);
    for (const one of [...above === "/" ? [] : [above], ...missing, path]) {
      if (!this.#last.has(one)) kept.set(one, factsOf(one));
      if (one !== above) touched.add(one);
    }
  }

  #noteBefore(path: string, before: EntryFacts | null): void {
    this.#write({ t: "keep", path, before });
    this.#last.set(path, before);
  }

  #noteAfter(path: string, after: EntryFacts | null): void {
    if (!isSameEntry(this.#last.get(path) ?? null, after)) this.#changed.add(path);
    this.#last.set(path, after);
    this.#write({ t: "after", path, after });
  }

  /** What is in the folders, before any program of the run. */
  async #keepBase(roots: string[]): Promise<string | null> {
    const all: [string, EntryFacts][] = [];
    let left = { ...this.#bounds };
    for (const root of roots) {
      const tree = isInside(root, this.#hidden) ? null : await walkTree(root, { most: left });
      if (tree === null) return this.#tooLarge(root);
      let bytes = 0;
      for (const [path, facts] of tree.entries) {
        all.push([join(root, path), facts]);
        bytes += facts.size;
      }
      left = { entries: left.entries - tree.entries.size, bytes: left.bytes - bytes };
    }
    this.#open();
    // If the disk is full, nothing of it is kept, and it is not tried again.
    this.#base = "too large";
    const size = { entries: all.length, bytes: this.#bounds.bytes - left.bytes };
    for (const root of roots) {
      const to = join(this.folder, KEPT_FOLDER, root);
      Deno.mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
      await copyEntry(root, to, { size, keepsOwner: true, lenient: true, fillsUp: true });
    }
    // Lines of the record itself win: what the run has changed before is not the base.
    const lines = all.filter(([path]) => !this.#changed.has(path)).map(jsonLine).join("");
    Deno.writeTextFileSync(join(this.folder, BASE_FILE), lines, { mode: 0o600 });
    for (const [path, facts] of all) this.#last.set(path, facts);
    noteBytes(this.folder, this.#bounds.bytes - left.bytes);
    this.#roots = roots;
    this.#base = "kept";
    this.#write({ t: "base", roots });
    this.#lines?.file.syncDataSync();
    return null;
  }

  #tooLarge(root: string): string {
    this.#base = "too large";
    const { entries, bytes } = this.#bounds;
    const why = isInside(root, this.#hidden)
      ? "bulkhead's own files lie in it"
      : `it has more than ${entries} files or ${Math.round(bytes / 1024 / 1024)} MB`;
    return `What programs change in "${root}" cannot be undone: ${why}; run with --overlay, or choose a smaller ` +
      "--workspace. What tools for files change can be undone";
  }

  /** All differences are the run's, apart from what was there and its programs cannot change. */
  async #noteChanges(): Promise<void> {
    const now = await lookBelow(this.#roots);
    for (const path of differences(this.#last, now, this.#roots)) {
      const facts = now.get(path) ?? null;
      const isOthers = (this.#last.get(path) ?? null) !== null && wereShut(path, this.#shuts);
      if (isOthers && !this.#changed.has(path)) await this.#noteOther(path, facts);
      else this.#noteAfter(path, facts);
    }
  }

  /** All differences are of somebody else: what the run has not changed yet is kept as it is now. */
  async #noteForeign(): Promise<void> {
    const now = await lookBelow(this.#roots);
    for (const path of differences(this.#last, now, this.#roots)) {
      await this.#noteOther(path, now.get(path) ?? null);
    }
  }

  async #noteOther(path: string, facts: EntryFacts | null): Promise<void> {
    if (this.#changed.has(path)) this.#write({ t: "foreign", path });
    else {
      await keepContent([[path, facts]], this.folder).catch(() => {});
      this.#write({ t: "keep", path, before: facts });
    }
    this.#last.set(path, facts);
  }

  #open(): { file: Deno.FsFile; lines: LineFile } {
    if (this.#lines) return this.#lines;
    const path = join(this.folder, LINES_FILE);
    try {
      Deno.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      const file = Deno.openSync(path, { read: true, append: true, create: true, mode: 0o600 });
      // Whoever takes back a run waits for its end.
      file.lockSync(true);
      this.#lines = { file, lines: new LineFile(path, file) };
    } catch (error) {
      throw systemError(error, "make", path);
    }
    this.#lines.lines.write({ t: "open", v: 1, ...this.#head } satisfies UndoLine);
    if (this.#head.by === "apply") this.#watch();
    return this.#lines;
  }

  #write(line: UndoLine): void {
    this.#open().lines.write(line);
  }

  /** A program that changes files after the death of this process is not the run's. */
  #watch(): void {
    this.#alive ??= keepAlive(this.folder, ALIVE_FILE);
  }

  #stop(): void {
    this.#alive?.[Symbol.dispose]();
    this.#alive = undefined;
  }
}
