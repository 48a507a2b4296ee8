import { assertEquals } from "@std/assert";
import { dirname } from "@std/path";

import config from "../deno.json" with { type: "json" };
import { OPTIONS } from "../runtime/cli/args/options/option_table.ts";
import { EXIT_CODES } from "../schemas/error.ts";
import type { Manifest } from "../schemas/manifest.ts";
import manifest from "../tools/manifest.json" with { type: "json" };
import { codeLines, linesOf, textOf, typescriptIn } from "./support/source/source_tree.ts";

const MAX_FILE_LINES = 400;
const MAX_TEST_LINES = 400;
const MAX_FUNCTION_LINES = 60;
const MAX_FILES = 15;
const MAX_FIELDS = 10;
/** Longest script of another language within a string, in lines. */
const MAX_SCRIPT_LINES = 5;

/** Folders with one file a tool, and their tests. */
const TOOL_SETS = /^(?:tests\/unit\/)?tools\/(?:harness|par|manus|sgr)$/;

/** Exported interfaces outside of `schemas/` with more fields; this list can only shrink. */
const WIDE_INTERFACES: Readonly<Record<string, number>> = {
  AgentParts: 12,
  AgentSettings: 12,
  AgentStart: 14,
  AuditSummary: 12,
  BoxPlan: 12,
  CallMessage: 12,
  Io: 14,
  Launch: 11,
  PdfJsAnnotation: 13,
  ProgramHost: 11,
  QueueEngine: 20,
  RoomProfile: 11,
  RunnerOptions: 18,
  SourceHost: 11,
  TiffLayout: 20,
  WorkerCard: 18,
};

const TESTS = typescriptIn("tests");
const SOURCES = ["main.ts", ...["runtime", "schemas", "tools", "scripts"].flatMap(typescriptIn)];

/** Workers that own a pipe: to a client of the protocol, and from a room process to main. */
const PIPE_OWNERS = ["runtime/entries/mcp.ts", "runtime/entries/room.ts"];

Deno.test("only main.ts reads arguments, prints and exits", () => {
  const calls = /\bDeno\.(args|exit|stdin|stdout|stderr)\b|\bconsole\./;
  const found = ["runtime", "schemas", "tools"].flatMap(typescriptIn).filter((path) =>
    !PIPE_OWNERS.includes(path)
  )
    .flatMap((
      path,
    ) => codeLines(path).filter((line) => calls.test(line)).map((line) => `${path}: ${line.trim()}`));
  assertEquals(found, []);
});

Deno.test("workers are made in one place, and each entry says that it is loaded", () => {
  const makes = (path: string) => codeLines(path).some((line) => /\b(?:new|extends) Worker\b/.test(line));
  const makers = SOURCES.filter((path) => !path.startsWith("scripts/") && makes(path));
  // The second one is of the page, in a browser.
  assertEquals(makers, ["runtime/self/start_worker.ts", "runtime/server/page/show/apart/ask_reader.ts"]);
  const silent = typescriptIn("runtime/entries").filter((path) => linesOf(path).at(-1) !== "sayLoaded();");
  assertEquals(silent, []);
  // They read foreign bytes or run foreign code, and hold what permissions leave to everybody.
  const bare = typescriptIn("runtime/entries").filter((path) => linesOf(path).includes("leaveBareGround();"));
  const names = ["browser", "desktop", "foreign_text", "mcp_client", "room", "schema_check", "thread"];
  assertEquals(bare, names.map((name) => `runtime/entries/${name}.ts`));
});

/** Where a file of a name is opened in another way than {@linkcode openPlain} does it, and why that is safe. */
const OPENERS: Readonly<Record<string, string>> = {
  "runtime/walls/files/guard.ts": "in a room, where the walls hold",
  "runtime/walls/files/hold_file.ts": "in a room, where the walls hold",
  "runtime/walls/files/open_plain.ts": "the one way",
  "runtime/walls/files/output_file.ts": "written, where the user names it",
  "runtime/walls/files/replace_file.ts": "written, and looked at again",
  "runtime/walls/owned/owner_lock.ts": "a lock, beside what its owner keeps",
  ...Object.fromEntries(
    [
      "programs/journal/finish_records.ts",
      "programs/journal/journal.ts",
      "server/runs/known_runs.ts",
      "server/runs/run_log.ts",
      "state/artifact_folder.ts",
      "state/held_names.ts",
      "state/sessions/trace_file.ts",
      "state/undo/undo_record.ts",
    ].map((
      path,
    ) => [`runtime/${path}`, "to write or lock, in bulkhead's own folder, which is closed to programs"]),
  ),
  ...Object.fromEntries(
    [
      "commands/mcp/change_file.ts",
      "commands/queue/queue_link.ts",
      "commands/schema.ts",
      "commands/serve/listen_settings.ts",
      "demo/show_demo.ts",
      "io/open_input.ts",
      "io/read_input.ts",
    ].map((path) => [`runtime/cli/${path}`, "the user's own words name it, and it may be a pipe of theirs"]),
  ),
};

