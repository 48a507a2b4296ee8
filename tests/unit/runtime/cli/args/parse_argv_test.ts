import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
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

type Options = Parsed["options"];
const PARSED: [words: string[], command: Parsed["command"], positionals: string[], options: Options][] = [
  [[], null, [], {}],
  [["--json"], null, [], { json: true }],
  [["--help"], null, [], { help: "long" }],
  [["-V"], null, [], { version: true }],
  [["call", "-h"], "call", [], { help: "short" }],
  [["help", "call"], "help", ["call"], {}],
  [["call", "Grep", "path=--x", "pattern=-foo"], "call", ["Grep", "path=--x", "pattern=-foo"], {}],
  [["call", "Grep", "a=x", "--", "--weird", "--"], "call", ["Grep", "a=x", "--", "--weird", "--"], {}],
  [["call", "--", "Grep", "--weird"], "call", ["Grep", "--", "--weird"], {}],
  [["--", "explain", "Grep", "--json"], "explain", ["Grep", "--", "--json"], {}],
  [["call", "Grep", "a", "--"], "call", ["Grep", "a"], {}],
  [["schema", "--", "Grep", "Read"], "schema", ["Grep", "Read"], {}],
  // What is no option of the program may be an argument of the tool.
  [["call", "Grep", "--pattern", "x", "--json"], "call", ["Grep", "--pattern", "x"], { json: true }],
  [["call", "-q", "G", "--a=x", "-l", "-qx", "y"], "call", ["G", "--a=x", "-l", "-qx", "y"], { quiet: true }],
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
  [["-C", "dir", "call", "--json", "Grep"], "call", ["Grep"], { workspace: "dir", json: true }],
  [["--workspace=dir", "call", "G"], "call", ["G"], { workspace: "dir" }],
  [["-Cdir", "call", "G"], "call", ["G"], { workspace: "dir" }],
  [["-C=dir", "call", "G"], "call", ["G"], { workspace: "dir" }],
  [["-qAC", "dir", "call", "G"], "call", ["G"], { quiet: true, allowAll: true, workspace: "dir" }],
  [["--allow-read", "call", "G"], "call", ["G"], { allowRead: true }],
  [["batch", "-", "--max-parallel=8", "--plan"], "batch", ["-"], { maxParallel: 8, plan: true }],
  [["tools", "--toolset", "par", "--toolset=sgr"], "tools", [], { toolset: ["par", "sgr"] }],
  [["schema", "--tool", "par/bash=b", "--format", "mcp"], "schema", [], {
    tool: ["par/bash=b"],
    format: "mcp",
  }],
  [["schema", "lock", "a.json"], "schema", ["lock", "a.json"], {}],
];

/** What stands behind `call G`, and the options that it means. */
const OPTIONS: [words: string, options: Parsed["options"]][] = [
  ["-o out=1.json", { output: "out=1.json" }],
  ["--output=a=b", { output: "a=b" }],
  ["-C --allow-all", { workspace: "--allow-all" }],
  ["--session -A", { session: "-A" }],
  ["-C --", { workspace: "--" }],
  ["--json --json", { json: true }],
  ["--allow-read", { allowRead: true }],
  ["--allow-read=a,b --allow-read=c", { allowRead: ["a", "b", "c"] }],
  ["--allow-read=a,,b,c", { allowRead: ["a,b", "c"] }],
  ["--allow-read=a,,,b", { allowRead: ["a,", "b"] }],
  ["--deny-net=x --deny-run -A", { denyNet: ["x"], denyRun: true, allowAll: true }],
  ["--allow-net=a.org:80,443,b.org", { allowNet: ["a.org:80,443", "b.org"] }],
  ["--deny-net=[::1]:1,,2", { denyNet: ["[::1]:1,2"] }],
  ["--allow-env=A,B --allow-secrets=.env", { allowEnv: ["A", "B"], allowSecrets: [".env"] }],
  ["--policy read-only --sandbox=off --role=r", { policy: "read-only", sandbox: "off", role: "r" }],
  ["--share-net --sandbox-show=a,b --sandbox-show=c", { shareNet: true, sandboxShow: ["a", "b", "c"] }],
  ["--timeout 0.5", { timeout: 0.5 }],
];

Deno.test("parseArgv() understands commands, words and options", () => {
  for (const [words, command, positionals, options] of PARSED) {
    assertEquals(parseArgv(words), { command, positionals, options }, words.join(" "));
  }
  for (const [words, options] of OPTIONS) {
    const parsed = parseArgv(["call", "G", ...words.split(" ")]);
    assertEquals(parsed, { command: "call", positionals: ["G"], options }, words);
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
      const parsed = parseArgv(["call", name, ...words], { isSwitch: SWITCHES });
      const wanted = { command: "call", positionals: [name, ...positionals], options };
      assertEquals<unknown>(parsed, wanted, words.join(" "));
    }
  }
  // One name, two tools: an argument that one of them gives a value takes one.
  assertEquals(parseArgv(["call", "find", "--quick", "-A"], { isSwitch: SWITCHES }).options, {});
  assertEquals(parseArgv(["call", "one/Find", "--quick", "-A"], { isSwitch: SWITCHES }).options, {
    allowAll: true,
  });
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
            const { positionals, options } = parseArgv(["call", name, option, flag], { isSwitch: switches });
            assertEquals([positionals, options], [[name, option, flag], {}], `${option} ${flag}`);
          }
        }
      }
    }
  }
});

