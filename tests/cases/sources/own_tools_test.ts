import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { makeScene } from "../../support/cli/scene.ts";

const ADD = `
import { defineTool, ToolError } from "bulkhead";
import * as z from "zod";

enum Sign { Minus = -1, Plus = 1 }
interface Given { a: number; b: number }

export default defineTool({
  name: "add",
  description: "Add two numbers.",
  input: z.object({ a: z.number(), b: z.number().default(2) }),
  output: z.number(),
  run({ a, b }: Given): number {
    if (a < 0) throw new ToolError("invalid_input", "no negatives");
    return a + Sign.Plus * b;
  },
});
`;

Deno.test("a file with nothing beside it adds its tool to every face", async () => {
  using scene = makeScene({
    "tools/add.ts": ADD,
    "ws/calls.jsonl": '{"tool":"own/add","arguments":{"a":1}}\n',
  });
  const flags = ["--tools", scene.at("tools/add.ts")];
  const run = async (...words: string[]) => await scene.run([...words, ...flags]);
  assertEquals(await run("call", "add", "a=3"), { code: 0, stdout: "5\n", stderr: "" });
  const failed = await run("call", "add", "a=-3");
  assertEquals([failed.code, failed.stderr], [2, "no negatives\n"]);
  const wrong = await run("call", "add", "a=x");
  assertEquals(wrong.code, 2);
  assertEquals(JSON.parse((await run("batch", "calls.jsonl")).stdout).result, 3);
  assertStringIncludes((await run("tools", "own")).stdout, "own/add");
  assertEquals(JSON.parse((await run("schema", "own/add")).stdout)[0].title, "add");
  assertStringIncludes((await run("explain", "add", "a=1")).stdout, "verdict  would run");
  assertStringIncludes((await run("help", "own/add")).stdout, "Add two numbers");
  assertStringIncludes((await run("completions", "bash")).stdout, "own/add");
  assertStringIncludes((await run("doctor")).stdout, "add.ts: 1 tool");
});

/** A JSON Schema as an argument's type, calls, and what a person sees of each. */
const JSON_SCHEMAS:
  readonly (readonly [schema: unknown, ...calls: readonly [words: string, seen: string][]])[] = [
    [{ type: "object", properties: { a: { type: "string" } } }, [
      '{"a":"1","b":"two"}',
      '{"a":"1","b":"two"}',
    ], [
      "a:=[1]",
      "Parameter 'a' must be of type string.",
    ]],
    [{ type: "object", required: ["a"] }, ["b=1", "Missing required parameter: a"], [
      "a=1 b=x",
      '{"a":"1","b":"x"}',
    ]],
    [
      {
        type: "object",
        properties: { n: { type: "integer", minimum: 2, default: 5 } },
        additionalProperties: false,
      },
      ["", '{"n":5}'],
      ["n=1", "Parameter 'n' must be at least 2."],
      ['{"n":3,"m":1}', '{"n":3}'],
    ],
    [
      {
        $defs: { Tag: { enum: ["x", "y"] } },
        type: "object",
        properties: { tags: { type: "array", minItems: 1, items: { $ref: "#/$defs/Tag" } } },
      },
      ['tags:=["x"]', '{"tags":["x"]}'],
      ["tags:=[]", "Parameter 'tags' must contain at least 1 item(s)."],
      ['tags:=["z"]', 'Parameter \'tags[0]\' must be one of "x", "y".'],
    ],
    [{ type: "object", if: {}, then: {} }, ["", "Conditional schemas (if/then/else) are not supported"]],
    [{ type: "array" }, ["", "input must be an object"]],
  ];

Deno.test("a tool's types may be JSON Schemas, as open as they are written", async () => {
  const files = JSON_SCHEMAS.map(([schema], at) => [
    `tools/t${at}.mjs`,
    `export default { name: "t${at}", description: "Give back.", input: ${JSON.stringify(schema)}, ` +
    `output: { type: "object" }, run: (input) => input };`,
  ]);
  using scene = makeScene(Object.fromEntries(files));
  for (const [at, [, ...calls]] of JSON_SCHEMAS.entries()) {
    for (const [words, seen] of calls) {
      const path = scene.at(`tools/t${at}.mjs`);
      const { stdout, stderr } = await scene.run([
        "call",
        `t${at}`,
        ...words.split(" ").filter(Boolean),
        "--tools",
        path,
      ]);
      assertStringIncludes(`${stdout}${stderr}`, seen);
    }
  }
});

Deno.test("a file in another language, and a tool that has the name of a built-in one, are pointed at", async () => {
  using scene = makeScene({
    "tools/add.py": "print(1)",
    "tools/servers.toml": "",
    "read.mjs": 'export default { name: "Read", description: "Read.", run: () => "mine" };',
  });
  const python = await scene.run(["call", "add", "--tools", scene.at("tools/add.py")]);
  assertStringIncludes(python.stderr, "script_tools in the configuration, see: bulkhead help scripts");
  const toml = await scene.run(["call", "add", "--tools", scene.at("tools/servers.toml")]);
  assertStringIncludes(toml.stderr, "bulkhead help config");
  const read = await scene.run(["call", "Read", "path=x", "--tools", scene.at("read.mjs")]);
  assertStringIncludes(read.stderr, '"Read" was taken for harness/Read; for own/Read say the full name');
  const run = await scene.run([
    "run",
    "hi",
    "--model",
    "x",
    "--base-url",
    "http://127.0.0.1:9",
    "--tools",
    scene.at("read.mjs"),
  ]);
  assertStringIncludes(run.stderr, "rename yours where it is defined");
});

