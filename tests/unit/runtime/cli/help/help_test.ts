import { assert, assertEquals, assertThrows } from "@std/assert";

import {
  COMMAND_NAMES,
  type CommandName,
  commandOf,
  isCommand,
  optionsOf,
} from "../../../../../runtime/cli/args/command_table.ts";
import { FOREIGN_COMMANDS, FOREIGN_OPTIONS } from "../../../../../runtime/cli/args/foreign_words.ts";
import {
  flagOf,
  OPTION_NAMES,
  type OptionName,
  optionOf,
} from "../../../../../runtime/cli/args/options/option_table.ts";
import { parseArgv } from "../../../../../runtime/cli/args/parse_argv.ts";
import { isTopic, TOPIC_NAMES, topicOf } from "../../../../../runtime/cli/args/topic_table.ts";
import { explainUnknown } from "../../../../../runtime/cli/help/explain_unknown.ts";
import { renderHelp } from "../../../../../runtime/cli/help/render_help.ts";
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
    [["run", "--cwd", "/x", "do it"], "use bulkhead -C DIR COMMAND"],
    [["call", "--dry-run", "Write"], "use bulkhead explain TOOL key=value"],
    [["--dry-run", "call", "Write"], "use bulkhead explain TOOL key=value"],
    [["run", "--yolo"], "use bulkhead run --allow-all, which lets a model"],
    [["run", "--dangerously-skip-permissions"], "--allow-write=PATHS costs less"],
    [["run", "-m", "gpt-5"], "use bulkhead run --model NAME"],
    [["-p", "do it"], "use bulkhead run 'PROMPT'"],
    [["run", "--allowedTools", "x"], "use bulkhead run --tool NAME"],
    [["grep", "-rn", "TODO", "src"], 'Unknown command "grep": use bulkhead call Grep pattern=TEXT'],
    [["cat", "README.md"], "use bulkhead call Read path=FILE"],
    [["Grep", "--pattern", "x"], "it is a tool, use bulkhead call Grep key=value, see: bulkhead help Grep"],
    [["par/echo"], "use bulkhead call par/echo key=value"],
    [["ask"], "use bulkhead run 'PROMPT'"],
    [["run", "--headless"], "use bulkhead run --no-questions"],
    [["chat", "--persona", "x"], "use bulkhead run --agent NAME"],
    [["list"], "use bulkhead tools"],
    [["LIST"], "use bulkhead tools"],
    [["fix the tests"], "for a task of a model, use bulkhead run 'PROMPT'"],
    [["run", "--trace-dir", "x"], "what ResearchHarness calls so is XDG_STATE_HOME=DIR here"],
    [["serve", "--input-wrapper"], "nothing here does what it does in ResearchHarness"],
    [["run", "--full-auto"], "what Codex calls so is --policy coder here"],
    [["sgrsh"], "what SGR Agent Core calls so is run --agents config.yaml"],
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

const { command_examples: examples } = manifest;
const shown = (name: CommandName | null = null) => renderHelp(name, examples);

Deno.test("renderHelp() stays within 80 columns of plain text", () => {
  for (const name of [null, ...COMMAND_NAMES]) {
    const help = shown(name);
    assert(help.endsWith("\n") && !help.endsWith("\n\n") && !help.includes("\n\n\n"), `${name}`);
    for (const line of help.split("\n")) {
      assert(line.length <= 80, `${name}: ${line}`);
      assertEquals(line, line.trimEnd());
      assert(/^[\x20-\x7e]*$/.test(line), line);
    }
  }
});

Deno.test("renderHelp() lists every command of the program, and every topic of the manual", () => {
  const rows = [...COMMAND_NAMES.map((name) => [name, commandOf(name)] as const)];
  for (const [name, { summary }] of [...rows, ...TOPIC_NAMES.map((name) => [name, topicOf(name)] as const)]) {
    assert(shown().includes(`\n  ${name.padEnd(28)}${summary}\n`), name);
  }
});

Deno.test("renderHelp() lists exactly the options that a command takes", () => {
  for (const name of COMMAND_NAMES) {
    const listed = [...shown(name).matchAll(/^ {2}(?:-\w, | {4})(--[a-z-]+)/gm)].map(([, flag]) => flag);
    assertEquals(new Set(listed), new Set(optionsOf(name).map(flagOf)), name);
    assertEquals(listed.length, optionsOf(name).length, name);
  }
});

