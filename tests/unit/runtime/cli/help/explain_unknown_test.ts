import { assert, assertEquals, assertThrows } from "@std/assert";

import { COMMAND_NAMES, isCommand, optionsOf } from "../../../../../runtime/cli/args/command_table.ts";
import { FOREIGN_COMMANDS, FOREIGN_OPTIONS } from "../../../../../runtime/cli/args/foreign_words.ts";
import { flagOf } from "../../../../../runtime/cli/args/options/option_table.ts";
import { parseArgv } from "../../../../../runtime/cli/args/parse_argv.ts";
import { isTopic } from "../../../../../runtime/cli/args/topic_table.ts";
import { explainUnknown } from "../../../../../runtime/cli/help/explain_unknown.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { Manifest } from "../../../../../schemas/manifest.ts";
import manifestJson from "../../../../../tools/manifest.json" with { type: "json" };

const manifest = manifestJson as Manifest;

/** What the program says to a command line that it does not understand. */
function said(...words: string[]): string {
  return explainUnknown(assertThrows(() => parseArgv(words), ToolError), manifest).message;
}

Deno.test("explainUnknown() points home from words of other programs", () => {
  const cases: readonly (readonly [words: string[], part: string])[] = [
    [["run", "--continue"], 'Unknown option "--continue": use bulkhead run --resume[=ID], which goes on'],
    [["run", "-c", "go on"], "use bulkhead run --resume[=ID]"],
    [["run", "--cwd", "/x", "do it"], "use bulkhead -C DIR COMMAND"],
    [["call", "--dry-run", "Write"], "use bulkhead explain TOOL key=value"],
    [["--dry-run", "call", "Write"], "use bulkhead explain TOOL key=value"],
    [["run", "--yolo"], "use bulkhead run --allow-all, which lets a model"],
    [["run", "--dangerously-skip-permissions"], "--allow-write=PATHS costs less"],
    [["run", "-m", "gpt-5"], "use bulkhead run --model NAME"],
    [["-p", "do it"], "use bulkhead run 'PROMPT'"],
    [["run", "-y"], "use bulkhead run --allow-all"],
    [["run", "--allowedTools", "x"], "use bulkhead run --tool NAME"],
    [["grep", "-rn", "TODO", "src"], 'Unknown command "grep": use bulkhead call Grep pattern=TEXT'],
    [["ls", "-l"], "use bulkhead call ls path=FOLDER"],
    [["cat", "README.md"], "use bulkhead call Read path=FILE"],
    [["Grep", "--pattern", "x"], "it is a tool, use bulkhead call Grep key=value, see: bulkhead help Grep"],
    [["par/echo"], "use bulkhead call par/echo key=value"],
    [["ask"], "use bulkhead run 'PROMPT'"],
    [["agent"], "use bulkhead agents"],
    [["repl"], "use bulkhead chat"],
    [["citations"], "use bulkhead sources"],
    [["run", "--interactive"], "use bulkhead chat"],
    [["run", "--headless"], "use bulkhead run --no-questions"],
    [["chat", "--persona", "x"], "use bulkhead run --agent NAME"],
    [["list"], "use bulkhead tools"],
    [["LIST"], "use bulkhead tools"],
    [["fix the tests"], "for a task of a model, use bulkhead run 'PROMPT'"],
    // Of anything else, the nearest names are told.
    [["cal"], 'Unknown command "cal", did you mean "call"?'],
    [["call", "--jsn"], 'Unknown option "--jsn", did you mean "--json"?'],
    [["constructor"], 'Unknown command "constructor", see: bulkhead --help'],
  ];
  for (const [words, part] of cases) assert(said(...words).includes(part), `${words}: ${said(...words)}`);
});

Deno.test("explainUnknown() points home from a command of a shell as the tool of a call", () => {
  const cases: [typed: "call" | "explain" | "run" | null, word: string, message: string][] = [
    ["call", "cat", 'Unknown tool "cat": use bulkhead call Read path=FILE'],
    ["call", "CAT", 'Unknown tool "CAT": use bulkhead call Read path=FILE'],
    ["explain", "rg", 'Unknown tool "rg": use bulkhead explain Grep pattern=TEXT'],
    ["call", "git", 'Unknown tool "git": use bulkhead exec COMMAND'],
    ["call", "toString", 'Unknown tool "toString". See: bulkhead tools'],
    // There the name of a tool is wanted, not a call of it.
    ["run", "cat", 'Unknown tool "cat". See: bulkhead tools'],
  ];
  for (const [typed, word, message] of cases) {
    const error = new ToolError("invalid_input", `Unknown tool "${word}"`, {
      details: { unknown_tool: word },
    });
    const { message: said, code } = explainUnknown(error, manifest, typed);
    assertEquals([said, code], [message, "invalid_input"]);
  }
});

Deno.test("what explainUnknown() points to is there", () => {
  const lines = [...FOREIGN_OPTIONS, ...FOREIGN_COMMANDS].map(({ use }) => use);
  for (const line of [...lines, ...Object.values(manifest.foreign_commands)]) {
    const words = line.replace("[=ID]", "").replace(" < FILE", "").replaceAll(/'[^']*'/g, "TEXT").split(" ");
    const known = words.map((word) =>
      ({ COMMAND: "tools", DOLLARS: "1", N: "1", SHELL: "bash" })[word] ?? word
    );
    const { command, positionals: [first = ""] } = parseArgv(known);
    if (command === "help") {
      assert(first === "" || first === "TOOL" || isCommand(first) || isTopic(first), line);
    }
    if (command !== "call" || first === "TOOL") continue;
    assert(manifest.tools.some(({ name }) => name === first), line);
  }
});

Deno.test("no foreign word is told twice, and none hides an option of every command", () => {
  for (const table of [FOREIGN_OPTIONS, FOREIGN_COMMANDS]) {
    const words = table.flatMap(({ words }) => words);
    assertEquals(words.filter((word, at) => words.indexOf(word) !== at), []);
  }
  assertEquals(FOREIGN_COMMANDS.flatMap(({ words }) => words).filter(isCommand), []);
  const common = COMMAND_NAMES.map(optionsOf).reduce((all, own) => all.filter((name) => own.includes(name)));
  const flags = new Set(common.map(flagOf));
  assertEquals(FOREIGN_OPTIONS.flatMap(({ words }) => words).filter((word) => flags.has(word)), []);
});
