import type { Location, ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { Glob } from "./glob.ts";
import { createPacer } from "../pacer.ts";
import { startWalk } from "./start_walk.ts";
import type { WalkEntry } from "./walk.ts";

/** Options of {@linkcode listPaths}. */
export interface ListOptions {
  glob: Glob;
  /** Most paths. */
  limit: number;
  include: "files" | "files and folders";
  respectGitignore: boolean;
  /** Names of folders that are never entered, beside `.git`. @default none */
  skipFolders?: ReadonlySet<string>;
}

/** What {@linkcode listPaths} found. */
export interface Listing {
  /** Paths as seen from the root, in the order of their components; `.` is the root. */
  paths: string[];
  /** True if and only if there are more. */
  truncated: boolean;
  /** Entries that ignore files left out; a folder counts once. */
  ignored: number;
}

/**
 * Lists what lies below a folder and matches a glob: regular files, folders if asked for, and links under
 * their own name if their target may be read.
 *
 * @throws {ToolError} If the folder cannot be listed
 */
export async function listPaths(
  root: Location,
  options: ListOptions,
  context: ToolContext,
): Promise<Listing> {
  const { entries, counts } = await startWalk(root, options, context);
  const pacer = createPacer(context.signal);
  const paths: string[] = [];
  for (const entry of entries) {
    if (entry && await isListed(entry, options, context)) {
      if (paths.length === options.limit) return { paths, truncated: true, ignored: counts.ignored };
      paths.push(entry.below);
    }
    if (pacer.due()) await pacer.rest();
  }
  return { paths, truncated: false, ignored: counts.ignored };
}

function isListed(entry: WalkEntry, options: ListOptions, context: ToolContext): boolean | Promise<boolean> {
  if (entry.kind === "link") return isListedLink(entry, options, context);
  return entry.kind === "file" || options.include === "files and folders";
}

async function isListedLink(entry: WalkEntry, options: ListOptions, context: ToolContext): Promise<boolean> {
  try {
    const { info } = await context.files.locate(entry.path, "read");
    if (info?.isFile) return options.glob.accepts(entry.states, "file");
    return info?.isDirectory === true && options.include === "files and folders";
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}