Deno.test("renderHelp() words a command completely", () => {
  assertEquals(
    shown("completions"),
    `Print a completion script for a shell

Usage: bulkhead completions bash|zsh|fish

Choice of tools:
      --tools PATH            Add the tools that this file of yours defines, or
                              the files of this folder; repeatable
      --mcp FILE              Add the tools of the MCP servers that this file
                              names, such as .mcp.json; repeatable

Output:
  -q, --quiet                 Print no warnings and no progress
      --no-color              Print no colors

General:
      --config FILE           Configuration instead of the user's own file
  -h, --help                  Print help; -h the short one
  -V, --version               Print the version

Examples:
  # For bash
  bulkhead completions bash >> ~/.bash_completion
`,
  );
  const parts: [name: CommandName, part: string][] = [
    ["trust", "Usage: bulkhead trust [FOLDER] [options]\n       bulkhead trust list [options]\n"],
    ["trust", "\nActions:\n  list                        List the folders that you trust\n"],
    ["batch", "--allow-read[=PATHS] "],
    ["batch", "(default: 3)"],
    ["batch", "or one of the\n                              configuration (default: coder)"],
  ];
  for (const [name, part] of parts) assert(shown(name).includes(part), part);
});

Deno.test("renderHelp() has a short form that fits a screen and leads to the rest", () => {
  for (const name of COMMAND_NAMES) {
    const short = renderHelp(name, examples, "short");
    const [prose = ""] = short.split("\nExamples:\n");
    for (const line of prose.split("\n")) assert(line.length <= 80 && line === line.trimEnd(), line);
    assert(short.includes(`\nAll options: bulkhead ${name} --help\n`), short);
    const left = optionsOf(name).filter((option) => !new RegExp(`${flagOf(option)}\\b`).test(prose));
    assertEquals(left.filter((option) => optionOf(option).group !== "grants"), []);
    const leads = short.includes(" more about permissions: bulkhead help permissions\n");
    assertEquals(leads, left.length > 0, name);
  }
  const lines = (text: string) => text.split("\n").length;
  assert(lines(renderHelp("run", examples, "short")) * 3 < lines(shown("run")) * 2);
});

Deno.test("the usage lines and examples of help are understood by the parser", () => {
  assertEquals(Object.keys(examples).filter((name) => !isCommand(name)), []);
  for (const name of COMMAND_NAMES) {
    const lines = commandOf(name).examples.map(([line]) => line);
    for (const line of [...examples[name]?.map(({ line }) => line) ?? [], ...lines]) {
      const [words = ""] = line.split(/ (?:<{1,3}|>{1,2}) /);
      const parsed = parseArgv(
        words.replace(/'([^']*)'/g, (_, text: string) => text.replaceAll(" ", "_")).split(" "),
      );
      assertEquals(parsed.command, name, line);
    }
    for (const form of commandOf(name).usage) assert(form.startsWith(name), form);
  }
});

Deno.test("the table of commands names no tool: such examples come with the tools", () => {
  const names = new Set(manifest.tools.flatMap((tool) => [tool.name, tool.full_name]));
  for (const name of COMMAND_NAMES) {
    const { notes = [], examples } = commandOf(name);
    const words = [...notes, ...examples.map(([line]) => line)].join(" ").split(/[^\w/]+/);
    // Some tools are called like everyday words.
    assertEquals(words.filter((word) => names.has(word) && /[A-Z/]/.test(word)), [], name);
  }
});

Deno.test("the tables of options and commands hold together", () => {
  const used = new Set(COMMAND_NAMES.flatMap(optionsOf));
  assertEquals(used, new Set(OPTION_NAMES));
  const letters = OPTION_NAMES.flatMap((name) => optionOf(name).short ?? []);
  assertEquals(new Set(letters).size, letters.length);
  for (const name of OPTION_NAMES) {
    const { kind, value, excludes = [] } = optionOf(name);
    assertEquals(value === undefined, kind === "flag", name);
    for (const other of excludes) assert(OPTION_NAMES.includes(other as OptionName), other);
  }
});
