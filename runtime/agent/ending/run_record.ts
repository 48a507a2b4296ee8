import { relative } from "@std/path";

import type { ChangedFile, RefusedCall, RunEnding } from "../../../schemas/agent/ending.ts";
import type { ErrorInfo } from "../../../schemas/error.ts";
import type { Grants } from "../../../schemas/grants.ts";
import type { FileChange } from "../../../schemas/context.ts";
import { readText } from "../../walls/files/read_text.ts";
import { covers } from "../../walls/grants/path_access.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { countLines } from "./count_lines.ts";
import { type FilesSeen, lookAtFiles } from "./look_at_files.ts";

/** Most files of a run that are told. */
const MAX_FILES = 1_000;
/** Most characters of earlier texts that are kept. */
const MAX_KEPT = 32 * 1024 * 1024;

/** Takes note of what the calls of a run change and of what is refused, for the run's end. */
export class RunRecord {
  readonly #grants: Grants;
  /** Each file as it was before the first change. */
  readonly #before = new Map<string, FileChange["before"]>();
  readonly #refused = new Map<string, RefusedCall>();
  #kept = 0;
  /** The files before the first program; `null` if none ran or there are too many. */
  #seen: FilesSeen | null | undefined;

  constructor(grants: Grants) {
    this.#grants = grants;
  }

  /** Takes the word of a room for a file that it is about to change. */
  addChange({ path, before }: FileChange): void {
    if (this.#before.has(path) || !covers(this.#grants.allow.write, path)) return;
    const length = typeof before === "string" ? before.length : 0;
    this.#kept += length;
    this.#before.set(path, this.#kept > MAX_KEPT && length > 0 ? false : before);
  }

  /** Looks at the files that programs may write, before the first one starts. */
  beforeProgram(): void {
    if (this.#seen === undefined) this.#seen = lookAtFiles(this.#folders());
  }

  addRefusal(tool: string, error: ErrorInfo | null): void {
    if (error?.code !== "permission_denied" && error?.code !== "denied_by_policy") return;
    const { flags } = error.details;
    const words = Array.isArray(flags) ? flags.filter((flag) => typeof flag === "string") : [];
    const { message } = error;
    this.#refused.set(`${tool} ${message}`, { tool, flags: words, message });
  }

  /** Compares the files with what they were. Needs `read`. */
  end(resume: string | null): RunEnding {
    const own = [...this.#before].flatMap(([path, before]) => this.#changeOf(path, before) ?? []);
    const changed = [...own, ...this.#changedByPrograms()].sort((a, b) => a.path < b.path ? -1 : 1);
    return { changed: changed.slice(0, MAX_FILES), refused: [...this.#refused.values()], resume };
  }

  /** What is granted as a whole disk is too much to look at. */
  #folders(): string[] {
    const { workspace, allow: { write }, deny, policy } = this.#grants;
    // Under the read-only policies no program writes.
    if (deny.write === true || policy !== "coder") return [];
    if (write === true) return [workspace];
    return write.filter((folder) =>
      folder !== "/" && !write.some((other) => other !== folder && isInside(other, folder))
    );
  }

  #changeOf(path: string, before: FileChange["before"]): ChangedFile | null {
    const after = readText(path);
    if (before === null && after === null) return null;
    const isCounted = before !== false && after !== false;
    if (isCounted && before === after) return null;
    const status = before === null ? "added" : after === null ? "deleted" : "modified";
    const lines = isCounted ? countLines(before ?? "", after ?? "") : { added: null, removed: null };
    return { path: this.#shown(path), status, ...lines };
  }

  #changedByPrograms(): ChangedFile[] {
    const before = this.#seen;
    const now = before ? lookAtFiles(this.#folders()) : null;
    if (!before || !now) return [];
    const paths = [...new Set([...before.keys(), ...now.keys()])];
    const others = paths.filter((path) => before.get(path) !== now.get(path) && !this.#before.has(path));
    return others.flatMap((path): ChangedFile[] => {
      if (!before.has(path)) return [this.#changeOf(path, null) ?? []].flat();
      const status = now.has(path) ? "modified" : "deleted";
      return [{ path: this.#shown(path), status, added: null, removed: null }];
    });
  }

  #shown(path: string): string {
    const { workspace } = this.#grants;
    return isInside(workspace, path) ? relative(workspace, path) : path;
  }
}
