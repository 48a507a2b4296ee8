import { assert, assertEquals, assertMatch } from "@std/assert";
import { dirname, join } from "@std/path";
import { parse, parseAll } from "@std/yaml";

import config from "../../../deno.json" with { type: "json" };
import { flagOf, OPTION_NAMES } from "../../../runtime/cli/args/options/option_table.ts";
import { parseArgv } from "../../../runtime/cli/args/parse_argv.ts";
import { sectionsOf } from "../../../runtime/cli/help/render_topic.ts";
import { PRESET_NAMES, presetOf } from "../../../runtime/model/providers/presets.ts";
import { RULE_NAMES } from "../../../runtime/programs/shell/judge/broken_rules.ts";
import { commandPolicy, policyScopes } from "../../../runtime/walls/grants/policies.ts";
import { PROGRAM_LIMITS } from "../../../schemas/config.ts";
import { EXIT_CODES } from "../../../schemas/error.ts";
import { POLICY_NAMES } from "../../../schemas/grants.ts";
import type { Manifest } from "../../../schemas/manifest.ts";
import { READMES, readReadme, ROOT, tableAfter, wordsIn } from "../../support/readme/readme.ts";
import { ENGINES } from "../../../tools/engine/web/search/engines.ts";
import manifest from "../../../tools/manifest.json" with { type: "json" };

/** How the README of the walls words what a policy says about commands. */
const LEVELS = {
  "free": "all but what the rules forbid",
  "no-write": "not those that write or run other code",
  "listed": "only those that are known to read",
};

const { tools } = manifest as Manifest;

Deno.test("schemas/README.md lists every exit code with its error codes", () => {
  const rows = tableAfter(readReadme("schemas/README.md"), "| exit | error codes").map((
    [exit = "", codes = ""],
  ) => [Number(exit), wordsIn(codes)]);
  for (const [code, exit] of Object.entries(EXIT_CODES)) {
    const listed = rows.filter(([, codes]) => (codes as string[]).includes(code)).map(([exit]) => exit);
    assertEquals(listed, [exit], code);
  }
  const known: readonly string[] = Object.keys(EXIT_CODES);
  for (const [, codes] of rows) for (const code of codes as string[]) assert(known.includes(code), code);
});

Deno.test("tools/README.md lists the tools as the manifest has them", () => {
  const sections = readReadme("tools/README.md").split("\n## ").filter((text) => text.includes("\n| set "));
  const rows = sections.flatMap((text) => tableAfter(text, "| set ")).map((row) => row.slice(0, 4));
  const expected = tools.map(({ toolset, name, needs, parallel }) => [
    toolset,
    name,
    Object.keys(needs).join(" ") || "nothing",
    parallel ? "yes" : "no",
  ]);
  assertEquals(rows, expected);
});

Deno.test("tools/README.md lists the search engines as the code has them", () => {
  const rows = tableAfter(readReadme("tools/README.md"), "| engine ").map((
    [name = "", key = "", address = ""],
  ) => [
    name,
    wordsIn(key)[0],
    wordsIn(address)[0],
  ]);
  const expected = [...ENGINES.values()].map(({ service: { name, key, urlVariable } }) => [
    name,
    key?.variable,
    urlVariable,
  ]);
  assertEquals(rows, expected);
});

Deno.test("README.md counts the tools and names every set", () => {
  const readme = readReadme("README.md");
  const counts = [...readme.matchAll(/(\d+) tools\b/g)].map(([, count]) => Number(count));
  assertEquals(new Set(counts), new Set([tools.length]));
  const sets = tableAfter(readme, "| set ").map(([link = ""]) => /^\[(\w+)\]/.exec(link)?.[1]);
  assertEquals(sets, [...new Set(tools.map(({ toolset }) => toolset))]);
});

Deno.test("runtime/walls/README.md lists the policies with what they grant", () => {
  const table = tableAfter(readReadme("runtime/walls/README.md"), "| policy ");
  const rows = table.map(([name = "", ...scopes]) => [wordsIn(name)[0], ...scopes]);
  const show = (scope: unknown) => Array.isArray(scope) && scope.length === 0 ? "nothing" : "workspace";
  const expected = POLICY_NAMES.map((name) => {
    const { read, write } = policyScopes(name, "/ws");
    return [name, show(read), show(write), LEVELS[commandPolicy(name).level]];
  });
  assertEquals(rows.map(([name, read, write, , commands]) => [name, read, write, commands]), expected);
});