const REFUSED: [words: string[], message: string][] = [
  [["cal", "G"], 'Unknown command "cal", did you mean "call"? See: bulkhead --help'],
  [["frobnicate"], 'Unknown command "frobnicate", see: bulkhead --help'],
  [[""], 'Unknown command "", see: bulkhead --help'],
  [["toString"], 'Unknown command "toString", see: bulkhead --help'],
  [["cal", "--help"], 'Unknown command "cal", did you mean "call"? See: bulkhead --help'],
  [["--zzzzzzzz"], 'Unknown option "--zzzzzzzz", see: bulkhead --help'],
  [
    ["call", "--allowRead"],
    'Unknown option "--allowRead", did you mean "--allow-read"? See: bulkhead call --help',
  ],
  [["version", "-A"], 'Option -A has no meaning for "version", see: bulkhead version --help'],
  [["audit"], "Missing FILE, write: bulkhead audit FILE|- [options], see: bulkhead audit --help"],
  [
    ["tools", "--tool=a", "--toolset=b"],
    "Options --tool and --toolset exclude each other: give one of them, see: bulkhead tools --help",
  ],
  [
    ["batch", "a", "b"],
    'Unexpected word "b", write: bulkhead batch FILE|- [options], see: bulkhead batch --help',
  ],
  [
    ["batch", "-", "--max-parallel=1.5"],
    'Option --max-parallel must be a whole number of calls from 1 to 64, not "1.5", see: bulkhead batch --help',
  ],
  [["version", "1"], 'Unexpected word "1", write: bulkhead version [options], see: bulkhead version --help'],
  [["schema", "lock"], "Write: bulkhead schema lock FILE, see: bulkhead schema --help"],
  [["schema", "check", "a", "b"], "Write: bulkhead schema check FILE, see: bulkhead schema --help"],
  [
    ["completions", "powershell"],
    'Unknown shell "powershell": there are bash, zsh, fish, see: bulkhead completions --help',
  ],
  [
    ["help", "a", "b", "c"],
    'Unexpected word "c", write: bulkhead help [COMMAND [ACTION]|TOPIC|TOOL], see: bulkhead help --help',
  ],
];

const MEANS_NOTHING =
  'Option --fail-fast has no meaning for "call"; for an argument of the tool write fail_fast=VALUE';
const SECONDS = "Option --timeout must be a number of seconds from 0.001 to 86400, not";
/** What stands behind `call`, parted by `|`, and what is told before the help of the command is named. */
const OF_CALL: [words: string, message: string][] = [
  ["", "Missing TOOL, write: bulkhead call TOOL [JSON|@FILE|-] [key=value | key:=JSON ...] [options]"],
  ["--constructor|G", 'Unknown option "--constructor"'],
  ["-x=secret|G", 'Unknown option "-x"'],
  ["-qx|G", 'Unknown option "-x"'],
  ["G|--fail-fast", MEANS_NOTHING],
  ["G|--json=true", "Option --json takes no value"],
  ["G|-q=1", "Option -q takes no value"],
  ["G|--session", "Option --session needs a value: --session ID"],
  ["G|--session=", "Option --session needs a value: --session ID"],
  ["G|-C|", "Option -C needs a value: -C DIR"],
  ["G|-C", "Option -C needs a value: -C DIR"],
  ["G|--sandbox-show|a", "Option --sandbox-show needs a value: write --sandbox-show=a (with =)"],
  ["G|--sandbox-show", "Option --sandbox-show needs a value: --sandbox-show=DIRS"],
  ["G|--session|a|--session=b", "Option --session is given twice"],
  ["G|-C|a|--workspace|b", "Option --workspace is given twice"],
  ["G|--allow-read=", "Option --allow-read has an empty value: write --allow-read=PATHS"],
  ["G|--allow-read=a,", "Option --allow-read has an empty value: write --allow-read=PATHS"],
  ["G|--allow-read|--allow-read=a", "Option --allow-read is given with and without a list: keep one of them"],
  ["G|--deny-read=a|--deny-read", "Option --deny-read is given with and without a list: keep one of them"],
  ["G|-A|--allow-net=x", "Options --allow-all and --allow-net exclude each other: give one of them"],
  ["G|--events|--json", "Options --json and --events exclude each other: give one of them"],
  [
    "G|--sandbox=never",
    'Option --sandbox must be one of auto, require, namespaces, landlock, off, not "never"',
  ],
  ["G|--timeout|abc", `${SECONDS} "abc"`],
  ["G|--timeout|0", `${SECONDS} "0"`],
  ["G|--timeout|0x10", `${SECONDS} "0x10"`],
];