Deno.test("main reads files that programs can change in one way, which never waits", () => {
  const opens = /\bDeno\.(?:open|readFile|readTextFile)(?:Sync)?\b|from "node:fs(?:\/promises)?"/;
  const found = typescriptIn("runtime").filter((path) => codeLines(path).some((line) => opens.test(line)));
  // It asks how much room a disk has.
  assertEquals(
    found.filter((path) => path !== "runtime/walls/box/free_space.ts"),
    Object.keys(OPENERS).toSorted(),
  );
  const closed = Object.entries(OPENERS).filter(([, why]) => why.includes("own folder")).map(([path]) =>
    path
  );
  const reads = (path: string) =>
    codeLines(path).filter((line) => opens.test(line) && !/(?:write|append): true|options\)/.test(line));
  assertEquals(closed.flatMap(reads), []);
});

Deno.test("tools touch the system through their context alone", () => {
  const looks = "readDir|lstat|stat|realPath|open|errors|SeekMode|FileInfo|FsFile|DirEntry";
  const effects = new RegExp(`\\bDeno\\.(?!(${looks})(Sync)?\\b)\\w+|\\bfetch\\(|\\bprocess\\.`);
  const found = typescriptIn("tools").flatMap((path) =>
    codeLines(path).filter((line) => effects.test(line)).map((line) => `${path}: ${line.trim()}`)
  );
  assertEquals(found, []);
});

Deno.test("the machine and the contracts name no tool and no toolset", () => {
  const { tools } = manifest as Manifest;
  const sets = [...new Set(tools.map(({ toolset }) => toolset))];
  const names = new RegExp(
    `["'\`/](?:${sets.join("|")})["'\`/]|"(?:${tools.map(({ name }) => name).join("|")})"`,
  );
  const found = ["runtime", "schemas"].flatMap(typescriptIn)
    // Words of shells are no tools.
    .filter((path) => !path.includes("/programs/shell/"))
    .flatMap((path) =>
      codeLines(path)
        .filter((line) => !line.includes("README.md") && names.test(line.replaceAll(COMMON_WORDS, "")))
        .map((line) => `${path}: ${line.trim()}`)
    );
  assertEquals(found, []);
});

/** Kinds of access, and commands of the program, are called like tools. */
const COMMON_WORDS = /"(?:read|write|find|grep|ls|edit|echo|bash|terminate|planning)"/g;

Deno.test("source files and functions stay short", () => {
  const long = [...SOURCES, ...["tests/cases", "tests/process", "tests/attacks"].flatMap(typescriptIn)]
    .flatMap((path) => {
      const lines = linesOf(path);
      const most = path.startsWith("tests/") ? MAX_TEST_LINES : MAX_FILE_LINES;
      const functions = functionsOf(lines)
        .filter(({ length }) => length > MAX_FUNCTION_LINES)
        .map(({ line, length }) => `${path}:${line}: a function of ${length} lines`);
      return lines.length > most ? [`${path}: ${lines.length} lines`, ...functions] : functions;
    });
  assertEquals(long, []);
});

Deno.test("functionsOf() measures functions, methods and arrows", () => {
  const body = (lines: number, indent: string) => `${indent}  x();\n`.repeat(lines);
  const source = [
    `export async function* one(\n  a: string,\n): void {\n${body(3, "")}}\n`,
    `class A {\n  async two(a: string): Promise<void> {\n${body(2, "  ")}  }\n}\n`,
    `const three = (a: string) => {\n${body(1, "")}};\n`,
    `run(async () => {\n${body(4, "")}});\n`,
  ].join("");
  assertEquals(functionsOf(source.split("\n")).map(({ length }) => length), [7, 4, 3, 6]);
});

