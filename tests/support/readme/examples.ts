import { assertMatch } from "@std/assert";
import { dirname, join } from "@std/path";

import { boxTest } from "../box.ts";
import { makePerson } from "./person.ts";
import { readReadme } from "./readme.ts";

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

/** Runs the commands of an example in one bash, in a copy of the demo's folder, and compares all that they print. */
async function checkExample(block: string, readme: string): Promise<void> {
  await using person = await makePerson();
  await writeFiles(readme, person.shop);
  await person.own();
  const { output } = await person.bash(shellScript(block));
  assertMatch(output.replaceAll(person.home, SHOWN_HOME), patternOf(block));
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
