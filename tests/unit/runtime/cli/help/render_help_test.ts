import { assert, assertEquals } from "@std/assert";

import {
  COMMAND_NAMES,
  type CommandName,
  commandOf,
  isCommand,
  optionsOf,
} from "../../../../../runtime/cli/args/command_table.ts";
import { renderHelp } from "../../../../../runtime/cli/help/render_help.ts";
import {
  flagOf,
  OPTION_NAMES,
  type OptionName,
  optionOf,
} from "../../../../../runtime/cli/args/options/option_table.ts";
import { TOPIC_NAMES, topicOf } from "../../../../../runtime/cli/args/topic_table.ts";
import { parseArgv } from "../../../../../runtime/cli/args/parse_argv.ts";
import type { Manifest } from "../../../../../schemas/manifest.ts";
import manifest from "../../../../../tools/manifest.json" with { type: "json" };

const { command_examples: examples } = manifest as Manifest;
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

Deno.test("renderHelp() lists every command of the program", () => {
  const help = shown();
  for (const name of COMMAND_NAMES) {
    assert(help.includes(`\n  ${name.padEnd(28)}${commandOf(name).summary}\n`), name);
  }
});

Deno.test("renderHelp() lists every topic of the manual", () => {
  for (const name of TOPIC_NAMES) {
    assert(shown().includes(`\n  ${name.padEnd(28)}${topicOf(name).summary}\n`), name);
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
    shown("schema"),
    `Print schemas of tools, lock them, check for drift

Usage: bulkhead schema [TOOL ...] [options]
       bulkhead schema lock FILE [options]
       bulkhead schema check FILE [options]

lock writes names, arguments and needs to FILE. check compares them with FILE,
prints each difference, and ends with a code other than 0 if there is one.

Actions:
  lock                        Write the lock FILE
  check                       Compare with the lock FILE

Choice of tools:
      --tools PATH            Add the tools that this file of yours defines, or
                              the files of this folder; repeatable
      --mcp FILE              Add the tools of the MCP servers that this file
                              names, such as .mcp.json; repeatable
      --toolset NAME          Offer this toolset instead of the default one;
                              repeatable
      --tool NAME[=ALIAS]     Offer exactly the tools named so, as ALIAS if
                              given; repeatable
      --extra-tool NAME       Offer this tool as well; repeatable

Output:
      --format NAME           Form in which tools are described: json-schema,
                              openai, mcp, anthropic (default: json-schema)
      --json                  Print results as JSON
  -o, --output FILE           Write the result to FILE instead of stdout
  -q, --quiet                 Print no warnings and no progress
      --no-color              Print no colors

General:
      --config FILE           Configuration instead of the user's own file
  -C, --workspace DIR         Folder that the tools work in; default: the
                              current one
  -h, --help                  Print help; -h the short one
  -V, --version               Print the version

Examples:
  # A tool as an OpenAI function
  bulkhead schema Grep --format openai
  # Fail a CI step when tools drift
  bulkhead schema check tools.lock.json
`,
  );
});

Deno.test("renderHelp() has a short form that fits a screen and leads to the rest", () => {
  for (const name of COMMAND_NAMES) {
    const short = renderHelp(name, examples, "short");
    const [prose = ""] = short.split("\nExamples:\n");
    for (const line of prose.split("\n")) assert(line.length <= 80 && line === line.trimEnd(), line);
    assert(short.includes(`\nAll options: bulkhead ${name} --help\n`), short);
    const left = optionsOf(name).filter((option) => !new RegExp(`${flagOf(option)}\\b`).test(prose));
    assertEquals(left.filter((option) => optionOf(option).group !== "grants"), []);
    assertEquals(
      short.includes(" more about permissions: bulkhead help permissions\n"),
      left.length > 0,
      name,
    );
  }
  const lines = (text: string) => text.split("\n").length;
  assert(lines(renderHelp("run", examples, "short")) * 3 < lines(shown("run")) * 2);
});

Deno.test("renderHelp() shows how the value of a grant is given, choices and defaults", () => {
  const help = shown("batch");
  for (
    const part of ["--allow-read[=PATHS] ", "--allow-env=NAMES ", "-C, --workspace DIR ", "(default: 3)"]
  ) {
    assert(help.includes(part), part);
  }
  assert(
    help.replace(/\s+/g, " ").includes(
      "coder, read-only, read-only-no-net, or one of the configuration (default: coder)",
    ),
  );
});

Deno.test("the usage lines and examples of help are understood by the parser", () => {
  assertEquals(Object.keys(examples).filter((name) => !isCommand(name)), []);
  for (const name of COMMAND_NAMES) {
    const lines = commandOf(name).examples.map(([line]) => line);
    for (const line of [...examples[name]?.map(({ line }) => line) ?? [], ...lines]) {
      const [words = ""] = line.split(/ (?:<{1,3}|>) /);
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