Deno.test("runtime/programs/README.md lists the rules about commands", () => {
  const readme = readReadme("runtime/programs/README.md");
  const listed = tableAfter(readme, "| rules ").flatMap(([rules = ""]) => wordsIn(rules));
  assertEquals(listed.toSorted(), RULE_NAMES.toSorted());
  assert(readme.includes(`${RULE_NAMES.length} rules hold under every policy`));
});

Deno.test("runtime/model/README.md lists the providers as the data has them", () => {
  const readme = readReadme("runtime/model/README.md");
  const rows = tableAfter(readme, "| provider ").map((row) =>
    row.map((cell) => [cell.startsWith("none"), ...wordsIn(cell)])
  );
  const expected = PRESET_NAMES.map((name) => {
    const { baseUrl, keys, keyless = false } = presetOf(name);
    return [[false, name], [false, baseUrl], [keyless, ...keys]];
  });
  assertEquals(rows, expected);
  for (const name of PRESET_NAMES.flatMap((name) => presetOf(name).addresses ?? [])) {
    assert(readme.includes(`\`${name}\``), name);
  }
});

Deno.test("runtime/host/README.md names all bounds of programs", () => {
  const readme = readReadme("runtime/host/README.md");
  for (const name of Object.keys(PROGRAM_LIMITS)) assert(readme.includes(`\`${name}\``), name);
});

Deno.test("runtime/README.md shows how to embed the runner as it works", async () => {
  const [, example = ""] = /^```ts\n(import [^]*?)^```$/m.exec(readReadme("runtime/README.md")) ?? [];
  const fixture = join(ROOT, "tests/fixtures/embed_example.ts");
  const [, source] = /^\/\/ .*\n([^]*)$/.exec(Deno.readTextFileSync(fixture)) ?? [];
  assertEquals(example.replace("./runtime/", "../../runtime/"), source);
  const [, ...flags] = config.tasks.start.command.split(" ");
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [...flags.slice(0, -1), fixture],
    cwd: join(ROOT, "scripts/demo"),
    stderr: "inherit",
  }).output();
  const lines = new TextDecoder().decode(stdout).split("\n");
  assertMatch(lines[1] ?? "", /^true (sandbox|process)$/);
  assertEquals([lines[0], ...lines.slice(2)], [
    "harness/Grep allowed",
    "harness/Write refused",
    "denied_by_policy",
    "",
  ]);
});

Deno.test("scripts/README.md lists only dependencies that are there", () => {
  const listed = tableAfter(readReadme("scripts/README.md"), "| package ").map(([name = ""]) =>
    wordsIn(name)[0]
  );
  const known = Object.keys(config.imports).map((name) => name.replace(/\/$/, ""));
  assertEquals(listed.filter((name) => name === undefined || !known.includes(name)), []);
});

Deno.test("the recipes of runtime/server/README.md can be read, and start what there is", () => {
  const readme = readReadme("runtime/server/README.md");
  const blocks = [...readme.matchAll(/^```yaml.*\n([^]*?)^```$/gm)].map(([, block = ""]) => block);
  const resources = blocks.filter((block) => block.startsWith("apiVersion:")).flatMap((block) =>
    parseAll(block)
  );
  // deno-lint-ignore no-explicit-any
  const containers = resources.flatMap((one: any) => one.spec.template.spec.containers);
  const [checks = ""] = blocks.filter((block) => block.startsWith("jobs:"));
  // deno-lint-ignore no-explicit-any
  const steps = (parse(checks) as any).jobs.checks.steps as { run?: string }[];
  const [, run = ""] = /\| bulkhead (.*) >/.exec(steps.map(({ run }) => run ?? "").join("\n")) ?? [];
  const [, unit = ""] = /^ExecStart=\S+ (.*)$/m.exec(readme) ?? [];
  const [, container = "[]"] = /^CMD (.*)$/m.exec(readme) ?? [];
  const starts = [
    ...containers.map(({ args }: { args: string[] }) => args),
    ...[unit, run].map((words) => words.split(" ")),
    JSON.parse(container) as string[],
  ];
  const commands = starts.map((words) => parseArgv(words).command);
  assertEquals(commands, ["serve", "batch", "serve", "batch", "serve"]);
});

