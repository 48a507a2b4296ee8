import { assertEquals, assertThrows } from "@std/assert";
import * as z from "zod";

import { switchesOf } from "../../../../../runtime/cli/args/argument_fields.ts";
import { optionsOf } from "../../../../../runtime/cli/args/command_table.ts";
import { flagOf, OPTION_NAMES, optionOf } from "../../../../../runtime/cli/args/options/option_table.ts";
import { parseArgv } from "../../../../../runtime/cli/args/parse_argv.ts";
import { optionWords } from "../../../../../runtime/cli/setup/option_words.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { Manifest } from "../../../../../schemas/manifest.ts";
import { entryOf, schemaOf } from "../../../../support/manifest_entry.ts";
import manifest from "../../../../../tools/manifest.json" with { type: "json" };

type Parsed = ReturnType<typeof parseArgv>;

const PARSED: [
  words: string[],
  command: Parsed["command"],
  positionals: string[],
  options: Parsed["options"],
][] = [
  [[], null, [], {}],
  [["--json"], null, [], { json: true }],
  [["--help"], null, [], { help: "long" }],
  [["-V"], null, [], { version: true }],
  [["call", "-h"], "call", [], { help: "short" }],
  [["help", "call"], "help", ["call"], {}],
  [["call", "Grep", "pattern=x"], "call", ["Grep", "pattern=x"], {}],
  [["call", "Grep", "path=--x", "pattern=-foo"], "call", ["Grep", "path=--x", "pattern=-foo"], {}],
  [
    ["call", "Grep", "pattern=x", "--", "--weird", "--"],
    "call",
    ["Grep", "pattern=x", "--", "--weird", "--"],
    {},
  ],
  [["call", "--", "Grep", "--weird"], "call", ["Grep", "--", "--weird"], {}],
  [["--", "explain", "Grep", "--json"], "explain", ["Grep", "--", "--json"], {}],
  [["call", "Grep", "a", "--"], "call", ["Grep", "a"], {}],
  [["schema", "--", "Grep", "Read"], "schema", ["Grep", "Read"], {}],
  // What is no option of the program may be an argument of the tool.
  [["call", "Grep", "--pattern", "x", "--json"], "call", ["Grep", "--pattern", "x"], { json: true }],
  [
    ["call", "-q", "Grep", "--pattern=x", "-l", "-qx", "y"],
    "call",
    ["Grep", "--pattern=x", "-l", "-qx", "y"],
    {
      quiet: true,
    },
  ],
  [["--", "call", "Grep"], "call", ["Grep"], {}],
  [["call", "calculator", "-5", "-.5", "-"], "call", ["calculator", "-5", "-.5", "-"], {}],
  [["call", "Grep", ""], "call", ["Grep", ""], {}],
  [["exec", "-q", "--timeout", "5", "--", "ls", "--json", "--"], "exec", ["ls", "--json", "--"], {
    quiet: true,
    timeout: 5,
  }],
  [["-q", "exec", "ls", "-l", "--version", "--", "x"], "exec", ["ls", "-l", "--version", "--", "x"], {
    quiet: true,
  }],
  [["exec", "--help"], "exec", [], { help: "long" }],
  [["-C", "dir", "call", "--json", "Grep", "-q"], "call", ["Grep"], {
    workspace: "dir",
    json: true,
    quiet: true,
  }],
  [["--workspace=dir", "call", "G"], "call", ["G"], { workspace: "dir" }],
  [["-Cdir", "call", "G"], "call", ["G"], { workspace: "dir" }],
  [["-C=dir", "call", "G"], "call", ["G"], { workspace: "dir" }],
  [["-qAC", "dir", "call", "G"], "call", ["G"], { quiet: true, allowAll: true, workspace: "dir" }],
  [["call", "G", "-o", "out=1.json"], "call", ["G"], { output: "out=1.json" }],
  [["call", "G", "--output=a=b"], "call", ["G"], { output: "a=b" }],
  [["call", "G", "-C", "--allow-all"], "call", ["G"], { workspace: "--allow-all" }],
  [["call", "G", "--session", "-A"], "call", ["G"], { session: "-A" }],
  [["call", "G", "-C", "--"], "call", ["G"], { workspace: "--" }],
  [["call", "G", "--json", "--json"], "call", ["G"], { json: true }],
  [["call", "G", "--allow-read"], "call", ["G"], { allowRead: true }],
  [["--allow-read", "call", "G"], "call", ["G"], { allowRead: true }],
  [["call", "G", "--allow-read=a,b", "--allow-read=c"], "call", ["G"], { allowRead: ["a", "b", "c"] }],
  [["call", "G", "--allow-read=a,,b,c"], "call", ["G"], { allowRead: ["a,b", "c"] }],
  [["call", "G", "--allow-read=a,,,b"], "call", ["G"], { allowRead: ["a,", "b"] }],
  [["call", "G", "--deny-net=x", "--deny-run", "-A"], "call", ["G"], {
    denyNet: ["x"],
    denyRun: true,
    allowAll: true,
  }],
  [["call", "G", "--allow-private-net"], "call", ["G"], { allowPrivateNet: true }],
  [["call", "G", "--allow-private-net=h:1"], "call", ["G"], { allowPrivateNet: ["h:1"] }],
  [["call", "G", "--allow-net=a.org:80,443,b.org", "--deny-net=[::1]:1,,2"], "call", ["G"], {
    allowNet: ["a.org:80,443", "b.org"],
    denyNet: ["[::1]:1,2"],
  }],
  [["call", "G", "--allow-env=A,B", "--allow-secrets=.env"], "call", ["G"], {
    allowEnv: ["A", "B"],
    allowSecrets: [".env"],
  }],
  [["call", "G", "--policy", "read-only", "--sandbox=off"], "call", ["G"], {
    policy: "read-only",
    sandbox: "off",
  }],
  [
    ["call", "G", "--policy=team", "--config", "a.json", "--role", "admin", "--audit=a.jsonl"],
    "call",
    ["G"],
    {
      policy: "team",
      config: "a.json",
      role: "admin",
      audit: "a.jsonl",
    },
  ],
  [["call", "G", "--share-net", "--sandbox-show=a,b", "--sandbox-show=c"], "call", ["G"], {
    shareNet: true,
    sandboxShow: ["a", "b", "c"],
  }],
  [["audit", "a.jsonl", "--json"], "audit", ["a.jsonl"], { json: true }],
  [["call", "G", "--timeout", "0.5"], "call", ["G"], { timeout: 0.5 }],
  [["batch", "-", "--max-parallel=8", "--fail-fast", "--plan"], "batch", ["-"], {
    maxParallel: 8,
    failFast: true,
    plan: true,
  }],
  [["tools", "--toolset", "par", "--toolset=sgr"], "tools", [], { toolset: ["par", "sgr"] }],
  [["schema", "--tool", "par/bash=par_bash", "--format", "mcp"], "schema", [], {
    tool: ["par/bash=par_bash"],
    format: "mcp",
  }],
  [["schema", "lock", "a.json"], "schema", ["lock", "a.json"], {}],
  [["schema", "check", "a.json"], "schema", ["check", "a.json"], {}],
  [["schema", "Grep", "Glob", "Read"], "schema", ["Grep", "Glob", "Read"], {}],
  [["completions", "fish"], "completions", ["fish"], {}],
];

