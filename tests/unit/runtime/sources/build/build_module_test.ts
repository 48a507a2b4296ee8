import { assert, assertEquals } from "@std/assert";

import build from "../../../../../runtime/sources/build/build_module.ts";
import { shared } from "../../../../../runtime/rooms/inside/shared_modules.ts";
import { workspace } from "../../../../support/run_tool.ts";

/** Builds a file of a workspace whose package is `pk`, and which holds a cache of packages. */
async function buildIn(ws: ReturnType<typeof workspace>, file: string) {
  const input = { file: ws.at(file), root: ws.at("pk"), cache: ws.at("npm") };
  return await ws.run(build, input, { read: [ws.at("pk"), ws.at("npm")] });
}

/** Runs what came out, and returns its default export. */
async function defaultOf(code: string): Promise<unknown> {
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)).default;
}

function pack(name: string, version: string, code: string, rest: Record<string, unknown> = {}) {
  const home = `npm/${name}/${version}`;
  const own = { name, version, main: "i.js", type: "module", ...rest };
  return { [`${home}/package.json`]: JSON.stringify(own), [`${home}/i.js`]: code };
}

Deno.test("a build removes types and joins files, and tells what went in and what was not there", async () => {
  using ws = workspace({
    "pk/a.ts": 'import { b } from "./b.js"; enum E { One = 1 } export default (b as number) + E.One;',
    "pk/b.ts": "export const b: number = 2; export type T = string;",
    "npm/x": "",
  });
  const { result } = await buildIn(ws, "pk/a.ts");
  assertEquals(await defaultOf(result.code), 3);
  assertEquals(result.files.toSorted(), [ws.at("pk/a.ts"), ws.at("pk/b.ts")]);
  assert(result.missing.includes(ws.at("pk/b.js")) && result.missing.includes(ws.at("pk/deno.json")));
});

Deno.test("npm: names are found in Deno's cache, in the versions that are asked for", async () => {
  using ws = workspace({
    ...pack("left", "1.2.0", 'import { v } from "@s/right"; export default "left 1.2, right " + v;', {
      dependencies: { "@s/right": "^2.0.0" },
    }),
    ...pack("left", "2.0.0", 'export default "left 2";'),
    ...pack("@s/right", "2.5.1", 'export const v = "2.5.1";'),
    ...pack("@s/right", "3.0.0", 'export const v = "3";'),
    "pk/deno.json": '{"imports":{"left":"npm:left@^1.0.0"}}',
    "pk/named.ts": 'import left from "left"; export default left;',
    "pk/written.ts": 'import left from "npm:left@2"; export default left;',
    "pk/bare.ts": 'import { v } from "@s/right"; export default v;',
  });
  assertEquals(await defaultOf((await buildIn(ws, "pk/named.ts")).result.code), "left 1.2, right 2.5.1");
  assertEquals(await defaultOf((await buildIn(ws, "pk/written.ts")).result.code), "left 2");
  assertEquals((await buildIn(ws, "pk/bare.ts")).error?.code, "invalid_input");
});

Deno.test("bulkhead and zod are the running program's own", async () => {
  using ws = workspace({
    "pk/a.ts":
      'import { defineTool } from "bulkhead"; import * as z from "zod"; import { string } from "npm:zod@4";\n' +
      'import { date } from "zod/v4"; export default [defineTool, z.number, string, date];',
    "npm/x": "",
  });
  const { result } = await buildIn(ws, "pk/a.ts");
  const modules = { bulkhead: { defineTool: 1 }, zod: { number: 2, string: 3, date: 4 } };
  Object.defineProperty(globalThis, shared.symbol, { value: modules, configurable: true });
  assertEquals(await defaultOf(result.code), [1, 2, 3, 4]);
  Reflect.deleteProperty(globalThis, shared.symbol);
});

Deno.test("a build refuses what lies outside, and says where code is wrong", async () => {
  using ws = workspace({
    "out.ts": "export default 1",
    "pk/a.ts": 'import x from "../out.ts"; export default x',
    "pk/b.ts": "export default 1 +;",
    "npm/x": "",
  });
  const outside = await buildIn(ws, "pk/a.ts");
  assertEquals(outside.error?.code, "permission_denied");
  const wrong = await buildIn(ws, "pk/b.ts");
  assertEquals(wrong.error?.code, "invalid_input");
  assert(wrong.text.includes("pk/b.ts"), wrong.text);
  const lines = ["using x = open();", "await using x: Disposable = open();", "for (using x of [open()]);"];
  for (const [at, line] of lines.entries()) {
    Deno.writeTextFileSync(
      ws.at("pk/c.ts"),
      `const open = () => null!;\nexport default async () => {\n${line}\n};`,
    );
    const { text } = await buildIn(ws, "pk/c.ts");
    assert(/c\.ts:3:.*`using` is not understood/.test(text), `${at} ${text}`);
  }
});

Deno.test("a build refuses namespaces, which would be left out without a word", async () => {
  using ws = workspace({ "npm/x": "", "pk/x": "" });
  const textOf = async (code: string) => {
    Deno.writeTextFileSync(ws.at("pk/n.ts"), code);
    return (await buildIn(ws, "pk/n.ts")).text;
  };
  for (
    const code of [
      "namespace Deep { export const v = 7; }\nexport default 1;",
      "export namespace Deep\n{ export const v = 7; }\nexport default 1;",
      "const a = 1; namespace Deep { export const v = 7; }\nexport default a;",
      "// namespace Deep {\nnamespace Deep { export const v = 7; }\nexport default 1;",
    ]
  ) assert((await textOf(code)).includes('the namespace "Deep" is not understood'), code);
  for (
    const code of [
      "declare global {\n  namespace Deep { let v: number; }\n}\nexport default 1;",
      "/*\nnamespace Deep {\n*/\nexport default `\nnamespace Wide {\n`;",
    ]
  ) assert(!(await textOf(code)).includes("is not understood"), code);
});
