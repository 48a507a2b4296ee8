import { assert, assertEquals, assertMatch } from "@std/assert";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import config from "../deno.json" with { type: "json" };
import { flagOf, OPTION_NAMES } from "../runtime/cli/args/option_table.ts";
import { RULE_NAMES } from "../runtime/programs/shell/judge/broken_rules.ts";
import { commandPolicy, policyScopes } from "../runtime/walls/grants/policies.ts";
import { PROGRAM_LIMITS } from "../schemas/config.ts";
import { EXIT_CODES } from "../schemas/error.ts";
import { POLICY_NAMES } from "../schemas/grants.ts";
import type { Manifest } from "../schemas/manifest.ts";
import manifest from "../tools/manifest.json" with { type: "json" };
import { boxTest } from "./support/box.ts";
import { program } from "./support/program.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const README = Deno.readTextFileSync(join(ROOT, "README.md"));
/** Where the examples of README seem to run. */
const SHOWN_HOME = "/home/you";
/** Flags of `deno task compile`. */
const COMPILE_FLAGS = ["--target", "--deno"];
/** How README words what a policy says about commands. */
const LEVELS = {
  "free": "all but what the rules forbid",
  "no-write": "also none that is known to write",
  "listed": "only those that are known to read",
};

for (const [, info = "", block = ""] of README.matchAll(/^```console(.*)\n([^]*?)^```$/gm)) {
  const first = block.split("\n")[0];
  const register = info.trim() === "box" ? boxTest : Deno.test;
  register(`README shows what happens: ${first}`, () => checkExample(block));
}

Deno.test("README lists every exit code with its error codes", () => {
  const rows = tableAfter("| exit | error codes").map((
    [exit = "", codes = ""],
  ) => [Number(exit), words(codes)]);
  for (const [code, exit] of Object.entries(EXIT_CODES)) {
    const listed = rows.filter(([, codes]) => (codes as string[]).includes(code)).map(([exit]) => exit);
    assertEquals(listed, [exit], code);
  }
  const known: readonly string[] = Object.keys(EXIT_CODES);
  for (const [, codes] of rows) for (const code of codes as string[]) assert(known.includes(code), code);
});

Deno.test("README lists the tools as the manifest has them", () => {
  const rows = tableAfter("| set ").map((row) => row.slice(0, 4));
  const { tools } = manifest as Manifest;
  const expected = tools.map(({ toolset, name, needs, parallel }) => [
    toolset,
    name,
    Object.keys(needs).join(" ") || "nothing",
    parallel ? "yes" : "no",
  ]);
  assertEquals(rows, expected);
});

Deno.test("README lists the policies with what they grant", () => {
  const rows = tableAfter("| policy ").map(([name = "", ...scopes]) => [words(name)[0], ...scopes]);
  const show = (scope: unknown) => Array.isArray(scope) && scope.length === 0 ? "nothing" : "workspace";
  const expected = POLICY_NAMES.map((name) => {
    const { read, write } = policyScopes(name, "/ws");
    return [name, show(read), show(write), LEVELS[commandPolicy(name).level]];
  });
  assertEquals(rows.map(([name, read, write, , commands]) => [name, read, write, commands]), expected);
});

Deno.test("README lists the rules about commands", () => {
  const listed = tableAfter("| rules ").flatMap(([rules = ""]) => words(rules));
  assertEquals(listed.toSorted(), RULE_NAMES.toSorted());
  assert(README.includes(`${RULE_NAMES.length} rules hold under every policy`));
});

Deno.test("README names all bounds of programs", () => {
  for (const name of Object.keys(PROGRAM_LIMITS)) assert(README.includes(`\`${name}\``), name);
});

Deno.test("README shows how to embed the runner as it works", async () => {
  const [, example = ""] = /^```ts\n(import [^]*?)^```$/m.exec(README) ?? [];
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
  assertMatch(lines[1] ?? "", /^true (box|process)$/);
  assertEquals([lines[0], ...lines.slice(2)], [
    "harness/Grep allowed",
    "harness/Write refused",
    "denied_by_policy",
    "",
  ]);
});