Deno.test("a folder holds at most fifteen files, and runtime/ none but mod.ts", () => {
  const counts = new Map<string, number>();
  for (const path of SOURCES) {
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  const full = [...counts].filter(([folder, count]) => count > MAX_FILES && !TOOL_SETS.test(folder));
  assertEquals(full, []);
  assertEquals(SOURCES.filter((path) => dirname(path) === "runtime"), ["runtime/mod.ts"]);
});

Deno.test("an exported name occurs once in runtime/", () => {
  const owners = new Map<string, string[]>();
  for (const path of typescriptIn("runtime")) {
    const names = textOf(path).matchAll(
      /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm,
    );
    // A value and its type may share a name.
    const own = new Set([...names].map(([, name = ""]) => name));
    for (const name of own) owners.set(name, [...owners.get(name) ?? [], path]);
  }
  assertEquals([...owners].filter(([, paths]) => paths.length > 1), []);
});

Deno.test("each value that a public door exports is named by a test of the first two tiers", async () => {
  const told = new Set(TESTS.filter(isQuickOrGate).flatMap((path) => textOf(path).match(/\w+/g) ?? []));
  for (const door of Object.values(config.exports)) {
    const names = Object.keys(await import(import.meta.resolve(`../${door}`)));
    assertEquals(names.filter((name) => !told.has(name)), [], door);
  }
});

Deno.test("each flag, error code and tool is named by a test of the first two tiers", () => {
  const told = TESTS.filter(isQuickOrGate).map(textOf).join("\n");
  const flags = Object.keys(OPTIONS).map((name) =>
    `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  );
  assertEquals(flags.filter((flag) => !new RegExp(`${flag}(?![\\w-])`).test(told)), []);
  assertEquals(Object.keys(EXIT_CODES).filter((code) => !told.includes(`"${code}"`)), []);
  // `process/every_tool_test.ts` calls each tool of the manifest, refused.
  assertEquals((manifest as Manifest).tools.filter(({ name }) => !told.includes(name)), []);
});

function isQuickOrGate(path: string): boolean {
  return /^tests\/(?:unit|cases|process|attacks)\//.test(path);
}

/** What tests may not do, and what they do instead. */
const FORBIDDEN: readonly (readonly [what: RegExp, instead: string])[] = [
  [/\bp(?:grep|kill)\b|\bps -|\bkillall\b/, "find a process by its id, or by a mark in its environment"],
  [/\bfree_?port/i, "let the program that listens choose its port, and tell it"],
  [/assert\w*\([^;]*(?:performance\.now\(\)|Date\.now\(\))/, "count work, bytes or events in place of time"],
  [
    /assert\w*\([^;]*\b(?:elapsed|tookMs|took|seconds|ms) *[<>]/,
    "count work, bytes or events in place of time",
  ],
  [/new Promise(?:<\w+>)?\(\((\w+)\) => setTimeout\(\1, [1-9]/, "wait for the event"],
];

/** Waits that are the claim: a person takes longer than the call may, and a tool looks again. */
const MEANT = new Set([
  "if (asked.length === 1) await new Promise((resolve) => setTimeout(resolve, 5_000));",
  "await new Promise((resolve) => setTimeout(resolve, 5));",
]);

Deno.test("tests wait for causes, not for clocks, and share nothing of the machine", () => {
  // Programs that tests end may sleep, helpers look again, and commands that tests judge may end others.
  const tests = TESTS.filter((path) =>
    !/^tests\/(?:conventions_test|fixtures|soak|support|unit\/runtime\/programs\/shell)[./]/.test(path)
  );
  const found = tests.flatMap((path) =>
    codeLines(path).filter((line) => !MEANT.has(line.trim())).flatMap((line) =>
      FORBIDDEN.filter(([what]) => what.test(line)).map(([, instead]) =>
        `${path}: ${line.trim()}: ${instead}`
      )
    )
  );
  assertEquals(found, []);
});

Deno.test("scripts of other languages stand in files of their own", () => {
  // Completions are put together from the table of options.
  const found = SOURCES.filter((path) => !path.startsWith("runtime/cli/help/complete_")).flatMap((path) =>
    [...textOf(path).matchAll(/`(?:[^`\\]|\\.)*`/g)]
      .filter(([text]) =>
        /^`#!/.test(text) || (text.split("\n").length > MAX_SCRIPT_LINES && SCRIPT.test(text))
      )
      .map(([text]) => `${path}: ${text.split("\n")[0]}`)
  );
  assertEquals(found, []);
});

/** Lines that only a shell or Python has. */
const SCRIPT = /^\s*(?:fi|done|esac|import \w+|def \w+\(.*\):|while .*; do|if \[.*)\s*$/m;

Deno.test("an interface has few fields", () => {
  const wide = SOURCES.filter((path) => !path.startsWith("schemas/")).flatMap((path) =>
    [...textOf(path).matchAll(/^export interface (\w+)[^{\n]*\{\n([^]*?)^\}/gm)].flatMap(
      ([, name = "", body = ""]) => {
        const fields = body.split("\n").filter((line) =>
          /^ {2}(?:readonly )?["[\w][^\n]*?[?]?[:(]/.test(line)
        );
        return fields.length > MAX_FIELDS ? [[name, fields.length]] : [];
      },
    )
  );
  assertEquals(Object.fromEntries(wide.toSorted()), WIDE_INTERFACES);
});

/** Where functions begin and how long they are, told by the indentation that `deno fmt` gives. */
function functionsOf(lines: readonly string[]): { line: number; length: number }[] {
  return lines.flatMap((line, at) => {
    const [, indent] =
      /^(\s*)(?:.*=> \{|(?:export )?(?:default )?(?:async )?function\b.*|(?:(?:static|async|get|set|private) )*[*#]?\w+(?:<.*>)?\(.*\).* \{)$/
        .exec(line) ?? [];
    if (indent === undefined || /^\s*(if|for|while|switch|catch|else)\b/.test(line)) return [];
    const end = lines.findIndex((other, below) => below > at && new RegExp(`^${indent}\\}`).test(other));
    return end < 0 ? [] : [{ line: at + 1, length: end - at + 1 }];
  });
}