/** Of the front page. */
const MAX_BYTES = 10_240;
/** Of a section: what a reader takes in at once. */
const MAX_LINES = 60;
const COMPILE_FLAGS = ["--target", "--deno"];
/** Flags of `deno task release`, and of the script that installs. */
const RELEASE_FLAGS = [
  "--allow-missing",
  "--runtime",
  "--binary",
  "--url",
  "--previous",
  "--prefix",
  "--from",
];
const TEST_FLAGS = ["--tier", "--write-figures"];
/** Flags of bash that the list of a set's differences names. */
const BASH_FLAGS = ["--noprofile", "--norc"];
/** Of Chrome. */
const BROWSER_FLAGS = ["--remote-debugging-port", "--user-data-dir"];
/** Flags of engines of containers. */
const CONTAINER_FLAGS = ["--security-opt"];
/** Files that are named in texts, not linked. */
const NAMED_FILES = ["main.ts", "deno.json", "tools/mod.ts", "tools/manifest.json", ".ci/run"];

Deno.test("README.md is short", () => {
  assert(new TextEncoder().encode(readReadme("README.md")).length <= MAX_BYTES);
});

Deno.test("each section of a README is short", () => {
  // A toolset's own README is one list of differences.
  const long = READMES.filter((path) => !/^tools\/\w+\//.test(path)).flatMap((path) =>
    [...sectionsOf(readReadme(path))].flatMap(([heading, text]) => {
      const lines = text.trimEnd().split("\n").length;
      return lines > MAX_LINES ? [`${path}: ${heading}: ${lines} lines`] : [];
    })
  );
  assertEquals(long, []);
});

Deno.test("READMEs name only flags that exist", () => {
  const known = new Set([
    ...OPTION_NAMES.map(flagOf),
    ...COMPILE_FLAGS,
    ...RELEASE_FLAGS,
    ...TEST_FLAGS,
    ...BASH_FLAGS,
    ...CONTAINER_FLAGS,
    ...BROWSER_FLAGS,
  ]);
  for (const path of READMES) {
    const named = [...readReadme(path).matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([flag]) => flag);
    assertEquals([...new Set(named)].filter((flag) => !known.has(flag)), [], path);
  }
});

Deno.test("READMEs name only tasks that exist", () => {
  const tasks = (path: string) =>
    [...readReadme(path).matchAll(/(?:deno(?:@[\d.]+)?) task (?:-q )?([a-z]+)/g)].map(([, task]) => task!);
  for (const path of READMES) {
    assertEquals(tasks(path).filter((task) => !Object.hasOwn(config.tasks, task)), [], path);
  }
  assert(tasks("README.md").includes("demo") && tasks("README.md").includes("test"));
});

Deno.test("READMEs name only files that exist", () => {
  for (const path of READMES) {
    const links = [...readReadme(path).matchAll(/\]\(([^)#:]+)\)/g)].map(([, link]) => link!);
    for (const link of links) {
      assert(Deno.statSync(join(ROOT, dirname(path), link)).isFile, `${path}: ${link}`);
    }
  }
  for (const path of NAMED_FILES) assert(Deno.statSync(join(ROOT, path)).isFile, path);
});

Deno.test("README.md leads to every README that is not a toolset's", () => {
  const links = [...readReadme("README.md").matchAll(/\]\(([^)#:]+)\)/g)].map(([, link]) => link!);
  const expected = READMES.filter((path) => path !== "README.md");
  assertEquals(expected.filter((path) => !links.includes(path)), []);
});

Deno.test("the map in runtime/README.md is the tree of folders", () => {
  const sections = sectionsOf(readReadme("runtime/README.md"));
  const section = [...sections].map(([name, text]) => name.endsWith("folders of runtime") ? text : "").join(
    "",
  );
  const lines = [...section.matchAll(/^ {4}( *)(\w+)\/ {2,}(\S.*)$/gm)];
  assertEquals(lines.length, section.split("\n").filter((line) => line.startsWith("    ")).length);
  const above: string[] = [];
  const mapped = lines.map(([, indent = "", name = ""]) => {
    above.splice(indent.length / 2, above.length, name);
    return above.join("/");
  });
  assertEquals(mapped.toSorted(), foldersIn(join(ROOT, "runtime")));
});

/** Returns all folders below one, by their paths from there. */
function foldersIn(root: string, folder = ""): string[] {
  return [...Deno.readDirSync(join(root, folder))].flatMap(({ name, isDirectory }) => {
    const path = folder === "" ? name : `${folder}/${name}`;
    return isDirectory ? [path, ...foldersIn(root, path)] : [];
  }).sort();
}