Deno.test("README names only flags that exist", () => {
  const known = new Set([...OPTION_NAMES.map(flagOf), ...COMPILE_FLAGS]);
  const named = [...README.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([flag]) => flag);
  assertEquals([...new Set(named)].filter((flag) => !known.has(flag)), []);
});

Deno.test("README names only tasks that exist", () => {
  const named = [...README.matchAll(/(?:deno(?:@[\d.]+)?) task (?:-q )?([a-z]+)/g)].map(([, task]) => task!);
  assertEquals(named.filter((task) => !Object.hasOwn(config.tasks, task)), []);
  assert(named.includes("demo") && named.includes("test"));
});

Deno.test("README lists only dependencies that are there", () => {
  const listed = tableAfter("| package ").map(([name = ""]) => words(name)[0]);
  const known = Object.keys(config.imports);
  assertEquals(listed.filter((name) => name === undefined || !known.includes(name)), []);
});

Deno.test("README names only files that exist", () => {
  const links = [...README.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path]) => path!);
  for (const path of [...links, "main.ts", "deno.json", "tools/mod.ts", "tools/manifest.json", ".ci/run"]) {
    assert(Deno.statSync(join(ROOT, path)).isFile, path);
  }
});

/** Runs the commands of an example in one shell, in a copy of the demo's folder, and compares all that they print. */
async function checkExample(block: string): Promise<void> {
  const home = Deno.realPathSync(await Deno.makeTempDir({ prefix: "bulkhead-readme-" }));
  try {
    const shop = join(home, "shop");
    await copyFolder(join(ROOT, "scripts/demo"), shop);
    await writeFiles(shop);
    await Deno.mkdir(join(home, "bin"));
    const command = program().map((word) => `'${word}'`).join(" ");
    await Deno.writeTextFile(join(home, "bin/bulkhead"), `#!/bin/sh\nexec ${command} "$@"\n`, {
      mode: 0o755,
    });
    const { stdout } = await new Deno.Command("/bin/sh", {
      args: ["-c", `exec 2>&1\n${shellScript(block)}`],
      cwd: shop,
      env: {
        PATH: `${join(home, "bin")}:${Deno.env.get("PATH")}`,
        XDG_STATE_HOME: join(home, "state"),
        INIT_CWD: shop,
        NO_COLOR: "1",
        LC_ALL: "C",
      },
    }).output();
    assertMatch(new TextDecoder().decode(stdout).replaceAll(home, SHOWN_HOME), patternOf(block));
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

/** Writes the files that README shows, each named after the language of its block. */
async function writeFiles(folder: string): Promise<void> {
  for (const [, name = "", text = ""] of README.matchAll(/^```\w+ (\S+\.\w+)\n([^]*?)^```$/gm)) {
    const real = text.replaceAll(SHOWN_HOME, dirname(folder));
    await Deno.writeTextFile(join(folder, name), real, { mode: name.endsWith(".sh") ? 0o755 : 0o644 });
  }
}

/** Prints each command before it runs, as a terminal shows it, and keeps `$?` for the next. */
function shellScript(block: string): string {
  const commands = block.split("\n").filter((line) => line.startsWith("$ ")).map((line) => line.slice(2));
  return commands
    .map((command) => `s=$?; printf '%s\\n' '$ ${command.replaceAll("'", `'\\''`)}'; (exit $s)\n${command}\n`)
    .join("");
}

/** In an example, `…` stands for anything. */
function patternOf(block: string): RegExp {
  const literal = block.split("…").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${literal.join("[^]*?")}$`);
}

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to);
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyFolder(join(from, name), join(to, name));
    else await Deno.copyFile(join(from, name), join(to, name));
  }
}

/** Returns the cells of the rows of the table whose head begins so. */
function tableAfter(head: string): string[][] {
  const lines = README.slice(README.indexOf(`\n${head}`) + 1).split("\n\n")[0]!.trim().split("\n").slice(2);
  assert(lines.length > 0, head);
  return lines.map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
}

/** The words in backticks. */
function words(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);
}
