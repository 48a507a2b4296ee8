import * as z from "zod";

import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { oneLine } from "../engine/file/one_line.ts";
import { compileGlob } from "../engine/walk/glob.ts";
import { countLeftBelow, warnAboutLeft } from "../engine/walk/left_below.ts";
import { listPaths } from "../engine/walk/list_paths.ts";
import { shownPath } from "../engine/walk/walk.ts";
import { harnessErrorText } from "./shared/error_text.ts";
import { GLOB_LEAD, locateSearchRoot, requirePattern, requirePositive } from "./shared/search_root.ts";
import { countOf } from "../engine/summary.ts";

const input = z.object({
  pattern: z.string().describe("Pathlib-style glob relative to path, such as **/*.py or src/**/*.{ts,tsx}."),
  path: z.string().default(".").describe("Folder to search; defaults to the workspace."),
  include_dirs: z.boolean().default(false).describe("List folders that match as well."),
  max_results: z.int().meta({ minimum: 1 }).default(200).describe("Most paths to return."),
  respect_gitignore: z.boolean().default(true).describe(
    "Leave out what git ignores, such as what .gitignore files name.",
  ),
});

const output = z.object({
  root: z.string(),
  pattern: z.string(),
  include_dirs: z.boolean(),
  match_count: z.int(),
  truncated: z.boolean(),
  ignored_paths: z.int(),
  left_below: z.int(),
  results: z.array(z.string()),
});

export default defineTool({
  name: "Glob",
  description:
    "Discover files or directories by pathname pattern; not for reading or searching their content. * and ? stay within " +
    "one path component and match dotfiles, ** as a whole component crosses directories, [abc] and {a,b} are " +
    "alternatives, case counts. Returns absolute paths in the order of their components. .git is left out, and what " +
    "git ignores is too, unless respect_gitignore is false; ignored_paths tells how many entries that were.",
  input,
  output,
  needs: { read: "granted" },
  readOnly: true,
  parallel: true,
  examples: [
    { line: "pattern='**/*.ts'", meaning: "Find the TypeScript files of the workspace" },
  ],
  shows: { kind: "lines", at: "results" },
  limits: { timeoutMs: 30_000 },
  paths: ["path"],
  targets: ({ path }) => [{ kind: "read", value: path }],
  async run({ pattern: given, path, include_dirs, max_results, respect_gitignore }, context) {
    const pattern = given.trim();
    requirePattern(pattern);
    requirePositive("max_results", max_results);
    const root = await locateSearchRoot(context, path);
    if (!root.info.isDirectory) {
      throw new ToolError("invalid_input", `Search root is not a directory: ${root.path}`);
    }
    const listing = await listPaths(root, {
      glob: compileGlob(pattern, { lead: GLOB_LEAD }),
      limit: max_results,
      include: include_dirs ? "files and folders" : "files",
      respectGitignore: respect_gitignore,
    }, context);
    // Who lists a folder asks for nothing below it.
    const left = /(?:^|\/)\*$/.test(pattern)
      ? null
      : await countLeftBelow(root, { glob: pattern, respectGitignore: respect_gitignore }, context);
    warnAboutLeft(left, pattern, context);
    return {
      root: root.path,
      pattern,
      include_dirs,
      match_count: listing.paths.length,
      truncated: listing.truncated,
      ignored_paths: listing.ignored,
      left_below: left?.count ?? 0,
      results: listing.paths.map((below) => shownPath(root.path, below)),
    };
  },
  summary: ({ match_count, truncated }) =>
    `${countOf(match_count, "path", "paths")}${truncated ? ", and more" : ""}`,
  text: (result) =>
    [
      `root: ${oneLine(result.root)}`,
      `pattern: ${result.pattern}`,
      `include_dirs: ${result.include_dirs}`,
      `match_count: ${result.match_count}`,
      `truncated: ${result.truncated}`,
      ...(result.ignored_paths > 0 ? [`ignored_paths: ${result.ignored_paths}`] : []),
      ...(result.left_below > 0 ? [`left_below: ${result.left_below}`] : []),
      "results:",
      result.results.map(oneLine).join("\n"),
    ].join("\n"),
  errorText: harnessErrorText("Glob", { purpose: "Search access", pathLead: true }),
});
