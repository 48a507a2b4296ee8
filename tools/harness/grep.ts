import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { oneLine } from "../engine/file/one_line.ts";
import { countCharacters } from "../engine/file/characters.ts";
import { collateMatches, type FileMatch, type SearchOutcome } from "../engine/grep/collate_matches.ts";
import { warnAboutEncodings } from "../engine/grep/warn_about_encodings.ts";
import { compileGlob } from "../engine/walk/glob.ts";
import { compilePattern, type SearchPattern } from "../engine/pattern/pattern.ts";
import { searchFiles } from "../engine/grep/search_files.ts";
import { searchOneFile } from "../engine/grep/search_one_file.ts";
import { countLeftBelow, warnAboutLeft } from "../engine/walk/left_below.ts";
import { startWalk } from "../engine/walk/start_walk.ts";
import { shownPath } from "../engine/walk/walk.ts";
import { harnessErrorText } from "./shared/error_text.ts";
import { warnAboutFile, warnAboutSearch } from "./shared/grep_warnings.ts";
import {
  GLOB_LEAD,
  locateSearchRoot,
  requirePattern,
  requirePositive,
  type SearchRoot,
} from "./shared/search_root.ts";
import { matchSummary } from "../engine/summary.ts";

const ALL_FILES = "**/*";

const input = z.object({
  pattern: z.string().describe("Regular expression, searched in each line. Blanks count."),
  path: z.string().default(".").describe("File or folder to search; defaults to the workspace."),
  glob: z.string().default(ALL_FILES).describe(
    "Which files of a folder to search: a pathlib-style glob relative to path, such as **/*.{ts,tsx}.",
  ),
  case_sensitive: z.boolean().default(false).describe("Whether upper and lower case differ."),
  max_results: z.int().meta({ minimum: 1 }).default(100).describe("Most matching lines to return."),
  max_chars: z.int().meta({ minimum: 1 }).default(16_384).describe("Most characters of results to return."),
  respect_gitignore: z.boolean().default(true).describe(
    "Leave out what git ignores, such as what .gitignore files name.",
  ),
});

type Input = z.output<typeof input>;

const output = z.object({
  root: z.string(),
  pattern: z.string(),
  glob: z.string(),
  case_sensitive: z.boolean(),
  files_scanned: z.int(),
  match_count: z.int(),
  truncated: z.boolean(),
  files_skipped: z.int(),
  ignored_paths: z.int(),
  left_below: z.int(),
  results: z.array(z.object({ path: z.string(), line: z.int(), text: z.string() })),
});

export default defineTool({
  name: "Grep",
  description:
    "Search local text files by content and return the matching lines as path:line: text, in the order of paths. The " +
    "pattern is a Python regular expression and is matched line by line, ignoring case unless case_sensitive is true. A folder is searched recursively. Binary files, images and " +
    "PDFs are skipped and counted in files_skipped; lines over 500 characters are clipped around the match. .git is " +
    "left out, and what git ignores is too, unless respect_gitignore is false.",
  input,
  output,
  needs: { read: "granted" },
  readOnly: true,
  parallel: true,
  killable: true,
  threads: 1,
  examples: [
    { line: "TODO glob='**/*.ts'", meaning: "Search the sources" },
    {
      line: "pattern='^import' path=src/cart.ts case_sensitive=true",
      meaning: "Search one file, and tell upper from lower case",
    },
  ],
  shows: { kind: "matches", at: "results", caseArgument: "case_sensitive", searched: "files_scanned" },
  limits: { timeoutMs: 30_000 },
  paths: ["path"],
  targets: ({ path }) => [{ kind: "read", value: path }],
  async run(input, context) {
    requirePattern(input.pattern);
    requirePositive("max_results", input.max_results);
    requirePositive("max_chars", input.max_chars);
    const letterCase = input.case_sensitive ? "sensitive" : "insensitive";
    const pattern = await compilePattern(input.pattern, { letterCase });
    const root = await locateSearchRoot(context, input.path);
    const glob = input.glob.trim() || ALL_FILES;
    const found = await search(pattern, { input, glob, root }, context);
    warnAboutEncodings(found, (below) => nameOf({ below }, root), context);
    warnAboutSearch(found, input.pattern, context);
    const respectGitignore = input.respect_gitignore;
    const left = root.info.isFile ? null : await countLeftBelow(root, { glob, respectGitignore }, context);
    warnAboutLeft(left, glob, context);
    return {
      root: root.path,
      pattern: input.pattern,
      glob,
      case_sensitive: input.case_sensitive,
      files_scanned: found.searched,
      match_count: found.matches.length,
      truncated: found.truncated,
      files_skipped: found.skipped,
      ignored_paths: found.ignored,
      left_below: left?.count ?? 0,
      results: found.matches.map((match) => ({
        path: nameOf(match, root),
        line: match.line,
        text: match.text,
      })),
    };
  },
  summary: ({ results, truncated }) => matchSummary(results.map(({ path }) => path), { truncated }),
  text: (result) =>
    [
      `root: ${oneLine(result.root)}`,
      `pattern: ${result.pattern}`,
      `glob: ${result.glob}`,
      `case_sensitive: ${result.case_sensitive}`,
      `files_scanned: ${result.files_scanned}`,
      `match_count: ${result.match_count}`,
      `truncated: ${result.truncated}`,
      ...(result.files_skipped > 0 ? [`files_skipped: ${result.files_skipped}`] : []),
      ...(result.ignored_paths > 0 ? [`ignored_paths: ${result.ignored_paths}`] : []),
      ...(result.left_below > 0 ? [`left_below: ${result.left_below}`] : []),
      "results:",
      result.results.map(formatMatch).join("\n"),
    ].join("\n"),
  errorText: harnessErrorText("Grep", { purpose: "Search access", pathLead: true }),
});

interface Request {
  input: Input;
  glob: string;
  root: SearchRoot;
}

async function search(
  pattern: SearchPattern,
  request: Request,
  context: ToolContext,
): Promise<SearchOutcome> {
  const { input, glob, root } = request;
  const limits = { lines: input.max_results, chars: input.max_chars };
  const measure = (match: FileMatch) => countCharacters(formatMatch({ ...match, path: nameOf(match, root) }));
  if (root.info.isFile) {
    const found = searchOneFile(root.real, { pattern, limits, measure });
    warnAboutFile(found.kind, root.path, context);
    return found;
  }
  if (!root.info.isDirectory) {
    throw new ToolError("invalid_input", `Search root is not a file or directory: ${root.path}`);
  }
  const compiled = compileGlob(glob, { lead: GLOB_LEAD });
  const walking = await startWalk(
    root,
    { glob: compiled, respectGitignore: input.respect_gitignore },
    context,
  );
  const run = await searchFiles(walking, { pattern, limits }, context);
  return collateMatches(run, walking.counts, { limits, measure });
}

function nameOf({ below }: Pick<FileMatch, "below">, root: SearchRoot): string {
  return shownPath(root.path, below);
}

function formatMatch({ path, line, text }: { path: string; line: number; text: string }): string {
  return `${oneLine(path)}:${line}: ${text}`;
}