Deno.test("parseArgv() understands commands, words and options", () => {
  for (const [words, command, positionals, options] of PARSED) {
    assertEquals(parseArgv(words), { command, positionals, options }, words.join(" "));
  }
});

const FIELDS = schemaOf(z.object({
  pattern: z.string(),
  ignore_case: z.boolean().optional(),
  quick: z.boolean().nullable().optional(),
  either: z.union([z.boolean(), z.string()]).optional(),
}));
const SWITCHES = switchesOf({
  tools: [
    entryOf("one/Find", { input_schema: FIELDS }),
    entryOf("two/find", { input_schema: schemaOf(z.object({ quick: z.string() })) }),
  ],
});

Deno.test("parseArgv() never takes the value of an argument for an option of the program", () => {
  const cases: [words: string[], positionals: string[], options: Parsed["options"]][] = [
    [["--pattern", "-A"], ["--pattern", "-A"], {}],
    [["--pattern", "--allow-all", "--json"], ["--pattern", "--allow-all"], { json: true }],
    [["--pattern=-A"], ["--pattern=-A"], {}],
    [["--pattern", "--", "x"], ["--pattern", "--", "x"], {}],
    [["--either", "-A"], ["--either", "-A"], {}],
    [["--unheard-of", "-A"], ["--unheard-of", "-A"], {}],
    // A yes or no takes no other word.
    [["--ignore-case", "-A"], ["--ignore-case=true"], { allowAll: true }],
    [["--ignore_case", "false", "-q"], ["--ignore_case", "false"], { quiet: true }],
    [["--ignore-case", "-q", "true"], ["--ignore-case=true", "true"], { quiet: true }],
    [["--ignore-case", "--", "-A"], ["--ignore-case=true", "--", "-A"], {}],
  ];
  for (const name of ["one/Find", "Find", "FIND"]) {
    for (const [words, positionals, options] of cases) {
      const parsed = parseArgv(["call", name, ...words], SWITCHES);
      assertEquals(
        parsed,
        { command: "call", positionals: [name, ...positionals], options },
        words.join(" "),
      );
    }
  }
  // One name, two tools: an argument that one of them gives a value takes one.
  assertEquals(parseArgv(["call", "find", "--quick", "-A"], SWITCHES).options, {});
  assertEquals(parseArgv(["call", "one/Find", "--quick", "-A"], SWITCHES).options, { allowAll: true });
  // Nobody knows the tools.
  assertEquals(parseArgv(["explain", "Find", "--ignore-case", "-A"]).options, {});
});

