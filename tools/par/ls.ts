import { join } from "@std/path";

import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { isUnnamed, warnAboutUnnamed } from "../engine/file/unnamed.ts";
import { expectReal } from "../engine/file/expect_real.ts";
import { compareCodePoints } from "../engine/walk/walk.ts";
import { locateExisting, notADirectory } from "./shared/search.ts";
import { countOf } from "../engine/summary.ts";

const MAX_ENTRIES = 10_000;

const input = z.object({
  path: z.string().describe('Directory relative to the workspace, such as "." or "src"; no colon.'),
});

const entry = z.object({
  name: z.string(),
  type: z.enum(["dir", "file", "link", "other", "unknown"]),
  size: z.int().nullable(),
  modified: z.int().nullable(),
});

type Entry = z.output<typeof entry>;

export default defineTool({
  name: "ls",
  description:
    "List a directory: name, type (dir, file, link, other, unknown), size in bytes (null for directories) and time of " +
    "the last change in Unix seconds, sorted by name. Links are not followed. " +
    'Example: {"path": "src"}.',
  input,
  output: z.object({ path: z.string(), entries: z.array(entry) }),
  needs: { read: "granted" },
  trial: { path: "." },
  readOnly: true,
  parallel: false,
  examples: [
    { line: "src", meaning: "List a folder" },
  ],
  limits: { timeoutMs: 10_000 },
  paths: ["path"],
  targets: ({ path }) => [{ kind: "read", value: path }],
  async run({ path }, context) {
    const folder = await locateExisting(context, path);
    if (!folder.info.isDirectory) throw notADirectory(path);
    const names = await listNames(folder.real, path, context);
    if (names.length > MAX_ENTRIES) {
      context.warn(
        `Only the first ${MAX_ENTRIES} of ${names.length} entries are listed; use find with a pattern`,
      );
    }
    return { path, entries: await describeEntries(folder.real, names.slice(0, MAX_ENTRIES), context) };
  },
  summary: ({ entries }) => countOf(entries.length, "entry", "entries"),
});

async function listNames(real: string, path: string, context: ToolContext): Promise<string[]> {
  const names: string[] = [];
  let unnamed = 0;
  try {
    for await (const { name } of Deno.readDir(real)) {
      if (isUnnamed(name, join(real, name))) unnamed++;
      else names.push(name);
    }
    expectReal(real);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError("unavailable", `Cannot list "${path}": ${reason}`, { cause, details: { path } });
  }
  warnAboutUnnamed(unnamed, context);
  return names.sort(compareCodePoints);
}

async function describeEntries(
  real: string,
  names: readonly string[],
  context: ToolContext,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const name of names) {
    context.signal.throwIfAborted();
    entries.push(await describeEntry(real, name));
  }
  return entries;
}

/** An entry that has vanished, or that the system does not show, is `unknown`. */
async function describeEntry(real: string, name: string): Promise<Entry> {
  let info: Deno.FileInfo;
  try {
    info = await Deno.lstat(join(real, name));
  } catch {
    return { name, type: "unknown", size: null, modified: null };
  }
  const type = info.isSymlink ? "link" : info.isDirectory ? "dir" : info.isFile ? "file" : "other";
  const modified = info.mtime ? Math.floor(info.mtime.getTime() / 1000) : null;
  return { name, type, size: info.isDirectory ? null : info.size, modified };
}
