import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { countCharacters } from "../engine/file/characters.ts";
import { collateMatches, type FileMatch, type SearchOutcome } from "../engine/grep/collate_matches.ts";
import { linesAround, readLinesAround } from "../engine/grep/context_lines.ts";
import { warnAboutEncodings } from "../engine/grep/warn_about_encodings.ts";
import { readOwn } from "../engine/file/own_source.ts";
import { compilePattern, type SearchPattern } from "../engine/pattern/pattern.ts";
import { searchFiles } from "../engine/grep/search_files.ts";
import { searchOneFile } from "../engine/grep/search_one_file.ts";
import { startWalk } from "../engine/walk/start_walk.ts";
import { compareCodePoints, shownPath } from "../engine/walk/walk.ts";
import { showParPath } from "./shared/path.ts";
import {
  compileFilePattern,
  type Existing,
  locateExisting,
  notADirectory,
  requireText,
  SKIPPED_FOLDERS,
  warnAboutIgnored,
} from "./shared/search.ts";
import { countOf } from "../engine/summary.ts";

const MAX_LINES = 10_000;
const MAX_CHARS = 1_000_000;

const input = z.object({
  pattern: z.string().describe("Regular expression, searched anywhere in each line; case counts."),
  path: z.string().default(".").describe("File or directory to search, relative to the workspace; no colon."),
  glob: z.string().default("*").describe(
    'Which files to search: without "/" compared with the file name, else with the path relative to path.',
  ),
  context_lines: z.int().min(0).max(100).default(0).describe("Lines to show before and after each match."),
  respect_gitignore: z.boolean().default(true).describe(
    "Leave out what git ignores, such as what .gitignore files name.",
  ),
});

type Input = z.output<typeof input>;

export default defineTool({
  name: "grep",
  description:
    "Search file contents with a Python regular expression, line by line; (?i) at the start ignores case. Returns " +
    '"path:line:text" for each match and "path-line-text" for each line of context, sorted by path and line. A directory ' +
    "is searched recursively, without .git, node_modules, _build, _opam, binary files, and what git ignores. " +
    'Example: {"pattern": "TODO", "path": "lib", "glob": "*.ml", "context_lines": 2}.',
  input,
  output: z.array(z.string()),
  needs: { read: "granted" },
  readOnly: true,
  parallel: false,
  killable: true,
  threads: 1,
  examples: [
    { line: "pattern=TODO path=src context_lines=1", meaning: "Search a folder, and show the lines around" },
  ],
  shows: { kind: "matches", at: null },
  limits: { timeoutMs: 30_000 },
  paths: ["path"],
  targets: ({ path }) => [{ kind: "read", value: path }],
  async run(input, context) {
    requireText("pattern", input.pattern);
    requireText("glob", input.glob);
    const pattern = await compilePattern(input.pattern);
    const root = await locateExisting(context, input.path);
    const found = await search(pattern, { input, root }, context);
    warnAboutIgnored(found.ignored, context);
    if (found.matches.length === 0) warnAboutOcaml(input.pattern, context);
    if (found.truncated) {
      context.warn(
        `Only the first ${found.matches.length} matches are listed; use a narrower pattern, path or glob`,
      );
    }
    const named = { ...found, nameOf: (below: string) => nameOf(below, root, context) };
    warnAboutEncodings(found, named.nameOf, context);
    return await formatMatches(named, input.context_lines, context);
  },
  summary: (lines) => countOf(lines.length, "line", "lines"),
});

/** In OCaml, a backslash makes these signs special; here it makes them plain. */
function warnAboutOcaml(pattern: string, context: ToolContext): void {
  if (!/(?<!\\)(?:\\\\)*\\[(|]/.test(pattern)) return;
  const other = pattern.replaceAll(/\\([^])/g, (escape, sign) => "(|)".includes(sign) ? sign : escape);
  context.warn(
    `\\( \\| \\) are plain signs in this pattern and nothing was found; for a group and alternatives write ${other}`,
  );
}

interface Request {
  input: Input;
  root: Existing;
}

async function search(
  pattern: SearchPattern,
  { input, root }: Request,
  context: ToolContext,
): Promise<SearchOutcome> {
  const limits = { lines: Math.ceil(MAX_LINES / (1 + 2 * input.context_lines)), chars: MAX_CHARS };
  const measure = ({ text }: FileMatch) => countCharacters(text);
  if (root.info.isFile) {
    const found = searchOneFile(root.real, { pattern, limits, measure });
    if (found.kind === "unreadable") throw new ToolError("unavailable", `Cannot read "${input.path}"`);
    if (found.kind !== "text") {
      context.warn(`"${input.path}" is not text (${found.kind}) and was not searched`);
    }
    return found;
  }
  if (!root.info.isDirectory) throw notADirectory(input.path);
  const request = {
    glob: compileFilePattern(input.glob),
    respectGitignore: input.respect_gitignore,
    skipFolders: SKIPPED_FOLDERS,
  };
  const walking = await startWalk(root, request, context);
  const run = await searchFiles(walking, { pattern, limits }, context);
  return collateMatches(run, walking.counts, { limits, measure });
}

function nameOf(below: string, root: Existing, context: ToolContext): string {
  return showParPath(context, shownPath(root.path, below));
}

interface NamedMatches extends Pick<SearchOutcome, "encodings"> {
  matches: readonly FileMatch[];
  nameOf(below: string): string;
}

/** One entry a line, as grep prints them: a colon marks a match, a hyphen a line of context. */
async function formatMatches(
  { matches, encodings, nameOf }: NamedMatches,
  reach: number,
  context: ToolContext,
): Promise<string[]> {
  const byFile = Map.groupBy(matches, ({ below }) => below);
  const files = [...byFile].map(([below, matches]) => ({
    real: matches[0]!.path,
    matches,
    name: nameOf(below),
    isOther: typeof encodings.get(below) === "string",
  }));
  files.sort((a, b) => compareCodePoints(a.name, b.name));
  const lines: string[] = [];
  for (const { real, matches, name, isOther } of files) {
    if (reach > 0) lines.push(...await withContext(real, { matches, name, reach, isOther }, context));
    else lines.push(...matches.map(({ line, text }) => `${name}:${line}:${text}`));
  }
  return lines;
}

async function withContext(
  real: string,
  file: { matches: readonly FileMatch[]; name: string; reach: number; isOther: boolean },
  context: ToolContext,
): Promise<string[]> {
  const { matches, name, reach, isOther } = file;
  using open = await context.files.open(real);
  const source = isOther ? readOwn(open.file, open.info.size)?.source ?? open.file : open.file;
  const centres = matches.map(({ line }) => line);
  const around = await readLinesAround(source, centres, { reach, signal: context.signal });
  const shown = new Map(matches.map(({ line, text }) => [line, `${name}:${line}:${text}`]));
  for (const line of centres.flatMap((centre) => linesAround(centre, reach))) {
    const text = around.get(line);
    if (text !== undefined && !shown.has(line)) shown.set(line, `${name}-${line}-${text}`);
  }
  return [...shown].sort(([a], [b]) => a - b).map(([, entry]) => entry);
}