Deno.test("parseArgv() takes no option for a permission behind any argument of any tool that has a value", () => {
  const { tools } = manifest as unknown as Manifest;
  const switches = switchesOf({ tools });
  const flags = OPTION_NAMES.filter((name) => optionOf(name).group === "grants").flatMap((name) => {
    const { short } = optionOf(name);
    return [flagOf(name), `${flagOf(name)}=x`, ...short === undefined ? [] : [`-${short}`, `-q${short}`]];
  });
  const known = new Set(OPTION_NAMES.map(flagOf));
  for (const tool of tools) {
    for (const field of Object.keys(tool.input_schema.properties ?? {})) {
      for (const option of new Set([`--${field}`, `--${field.replaceAll("_", "-")}`])) {
        if (known.has(option) || switches(tool.full_name, option)) continue;
        for (const name of [tool.full_name, tool.name]) {
          for (const flag of flags) {
            const parsed = parseArgv(["call", name, option, flag], switches);
            assertEquals(
              [parsed.positionals, parsed.options],
              [[name, option, flag], {}],
              `${option} ${flag}`,
            );
          }
        }
      }
    }
  }
});

const SEE_CALL = "see: bulkhead call --help";

const REFUSED: [words: string[], message: string][] = [
  [["cal", "G"], 'Unknown command "cal", did you mean "call"? See: bulkhead --help'],
  [["frobnicate"], 'Unknown command "frobnicate", see: bulkhead --help'],
  [[""], 'Unknown command "", see: bulkhead --help'],
  [["toString"], 'Unknown command "toString", see: bulkhead --help'],
  [["cal", "--help"], 'Unknown command "cal", did you mean "call"? See: bulkhead --help'],
  [
    ["call", "--alow-write=/secret", "G"],
    'Unknown option "--alow-write", did you mean "--allow-write"? See: bulkhead call --help',
  ],
  [["call", "--zzzzzzzz", "G"], `Unknown option "--zzzzzzzz", ${SEE_CALL}`],
  [["--zzzzzzzz"], 'Unknown option "--zzzzzzzz", see: bulkhead --help'],
  [["call", "--constructor", "G"], `Unknown option "--constructor", ${SEE_CALL}`],
  [
    ["call", "--allowRead", "G"],
    'Unknown option "--allowRead", did you mean "--allow-read"? See: bulkhead call --help',
  ],
  [["call", "-x", "G"], `Unknown option "-x", ${SEE_CALL}`],
  [["call", "-x=secret", "G"], `Unknown option "-x", ${SEE_CALL}`],
  [["call", "-qx", "G"], `Unknown option "-x", ${SEE_CALL}`],
  [
    ["call", "G", "--fail-fast"],
    `Option --fail-fast has no meaning for "call"; for an argument of the tool write fail_fast=VALUE, ${SEE_CALL}`,
  ],
  [["version", "-A"], 'Option -A has no meaning for "version", see: bulkhead version --help'],
  [["call", "G", "--json=true"], `Option --json takes no value, ${SEE_CALL}`],
  [["call", "G", "-q=1"], `Option -q takes no value, ${SEE_CALL}`],
  [["call", "G", "--session"], `Option --session needs a value: --session ID, ${SEE_CALL}`],
  [["call", "G", "--session="], `Option --session needs a value: --session ID, ${SEE_CALL}`],
  [["call", "G", "-C", ""], `Option -C needs a value: -C DIR, ${SEE_CALL}`],
  [["call", "G", "-C"], `Option -C needs a value: -C DIR, ${SEE_CALL}`],
  [["call", "G", "--session", "a", "--session=b"], `Option --session is given twice, ${SEE_CALL}`],
  [["call", "G", "-C", "a", "--workspace", "b"], `Option --workspace is given twice, ${SEE_CALL}`],
  [
    ["call", "G", "--allow-read="],
    `Option --allow-read has an empty value: write --allow-read=PATHS, ${SEE_CALL}`,
  ],
  [
    ["call", "G", "--allow-read=a,"],
    `Option --allow-read has an empty value: write --allow-read=PATHS, ${SEE_CALL}`,
  ],
  [
    ["call", "G", "--allow-env="],
    `Option --allow-env has an empty value: write --allow-env=NAMES, ${SEE_CALL}`,
  ],
  [["call", "G", "--policy="], `Option --policy needs a value: --policy NAME, ${SEE_CALL}`],
  [
    ["call", "G", "--sandbox-show", "a"],
    `Option --sandbox-show needs a value: --sandbox-show=DIRS, ${SEE_CALL}`,
  ],
  [["call", "G", "--share-net=yes"], `Option --share-net takes no value, ${SEE_CALL}`],
  [
    ["explain", "G", "--audit=a"],
    'Option --audit has no meaning for "explain"; for an argument of the tool write audit=VALUE, see: bulkhead explain --help',
  ],
  [["audit"], "Missing FILE, write: bulkhead audit FILE|- [options], see: bulkhead audit --help"],
  [["call", "G", "--allow-env", "A"], `Option --allow-env needs a value: --allow-env=NAMES, ${SEE_CALL}`],
  [
    ["call", "G", "--allow-read", "--allow-read=a"],
    `Option --allow-read is given with and without a list: keep one of them, ${SEE_CALL}`,
  ],
  [
    ["call", "G", "--deny-read=a", "--deny-read"],
    `Option --deny-read is given with and without a list: keep one of them, ${SEE_CALL}`,
  ],
  [
    ["call", "G", "-A", "--allow-net=x"],
    `Options --allow-all and --allow-net exclude each other: give one of them, ${SEE_CALL}`,
  ],
  [
    ["call", "G", "--events", "--json"],
    `Options --json and --events exclude each other: give one of them, ${SEE_CALL}`,
  ],
  [
    ["tools", "--tool=a", "--toolset=b"],
    "Options --tool and --toolset exclude each other: give one of them, see: bulkhead tools --help",
  ],
  [
    ["call", "G", "--sandbox=never"],
    `Option --sandbox must be one of auto, require, off, not "never", ${SEE_CALL}`,
  ],
  [
    ["call", "G", "--timeout=abc"],
    `Option --timeout must be a number of seconds from 0.001 to 86400, not "abc", ${SEE_CALL}`,
  ],
  [
    ["call", "G", "--timeout", "-1"],
    `Option --timeout must be a number of seconds from 0.001 to 86400, not "-1", ${SEE_CALL}`,
  ],
  [
    ["call", "G", "--timeout=0"],
    `Option --timeout must be a number of seconds from 0.001 to 86400, not "0", ${SEE_CALL}`,
  ],
  [
    ["call", "G", "--timeout=0x10"],
    `Option --timeout must be a number of seconds from 0.001 to 86400, not "0x10", ${SEE_CALL}`,
  ],
  [
    ["batch", "-", "--max-parallel=1.5"],
    'Option --max-parallel must be a whole number of calls from 1 to 64, not "1.5", see: bulkhead batch --help',
  ],
  [
    ["batch", "-", "--max-parallel=0"],
    'Option --max-parallel must be a whole number of calls from 1 to 64, not "0", see: bulkhead batch --help',
  ],
  [
    ["call"],
    `Missing TOOL, write: bulkhead call TOOL [JSON|@FILE|-] [key=value | key:=JSON ...] [options], ${SEE_CALL}`,
  ],
  [["batch"], "Missing FILE, write: bulkhead batch FILE|- [options], see: bulkhead batch --help"],
  [
    ["batch", "a", "b"],
    'Unexpected word "b", write: bulkhead batch FILE|- [options], see: bulkhead batch --help',
  ],
  [["version", "1"], 'Unexpected word "1", write: bulkhead version [options], see: bulkhead version --help'],
  [["schema", "lock"], "Write: bulkhead schema lock FILE, see: bulkhead schema --help"],
  [["schema", "check", "a", "b"], "Write: bulkhead schema check FILE, see: bulkhead schema --help"],
  [
    ["completions"],
    "Missing SHELL, write: bulkhead completions bash|zsh|fish, see: bulkhead completions --help",
  ],
  [
    ["completions", "powershell"],
    'Unknown shell "powershell": there are bash, zsh, fish, see: bulkhead completions --help',
  ],
  [
    ["help", "a", "b", "c"],
    'Unexpected word "c", write: bulkhead help [COMMAND [ACTION]|TOPIC|TOOL], see: bulkhead help --help',
  ],
];

