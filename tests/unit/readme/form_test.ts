import { assert, assertEquals } from "@std/assert";
import { dirname, join } from "@std/path";

import config from "../../../deno.json" with { type: "json" };
import { flagOf, OPTION_NAMES } from "../../../runtime/cli/args/options/option_table.ts";
import { sectionsOf } from "../../../runtime/cli/help/render_topic.ts";
import { READMES, readReadme, ROOT } from "../../support/readme/readme.ts";

/** Of the front page. */
const MAX_BYTES = 10_240;
/** Of a section: what a reader takes in at once. */
const MAX_LINES = 60;
/** Flags of `deno task compile`. */
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
/** Flags of bash that the list of a set's differences names. */
const BASH_FLAGS = ["--noprofile", "--norc"];
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
  const known = new Set([...OPTION_NAMES.map(flagOf), ...COMPILE_FLAGS, ...RELEASE_FLAGS, ...BASH_FLAGS]);
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