Deno.test("parseArgv() refuses what the tables do not hold, and says what to do", () => {
  const ofCall = OF_CALL.map(([words, message]): typeof REFUSED[number] => [
    ["call", ...words === "" ? [] : words.split("|")],
    `${message}, see: bulkhead call --help`,
  ]);
  for (const [words, message] of [...REFUSED, ...ofCall]) {
    const error = assertThrows(() => parseArgv(words), ToolError);
    assertEquals([error.code, error.message], ["invalid_input", message], words.join(" "));
  }
});

Deno.test("parseArgv() puts the home in the place of ~ in every word that is a path, and nowhere else", () => {
  const rows: [word: string, value: unknown][] = [
    ["--allow-read=~/docs,~,/a~/b,c,,~/d", ["/h/docs", "/h", "/a~/b", "c,~/d"]],
    ["--deny-write=~/docs", ["/h/docs"]],
    ["--allow-secrets=~/.env", ["/h/.env"]],
    ["--sandbox-show=~/sdk", ["/h/sdk"]],
    ["--tools=~/tools", ["/h/tools"]],
    ["--workspace=~/shop", "/h/shop"],
    ["-C=~/shop", "/h/shop"],
    ["--audit=~/audit.jsonl", "/h/audit.jsonl"],
    ["--allow-run=~/x", ["~/x"]],
    ["--allow-read=~you/x", ["~you/x"]],
  ];
  for (const [word, value] of rows) {
    assertEquals(Object.values(parseArgv(["call", "T", word], { home: "/h" }).options), [value], word);
  }
  const { options } = parseArgv(["batch", "-", "--report=junit=~/x.xml", "-o", "~"], { home: "/h/" });
  assertEquals(options, { report: ["junit=/h/x.xml"], output: "/h" });
  assertEquals(parseArgv(["serve", "--workspaces=~/a,~/b"]).options.workspaces, ["~/a", "~/b"]);
});

Deno.test("parseArgv() stops where a list stands behind a blank in place of =", () => {
  const rows: [line: string, advice: string | null][] = [
    ["run hi --allow-net example.com", "--allow-net=example.com (with =; alone it allows every host)"],
    ["run --allow-net https://example.com/x", "--allow-net=example.com ("],
    ["run --allow-net localhost:8080", "--allow-net=localhost:8080 ("],
    ["run hi --allow-write ../other", "--allow-write=../other (with =; alone it allows every path)"],
    ["run hi --allow-read docs", "--allow-read=docs ("],
    ["run --allow-run git hi", "--allow-run=git ("],
    ["run hi --deny-net a.example,b.example", "(with =; alone it denies every host)"],
    ["exec --allow-net packages.example -- true", "--allow-net=packages.example ("],
    ["exec --allow-write ./out -- make", "--allow-write=./out ("],
    ["exec --allow-run git,make -- make", "--allow-run=git,make ("],
    ["exec --allow-net *.example.com curl x", "'--allow-net=*.example.com' ("],
    ["call Read package.json --allow-read ../other", "--allow-read=../other ("],
    ["call --allow-read /d/docs Read x", "--allow-read=/d/docs ("],
    ["mcp serve --http 8080", "--http=8080 ("],
    ["call Read x --allow-env CI", "needs a value: write --allow-env=CI (with =)"],
    ["--allow-net example.com run hi", "--allow-net=example.com ("],
    // What else it may be, it is.
    ["run --allow-net hi", null],
    ["call --allow-read par/echo", null],
    ["call --allow-read Read x", null],
    ["call --allow-net Read path=../x", null],
    ["call Read --allow-net package.json", null],
    ["exec --allow-write ./build.sh x", null],
    ["exec --allow-net python3.11 x.py", null],
    ["exec --allow-run git status", null],
    ["--allow-read run hi", null],
    ["run --allow-read -- ./x", null],
  ];
  for (const [line, advice] of rows) {
    const parse = () => parseArgv(line.split(" "));
    if (advice === null) parse();
    else assertStringIncludes(assertThrows(parse, ToolError).message, advice, line);
  }
});

Deno.test("parseArgv() hands the nearest names to programs too", () => {
  const told = (...words: string[]) => assertThrows(() => parseArgv(words), ToolError).details;
  assertEquals(told("cal"), { candidates: ["call"], unknown_command: "cal" });
  assertEquals(told("call", "--jsn"), { candidates: ["--json"], unknown_option: "--jsn" });
});

Deno.test("parseArgv() clips long words in messages", () => {
  const error = assertThrows(() => parseArgv(["x".repeat(10_000)]), ToolError);
  assertEquals(error.message.length < 150, true);
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
  const places = optionWords(options, ["workspace", "allowRead"], (path) => `/w/${path}`);
  assertEquals(places, ["--workspace=/w/-odd", "--allow-read=/w/a,,b,/w/c"]);
});
