import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";

import { filesBelow } from "../../../../scripts/compile/files_below.ts";
import { shrinkBundle } from "../../../../scripts/compile/shrink_bundle.ts";

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
    assertEquals(await outputOf(folder, "main.js"), "{} true true 7,8\n");
    const large = filesBelow(folder).filter((name) => Deno.statSync(join(folder, name)).size > FILL.length);
    assertEquals(large, ["kept-AAAAAAA1.js"]);
    assert(filesBelow(folder).includes("big-AAAAAAA1.deflate"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

async function outputOf(folder: string, name: string): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--no-config", "--unstable-raw-imports", join(folder, name)],
    stderr: "inherit",
  }).output();
  return new TextDecoder().decode(stdout);
}
