import { assert, assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import { fromFileUrl, join } from "@std/path";

import { bundle } from "../../../scripts/compile/bundle.ts";
import { filesBelow } from "../../../scripts/compile/files_below.ts";
import { chunkNames, withoutPlaces } from "../../../scripts/compile/same_names.ts";
import { shrinkBundle } from "../../../scripts/compile/shrink_bundle.ts";

const ROOT = fromFileUrl(new URL("../../..", import.meta.url));

for (
  const [what, name] of [["all that its source gives back", "main"], ["the bytes that it packs", "packed"]]
) {
  Deno.test(`a bundle gives back ${what}`, async () => {
    const folder = await Deno.makeTempDir({ prefix: "bulkhead-bundle-" });
    try {
      const source = join(ROOT, `tests/fixtures/bundle/${name}.ts`);
      await bundle(ROOT, [source], folder);
      assertEquals(await outputOf(join(folder, `${name}.js`)), await outputOf(source));
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

async function outputOf(path: string, flags: readonly string[] = []): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", ...flags, path],
    stderr: "inherit",
  }).output();
  const text = new TextDecoder().decode(stdout);
  assertNotEquals(text, "");
  return text;
}

Deno.test("withoutPlaces() takes out where Deno's cache lies, and nothing else", () => {
  for (const place of ["../../../root/.cache/deno", "../../work/cache", "./deno"]) {
    const code = `var a=b({"${place}/npm/registry.example/@a/b/1.2.0/lib/c.js"(d){e("./npm/x/y.js")}})`;
    assertEquals(withoutPlaces(code), 'var a=b({"@a/b/1.2.0/lib/c.js"(d){e("./npm/x/y.js")}})');
  }
});

Deno.test("chunkNames() names chunks by what is in them and around them", () => {
  const built = (one: string, other: string, text = "b()") =>
    new Map([
      ["main.js", `import"./a-${one}.js";import"./a-${other}.js"`],
      [`a-${one}.js`, `import"./chunk-${other}.js";a()`],
      [`a-${other}.js`, "a()"],
      [`chunk-${other}.js`, text],
      ["_left_out_js.js", "c()"],
    ]);
  const first = [...chunkNames(built("AAAAAAA1", "AAAAAAA2")).values()];
  assertEquals(first.map((name) => name.replace(/-.*/, "")), ["a", "a", "chunk"]);
  assertEquals([...chunkNames(built("BBBBBBB2", "BBBBBBB1")).values()], first);
  const changed = [...chunkNames(built("AAAAAAA1", "AAAAAAA2", "z()")).values()];
  assertNotEquals(changed[0], first[0]);
  const twins = new Map([["main.js", ""], ["a-AAAAAAA1.js", "a()"], ["a-AAAAAAA2.js", "a()"]]);
  assertThrows(() => chunkNames(twins), Error, "Two chunks");
});

Deno.test("a bundle is the same in every folder", async () => {
  const home = await Deno.makeTempDir({ prefix: "bulkhead-same-" });
  try {
    const made = [];
    for (const place of ["one", "another/much/deeper"]) {
      const root = join(home, place);
      await Deno.mkdir(root, { recursive: true });
      await Deno.copyFile("deno.json", join(root, "deno.json"));
      await Deno.copyFile("deno.lock", join(root, "deno.lock"));
      await Deno.mkdir(join(root, "runtime/server/page"), { recursive: true });
      await Deno.copyFile("runtime/server/page/deno.json", join(root, "runtime/server/page/deno.json"));
      await Deno.writeTextFile(
        join(root, "main.ts"),
        'import robots from "robots-parser";\nawait import("./more.ts");\nrobots("", "");\n',
      );
      await Deno.writeTextFile(join(root, "more.ts"), 'import "robots-parser";\nexport const more = 1;\n');
      await bundle(root, ["main.ts"], join(root, "out"));
      const files = filesBelow(join(root, "out"));
      made.push(files.map((path) => {
        const text = Deno.readTextFileSync(join(root, "out", path));
        return [path, text, Deno.statSync(join(root, "out", path)).mtime?.getTime()];
      }));
    }
    assertEquals(made[0], made[1]);
    assertEquals(made[0]!.some(([, text]) => String(text).includes("/npm/")), false);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

/** More than any file that is left as it is. */
const FILL = `//${"x".repeat(70_000)}`;
const FILES: Readonly<Record<string, string>> = {
  "main.js": `import {one} from "./chunk-AAAAAAA1.js";import {big} from "./big-AAAAAAA1.js";
    import {kept} from "./kept-AAAAAAA1.js";import bytes from "./_bytes_js.js";
    console.log(one, big() instanceof Array, kept === one, bytes.join());`,
  "chunk-AAAAAAA1.js": "const one={};export{one};",
  "chunk-AAAAAAA2.js": "var helper=1;export{helper as __commonJS};",
  "big-AAAAAAA1.js":
    `import "./chunk-AAAAAAA2.js";const text='import "./nowhere.js"';const big=()=>[text];export{big};${FILL}`,
  "kept-AAAAAAA1.js": `import {one} from "./chunk-AAAAAAA1.js";const kept=one;export{kept};${FILL}`,
  "_bytes_js.js": "export default new Uint8Array(2);",
};

Deno.test("a bundle does what it did once its large modules are packed, and what they share stays one", async () => {
  const folder = await Deno.makeTempDir({ prefix: "bulkhead-shrink-" });
  try {
    for (const [name, code] of Object.entries(FILES)) await Deno.writeTextFile(join(folder, name), code);
    await shrinkBundle(folder, new Map([["_bytes_js.js", new Uint8Array([7, 8])]]));
    assertEquals(
      await outputOf(join(folder, "main.js"), ["--no-config", "--unstable-raw-imports"]),
      "{} true true 7,8\n",
    );
    const large = filesBelow(folder).filter((name) => Deno.statSync(join(folder, name)).size > FILL.length);
    assertEquals(large, ["kept-AAAAAAA1.js"]);
    assert(filesBelow(folder).includes("big-AAAAAAA1.deflate"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