Deno.test("parseArgv() refuses what the tables do not hold, and says what to do", () => {
  for (const [words, message] of REFUSED) {
    const error = assertThrows(() => parseArgv(words), ToolError);
    assertEquals([error.code, error.message], ["invalid_input", message], words.join(" "));
  }
});

Deno.test("parseArgv() hands the nearest names to programs too", () => {
  assertEquals(assertThrows(() => parseArgv(["cal"]), ToolError).details, {
    candidates: ["call"],
    unknown_command: "cal",
  });
  assertEquals(assertThrows(() => parseArgv(["call", "--jsn"]), ToolError).details, {
    candidates: ["--json"],
    unknown_option: "--jsn",
  });
});

Deno.test("parseArgv() clips long words in messages", () => {
  const error = assertThrows(() => parseArgv(["x".repeat(10_000)]), ToolError);
  assertEquals(error.message.length < 150, true);
});

Deno.test("parseArgv() does not change its argument", () => {
  const words = ["-C", "a", "call", "--", "b"];
  parseArgv(words);
  assertEquals(words, ["-C", "a", "call", "--", "b"]);
});

Deno.test("parseArgv() takes the next word for an optional id only if it can be one", () => {
  const cases: readonly (readonly [string[], true | string, string[]])[] = [
    [["--resume"], true, []],
    [["--resume", "20261121-070059-ab12cd34"], "20261121-070059-ab12cd34", []],
    [["--resume=s1", "go on"], "s1", ["go on"]],
    [["--resume", "s1", "go on"], "s1", ["go on"]],
    [["--resume", "go on"], true, ["go on"]],
    [["go on", "--resume", "--json"], true, ["go on"]],
    [["--resume", "-"], true, ["-"]],
  ];
  for (const [words, resume, positionals] of cases) {
    const parsed = parseArgv(["run", ...words]);
    assertEquals([parsed.options.resume, parsed.positionals], [resume, positionals], words.join(" "));
  }
  for (const words of [["--resume=a", "--resume=b"], ["--resume="], ["--resume=a", "--no-session"]]) {
    assertEquals(assertThrows(() => parseArgv(["run", ...words]), ToolError).code, "invalid_input");
  }
});

Deno.test("optionWords() gives words that mean the same options", { permissions: "none" }, () => {
  const words = [
    ...["--allow-read=a,,b,c", "--allow-net=x.com:80,443,y.com", "--allow-run", "--allow-env=A,B", "-q"],
    ...["--tool", "one=1", "--tool=two", "--max-rounds=3", "--timeout=0.5", "--sandbox=off", "--model=a/b c"],
    ...["--no-undo", "-C", "-odd", "--resume", "--config=--x"],
  ];
  const { options } = parseArgv(["run", ...words]);
  const written = optionWords(options, optionsOf("run"));
  assertEquals(parseArgv(["run", ...written]).options, options);
  assertEquals(optionWords(options, ["workspace", "allowRead"], (path) => `/w/${path}`), [
    "--workspace=/w/-odd",
    "--allow-read=/w/a,,b,/w/c",
  ]);
});
