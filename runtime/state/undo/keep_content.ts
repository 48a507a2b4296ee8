import { dirname, join } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { systemError } from "../../walls/files/system_error.ts";
import { copyEntries } from "../trees/copy_entry.ts";
import { type EntryFacts, factsOf } from "../trees/entry_facts.ts";
import { sameContent } from "../trees/same_content.ts";
import { KEPT_FOLDER } from "./undo_lines.ts";

/** Longest content of one file that is kept, in bytes. */
const MAX_FILE = 512 * 1024 * 1024;
/** How often a file is copied that is replaced meanwhile. */
const COPIES = 5;

/** An entry that is kept. */
interface Kept {
  path: string;
  facts: EntryFacts;
  /** Where its copy is. */
  to: string;
}

/**
 * Copies what is at paths into the folder of a record. By its name, `cp` may copy another file, from where a link leads in
 * that moment: so each copy is compared with what lies there for sure. Needs `read`, `write` and `run`.
 *
 * @param entries Absolute, real paths
 * @throws {ToolError} `conflict` for a file that is replaced again and again; what the system says
 */
export async function keepContent(
  entries: Iterable<readonly [path: string, facts: EntryFacts | null]>,
  folder: string,
): Promise<void> {
  let left = [...entries].flatMap(([path, facts]): Kept[] => {
    if (facts === null || facts.kind === "folder" || facts.kind === "other" || facts.size > MAX_FILE) {
      return [];
    }
    return [{ path, facts, to: join(folder, KEPT_FOLDER, path) }];
  });
  for (let attempt = 1; left.length > 0; attempt++) {
    for (const { path, to } of left) makeRoom(path, to);
    const bytes = left.reduce((sum, { facts }) => sum + facts.size, 0);
    const pairs = left.map(({ path, to }) => [path, to] as const);
    await copyEntries(pairs, { size: { entries: left.length, bytes }, keepsOwner: true });
    left = await othersThanNamed(left);
    if (left.length === 0 || attempt < COPIES) continue;
    for (const { to } of left) Deno.removeSync(to);
    throw new ToolError("conflict", `Cannot keep "${left[0]!.path}": it is being replaced, try again`);
  }
}

function makeRoom(path: string, to: string): void {
  try {
    Deno.mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    if (factsOf(to) !== null) Deno.removeSync(to);
  } catch (error) {
    throw systemError(error, "keep", path);
  }
}

async function othersThanNamed(kept: readonly Kept[]): Promise<Kept[]> {
  const others: Kept[] = [];
  for (const one of kept) {
    const copy = one.facts.kind === "file" ? realOrNull(one.to) : null;
    const isSame = one.facts.kind !== "file" || (copy !== null && await sameContent(one.path, copy));
    if (!isSame) others.push(one);
  }
  return others;
}
