import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";
import { listPaths } from "../engine/walk/list_paths.ts";
import { compareCodePoints, shownPath } from "../engine/walk/walk.ts";
import { showParPath } from "./shared/path.ts";
import {
  compileFilePattern,
  locateExisting,
  notADirectory,
  requireText,
  SKIPPED_FOLDERS,
  warnAboutIgnored,
} from "./shared/search.ts";
import { countOf } from "../engine/summary.ts";

const MAX_PATHS = 50_000;

const input = z.object({
  pattern: z.string().describe(
    'Glob: without "/" compared with the file name at any depth, else with the path relative to path.',
  ),
  path: z.string().default(".").describe("Directory to search, relative to the workspace; no colon."),
  respect_gitignore: z.boolean().default(true).describe(
    "Leave out what git ignores, such as what .gitignore files name.",
  ),
});

export default defineTool({
  name: "find",
  description:
    "Find files by glob. * and ? stay within one path component, ** crosses directories, [abc] and {a,b} are " +
    "alternatives, case counts. Returns paths relative to the workspace, sorted. Skips .git, node_modules, _build and _opam, and " +
    "what git ignores. " +
    'Example: {"pattern": "**/*.ml", "path": "."}.',
  input,
  output: z.array(z.string()),
  needs: { read: "granted" },
  readOnly: true,
  parallel: false,
  examples: [
    { line: "'*.ts'", meaning: "Find the TypeScript files of the workspace" },
  ],
  shows: { kind: "lines", at: null },
  limits: { timeoutMs: 30_000 },
  paths: ["path"],
  targets: ({ path }) => [{ kind: "read", value: path }],
  async run({ pattern, path, respect_gitignore }, context) {
    requireText("pattern", pattern);
    const glob = compileFilePattern(pattern);
    const root = await locateExisting(context, path);
    if (!root.info.isDirectory) throw notADirectory(path);
    const listing = await listPaths(root, {
      glob,
      limit: MAX_PATHS,
      include: "files",
      respectGitignore: respect_gitignore,
      skipFolders: SKIPPED_FOLDERS,
    }, context);
    warnAboutIgnored(listing.ignored, context);
    if (listing.truncated) context.warn(`Only ${MAX_PATHS} paths are listed; use a narrower pattern or path`);
    const shown = listing.paths.map((found) => showParPath(context, shownPath(root.path, found)));
    return shown.sort(compareCodePoints);
  },
  summary: (paths) => countOf(paths.length, "path", "paths"),
});
