import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";

import { joinChunks } from "../../../scripts/compile/join_chunks.ts";
import { shrinkBundle } from "../../../scripts/compile/shrink_bundle.ts";
import { filesBelow } from "../../../scripts/compile/files_below.ts";
import { stop } from "esbuild";

const FILES: Readonly<Record<string, string>> = {
  "main.js":
    'import {one} from "./chunk-AAAAAAA1.js";console.log(one, (await import("./run_cli-AAAAAAA1.js")).run());',
  "run_cli-AAAAAAA1.js":
    'import {one,Kind} from "./chunk-AAAAAAA1.js";import {big} from "./big-AAAAAAA1.js";import bytes from "./_bytes_js.js";' +
    "const run=()=>[one, big() instanceof Array, new Kind() instanceof Kind, bytes.join()].join();export{run};",
  "chunk-AAAAAAA1.js": 'import"./chunk-AAAAAAA2.js";class Kind{};const one=1;export{one,Kind};',
  "chunk-AAAAAAA2.js": "var helper=1;export{helper as __commonJS};",
  "call-AAAAAAA1.js": "export const call=1;",
  "version-AAAAAAA1.js": "export const version=1;",
  "room_process-AAAAAAA1.js":
    'import {Kind} from "./chunk-AAAAAAA1.js";export const isKind=(k)=>k instanceof Kind;',
  "runtime/entries/room.js": 'import {Kind} from "../../chunk-AAAAAAA1.js";new Kind();',
  "big-AAAAAAA1.js":
    'import "./chunk-AAAAAAA2.js";const text=\'import "./nowhere.js"\';const big=()=>[text];export{big};//' +
    "x".repeat(70_000),
  "_bytes_js.js": "export default new Uint8Array(2);",
};

Deno.test("a bundle for a binary does what it did, with its chunks joined and its large ones packed", async () => {
  const folder = await Deno.makeTempDir({ prefix: "bulkhead-join-" });
  try {
    await Deno.mkdir(join(folder, "runtime/entries"), { recursive: true });
    for (const [name, code] of Object.entries(FILES)) await Deno.writeTextFile(join(folder, name), code);
    await joinChunks(folder);
    await shrinkBundle(folder, new Map([["_bytes_js.js", new Uint8Array([7, 8])]]));
    await stop();
    assertEquals(await outputOf(folder, "main.js"), "1 1,true,true,7,8\n");
    const text = (name: string) => Deno.readTextFileSync(join(folder, name));
    // What two ways share is one class in both.
    assert(text("run_cli-AAAAAAA1.js").includes("joined-"));
    assertEquals(filesBelow(folder).filter((name) => text(name).includes("class")).length, 1);
    assert(filesBelow(folder).every((name) => !text(name).includes("xxx")));
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