Deno.test("the user's file may name tools, and the project's may not", async () => {
  using scene = makeScene({ "home/tools/add.ts": ADD });
  const config = JSON.stringify({ tool_files: ["~/tools"], tools: { "own/add": { permission: "deny" } } });
  scene.write("home/.config/bulkhead/config.json", config);
  const denied = await scene.run(["call", "add", "a=3"]);
  assertEquals(denied.code, 3);
  scene.write("home/.config/bulkhead/config.json", '{"tool_files":["~/tools"]}');
  assertEquals((await scene.run(["call", "add", "a=3"])).stdout, "5\n");
  scene.write("home/.config/bulkhead/config.json", '{"tool_files":["~/gone"]}');
  const gone = await scene.run(["call", "add", "a=3"]);
  assertEquals(gone.code, 2);
  assertStringIncludes(gone.stderr, "the other tools go on without it");
  scene.write("home/.config/bulkhead/config.json", '{"tool_files":["tools"]}');
  assertEquals((await scene.run(["call", "add", "a=3"])).code, 6);
  scene.write("home/.config/bulkhead/config.json", "{}");
  scene.write("ws/bulkhead.json", JSON.stringify({ tool_files: [scene.at("home/tools")] }));
  const project = await scene.run(["call", "add", "a=3"]);
  assertEquals(project.code, 2);
  assertStringIncludes(project.stderr, "tool_files[0] ignored: write a path in the project");
  scene.link("../home/tools", "ws/tools");
  scene.write("ws/bulkhead.json", '{"tool_files":["tools"]}');
  assertStringIncludes((await scene.run(["call", "add", "a=3"])).stderr, "tool_files[0] ignored");
});

Deno.test("a tool imports its package: files, node_modules of both kinds, names of deno.json and package.json", async () => {
  using scene = makeScene({
    "pk/package.json": '{"imports":{"#own":"./src/own.ts"}}',
    "pk/deno.json": '{"imports":{"@/":"./src/","left":"npm:esm@^1.0.0"}}',
    "pk/node_modules/esm/package.json": '{"version":"1.0.0","module":"i.mjs"}',
    "pk/node_modules/esm/i.mjs":
      "export default (x) => `esm:${x}`; export const up = (s) => s.toUpperCase();",
    "pk/node_modules/cjs/package.json": '{"main":"./i.js"}',
    "pk/node_modules/cjs/i.js":
      'const o = require("./o");\nconst path = require("path");\nexports.join = (a) => path.join(a, process.env.NODE_ENV ? "?" : "", o.name);',
    "pk/node_modules/cjs/o.js": 'exports.name = "mid";',
    "pk/node_modules/@s/exp/package.json":
      '{"type":"module","exports":{".":{"import":"./lib/a.js"},"./sub/*":"./lib/*.js"}}',
    "pk/node_modules/@s/exp/lib/a.js": 'export const a = "A";',
    "pk/node_modules/@s/exp/lib/b.js": 'export const b = "B";',
    "pk/src/own.ts": 'export const own = "own"; export interface T { x: number }',
    "pk/src/deep/d.json": '{"k":"K"}',
    "pk/src/deep/x.ts": 'import { own } from "#own"; import d from "./d.json" with { type: "json" };\n' +
      'export const deep = own + d.k; export default await Promise.resolve("awaited");',
    "pk/tools/one.ts": `
      import { defineTool } from "bulkhead";
      import { z } from "npm:zod@4";
      import esm, { up } from "left";
      import { join } from "cjs";
      import { a } from "@s/exp";
      import { b } from "@s/exp/sub/b";
      import awaited, { deep } from "@/deep/x.ts";
      import type { T } from "../src/own.js";
      import * as path from "path";
      export const one = defineTool({
        name: "one",
        description: "One.",
        input: z.object({ x: z.string() }),
        async run({ x }) {
          const lazy = await import("../src/own.js");
          return [esm(x), up(x), join("1"), a, b, deep, awaited, path.basename("/a/b"), lazy.own] as unknown as T;
        },
      });`,
  });
  const all = ["esm:q", "Q", "1/mid", "A", "B", "ownK", "awaited", "b", "own"];
  const { code, stdout, stderr } = await scene.run(["call", "one", "x=q", "--tools", scene.at("pk/tools")]);
  assertEquals([code, stderr], [0, ""]);
  assertEquals(JSON.parse(stdout), all);
});

