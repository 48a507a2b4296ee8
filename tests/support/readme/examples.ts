import { assertMatch } from "@std/assert";
import { dirname, join } from "@std/path";

import { boxTest } from "../box.ts";
import { program } from "../program.ts";
import { readReadme, ROOT } from "./readme.ts";

/** Where the examples of a README seem to run. */
const SHOWN_HOME = "/home/you";

/** Registers a test for each example of a README: a block `console`, or `console box` if it needs a sandbox. */
export function testExamples(path: string): void {
  const readme = readReadme(path);
  for (const [, info = "", block = ""] of readme.matchAll(/^```console(.*)\n([^]*?)^```$/gm)) {
    const first = block.split("\n")[0];
    const register = info.trim() === "box" ? boxTest : Deno.test;
    register(`${path} shows what happens: ${first}`, () => checkExample(block, readme));
  }
}

/** Runs the commands of an example in one shell, in a copy of the demo's folder, and compares all that they print. */
async function checkExample(block: string, readme: string): Promise<void> {
  const home = Deno.realPathSync(await Deno.makeTempDir({ prefix: "bulkhead-readme-" }));
  try {
    const shop = join(home, "shop");
    await copyFolder(join(ROOT, "scripts/demo"), shop);
    await writeFiles(readme, shop);
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

/** Writes the files that the README shows, each named after the language of its block. */
async function writeFiles(readme: string, folder: string): Promise<void> {
  for (const [, name = "", text = ""] of readme.matchAll(/^```\w+ (\S+\.\w+)\n([^]*?)^```$/gm)) {
    const real = text.replaceAll(SHOWN_HOME, dirname(folder));
    await Deno.mkdir(dirname(join(folder, name)), { recursive: true });
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