Deno.test("a change of what a tool imports counts at once", async () => {
  const tool = (body: string) =>
    `import { defineTool } from "bulkhead"; ${body}\n` +
    'export default defineTool({ name: "say", description: "Say.", run: () => word });';
  using scene = makeScene({
    "t/say.ts": tool('import { word } from "./word.ts";'),
    "t/word.ts": 'export const word = "a";',
  });
  const say = async () => (await scene.run(["call", "say", "--tools", scene.at("t/say.ts")])).stdout;
  assertEquals(await say(), "a\n");
  scene.write("t/word.ts", 'export const word = "b";');
  assertEquals(await say(), "b\n");
  scene.write("t/say.ts", tool('const word = "c";'));
  assertEquals(await say(), "c\n");
});

Deno.test("each mistake in a file is told with the tool, the field and what helps", async () => {
  const files: Readonly<Record<string, readonly [string, ...string[]]>> = {
    "wrong.ts": [
      'export default { name: "1x", permision: "allow" }',
      'tool "1x": name is "1x": write 1 to 64 letters, digits, "_" or "-", with a letter first',
      'tool "1x": permision is not known: did you mean "permission"?',
    ],
    "web.ts": ['import x from "https://example.com/x.js"; export default x', "nothing is fetched for a tool"],
    "none.ts": ["export const q = 1", "it exports no tool: write export default defineTool({ … })"],
    "date.ts": [
      'import * as z from "zod"; ' +
      'export default { name: "a", description: "A.", input: z.object({ o: z.object({ at: z.date() }) }), run() {} }',
      'tool "a": input has no JSON Schema at "o.at": Date cannot be represented in JSON Schema; ' +
      "write a type that JSON has, such as z.iso.datetime(), and convert it in run",
    ],
  };
  using scene = makeScene(
    Object.fromEntries(Object.entries(files).map(([name, [text]]) => [`t/${name}`, text])),
  );
  for (const [name, [, ...told]] of Object.entries(files)) {
    const { code, stderr } = await scene.run(["call", "x", "--tools", scene.at(`t/${name}`)]);
    assertEquals(code, 2, name);
    assertStringIncludes(stderr, `Cannot use the tools of "${scene.at(`t/${name}`)}": `);
    for (const line of told) assertStringIncludes(stderr, line);
  }
});

Deno.test("timeout, concurrency, permission and role of a tool of one's own hold, and progress is told", async () => {
  using scene = makeScene({
    "t.ts": `
      import { defineTool } from "bulkhead";
      const base = { description: "Does it.", timeout_seconds: 1 };
      const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
      export default [
        defineTool({ ...base, name: "slow", run: async () => { await wait(60_000); } }),
        defineTool({ ...base, name: "spin", run: () => { for (;;); } }),
        defineTool({ ...base, name: "asked", permission: "confirm", run: () => 1 }),
        defineTool({ ...base, name: "closed", permission: "deny", run: () => 1 }),
        defineTool({ ...base, name: "roles", permission: { roles: ["chief"] }, run: () => 1 }),
        defineTool({ ...base, name: "told", timeout_seconds: 30, run: async (_, { workspace, deadline, modelName, progress }) => {
          progress({ message: "half" });
          return [workspace, deadline > Date.now() && deadline < Date.now() + 31_000, modelName];
        } }),
      ];`,
  });
  const flags = ["--tools", scene.at("t.ts")];
  const codes: number[] = [];
  for (const name of ["slow", "spin", "asked", "closed", "roles"]) {
    codes.push((await scene.run(["call", name, ...flags])).code);
  }
  assertEquals(codes, [124, 124, 3, 3, 3]);
  assertEquals((await scene.run(["call", "roles", "--role", "chief", ...flags])).stdout, "1\n");
  const told = await scene.run(["call", "told", "--events", ...flags]);
  const events = told.stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert(events.some(({ type, message }) => type === "tool.progress" && message === "half"));
  assertEquals(events.find(({ type }) => type === "tool.end").result.result, [scene.ws, true, null]);
});

Deno.test("a tool reads and writes what it needs and is granted, through its context", async () => {
  using scene = makeScene({
    "ws/a.txt": "text of a",
    "t.ts": `
      import { defineTool } from "bulkhead";
      import * as z from "zod";
      const input = z.object({ path: z.string() });
      export const peek = defineTool({
        name: "peek", description: "Peek.", input, needs: { read: "workspace" }, paths: ["path"],
        targets: ({ path }) => [{ kind: "read", value: path }],
        async run({ path }, { files }) {
          const { file } = await files.open(path);
          const bytes = new Uint8Array(4);
          await file.read(bytes);
          file.close();
          return new TextDecoder().decode(bytes);
        },
      });
      export const leave = defineTool({
        name: "leave", description: "Leave.", input, needs: { write: "workspace" },
        async run({ path }, { files }) { await files.write(path, new Uint8Array([104, 105])); return "ok"; },
      });`,
  });
  const run = async (...words: string[]) => await scene.run(["call", ...words, "--tools", scene.at("t.ts")]);
  assertEquals((await run("peek", "path=a.txt")).stdout, "text\n");
  assertEquals((await run("peek", "path=../t.ts")).code, 3);
  assertEquals((await run("leave", "path=b.txt")).stdout, "ok\n");
  assertEquals(scene.read("ws/b.txt"), "hi");
  assertEquals((await run("leave", "path=c.txt", "--policy", "read-only")).code, 3);
});
