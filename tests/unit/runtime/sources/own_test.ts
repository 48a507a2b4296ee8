import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";

import { createAgent, createRunner, type Model } from "../../../../runtime/mod.ts";
import build from "../../../../runtime/sources/build/build_module.ts";
import { findToolFiles } from "../../../../runtime/sources/own/find_tool_files.ts";
import { readDescription } from "../../../../runtime/sources/own/read_description.ts";
import { projectSources } from "../../../../runtime/sources/project/project_sources.ts";
import type { ProjectFile } from "../../../../runtime/sources/source.ts";
import { hashOfPart, keepTrust } from "../../../../runtime/state/trust/trust_store.ts";
import type { ModelReply } from "../../../../schemas/agent/model.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { emptyFiles } from "../../../support/listed.ts";
import { type Workspace, workspace } from "../../../support/run_tool.ts";

Deno.test("findToolFiles() takes the files of a folder, but for tests, declarations and hidden ones", () => {
  using ws = workspace(emptyFiles(
    "t/b.ts, t/a.js, t/_shared.ts, t/.c.ts, t/a_test.ts, t/a.test.ts, t/t.d.ts, t/data.json, t/x/y.ts",
  ));
  const found = findToolFiles(ws.at("t"), { home: "" });
  assertEquals(found.map(({ path }) => path), [ws.at("t/a.js"), ws.at("t/b.ts")]);
});

Deno.test("findToolFiles() finds the package, which is never a whole home", () => {
  using ws = workspace({
    "home/a.ts": "",
    "home/package.json": "{}",
    "home/p/deno.json": "{}",
    "home/p/q/b.ts": "",
    "home/r/c.ts": "",
  });
  const root = (path: string) => findToolFiles(ws.at(path), { home: ws.at("home") })[0]?.root;
  assertEquals(root("home/p/q/b.ts"), ws.at("home/p"));
  assertEquals(root("home/r/c.ts"), ws.at("home/r"));
  assertEquals(root("home/a.ts"), ws.at("home/a.ts"));
});

Deno.test("findToolFiles() says why a path has no tools", () => {
  using ws = workspace({ "a.py": "", "empty/x.json": "" });
  for (const path of ["a.py", "empty", "gone"]) {
    assertThrows(() => findToolFiles(ws.at(path), { home: "" }), ToolError, ws.at(path));
  }
});

Deno.test("findToolFiles() leads out of a project neither by a link nor by its package", () => {
  using ws = workspace({ "deno.json": "{}", "shop/tools/a.ts": "", "b.ts": "" });
  Deno.symlinkSync(ws.at("b.ts"), ws.at("shop/b.ts"));
  const project = { home: "", within: ws.at("shop") };
  assertEquals(findToolFiles(ws.at("shop/tools"), project)[0]?.root, ws.at("shop/tools"));
  Deno.writeTextFileSync(ws.at("shop/package.json"), "{}");
  assertEquals(findToolFiles(ws.at("shop/tools"), project)[0]?.root, ws.at("shop"));
  const error = assertThrows(() => findToolFiles(ws.at("shop/b.ts"), project), ToolError);
  assertEquals(error.code, "invalid_input");
});

/** A runner, or an agent, without the box, so that it works everywhere. */
const BASE = { sandbox: "off", config: false } as const;

/** What is kept lies in the test's own folder. */
const envOf = (ws: Workspace) => ({
  ...Deno.env.toObject(),
  XDG_STATE_HOME: ws.at("state"),
});

const COUNTED = `
import { defineTool } from "bulkhead";

/** Counts the calls that run at once, until \`wanted\` do or the others had their turns. */
const run = (name: string, wanted: number) => async (_: unknown, { session }) => {
  const change = (by: number) => session.alone(name, async () => {
    const { now = 0, most = 0, done = 0 } = await session.get(name) ?? {};
    const next = { now: now + by, most: Math.max(most, now + by), done: done + (by < 0 ? 1 : 0) };
    await session.set(name, next);
    return next;
  });
  let seen = await change(1);
  while (seen.most < wanted) {
    seen = await session.get(name);
  }
  await change(-1);
  return seen.most;
};
const base = { description: "Count.", needs: {}, parallel: true, timeout_seconds: 30 };
export default [
  defineTool({ ...base, name: "free", run: run("free", 2) }),
  defineTool({ ...base, name: "one", concurrency: 1, run: run("one", 1) }),
];
`;

Deno.test("concurrency bounds the calls of a tool of one's own, and without it they run at once", async () => {
  using ws = workspace({ "t.ts": COUNTED });
  await using runner = createRunner({ ...BASE, workspace: ws.path, env: envOf(ws), toolFiles: ["t.ts"] });
  const results = async (name: string) => {
    const calls = await Promise.all([1, 2, 3].map(() => runner.call(name, {})));
    return calls.map(({ result, error }) => error?.message ?? result);
  };
  assertEquals(await results("own/one"), [1, 1, 1]);
  assert((await results("own/free")).every((most) => Number(most) >= 2));
});

const GUARDED = `
import { defineTool } from "bulkhead";
import * as z from "zod";
import { emptyFiles } from "../../../support/listed.ts";

const input = z.object({ path: z.string(), kind: z.string().default("plain") });
const needs = { read: "workspace" } as const;
const run = ({ path }: { path: string }) => path;
export default [
  defineTool({
    ...{ name: "peek", description: "Peek.", input, needs, run }, paths: ["path"],
    permission: { when: { path: ["src/*", "*.md"], kind: "plain" } },
  }),
];
`;

Deno.test("patterns of a tool of one's own look at what paths lead to, and all of them must match", async () => {
  using ws = workspace({ "t.ts": GUARDED, "src/a.ts": "", "notes.md": "", "secret.txt": "" });
  Deno.symlinkSync(ws.at("secret.txt"), ws.at("src/link.ts"));
  await using runner = createRunner({ ...BASE, workspace: ws.path, env: envOf(ws), toolFiles: ["t.ts"] });
  const ok = async (input: unknown) => (await runner.call("own/peek", input)).ok;
  for (const path of ["src/a.ts", "notes.md", ws.at("src/a.ts"), "./src/../notes.md"]) {
    assert(await ok({ path }), path);
  }
  for (const path of ["secret.txt", "src/../secret.txt", "src/link.ts", "../src/x.ts"]) {
    assert(!await ok({ path }), path);
  }
  assert(!await ok({ path: "src/a.ts", kind: "other" }));
});

Deno.test("a tool of one's own is told the name of the model that calls it", async () => {
  using ws = workspace({
    "t.ts": `import { defineTool } from "bulkhead";
export default defineTool({ name: "who", description: "Who.", run: (_, { modelName }) => modelName });`,
  });
  const call = { id: "1", name: "who", arguments: "{}" };
  const replies: Partial<ModelReply>[] = [{ tool_calls: [call], finish: "tool_calls" }, { content: "done" }];
  const model: Model = {
    name: "robot-1",
    complete: () =>
      Promise.resolve({ content: "", tool_calls: [], finish: "stop", usage: null, ...replies.shift() }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  await using agent = createAgent({
    ...{ workspace: ws.path, env: envOf(ws), config: false, toolFiles: ["t.ts"], tools: ["own/who"] },
    ...{ grants: { sandbox: "off" }, model },
  });
  const results: unknown[] = [];
  for await (const event of agent.run("Who is it?")) {
    if (event.type === "tool.end") results.push(event.result.result);
  }
  assertEquals(results, ["robot-1"]);
});

/** What a room says of a tool. */
function said(fields: Record<string, unknown> = {}, rest: Record<string, unknown> = {}) {
  const schemas = { input_schema: { type: "object", properties: {} }, output_schema: {} };
  const all = { name: " add ", description: "Adds.\u001b[31m", ...fields };
  return { exported: "default", functions: ["run"], fields: all, ...schemas, ...rest };
}

function problemsOf(value: unknown): string[] {
  const read = readDescription(value);
  return "problems" in read ? read.problems : [];
}

Deno.test("readDescription() fills in what is usual, and trims names", () => {
  const read = readDescription(said());
  assert("tool" in read);
  const { full_name, description, needs, killable, limits, permission, parallel, secrets } = read.tool;
  assertEquals([full_name, needs, killable, permission, parallel], ["own/add", {}, true, "allow", false]);
  assert(!description.includes("\u001b"));
  assertEquals([limits, secrets], [{ timeout_ms: 120_000, concurrency: null }, []]);
  const timed = readDescription(said({ timeout_seconds: 0.5, concurrency: 2 }));
  assertEquals("tool" in timed && timed.tool.limits, { timeout_ms: 500, concurrency: 2 });
});

const PLACES = 'write "workspace", "granted", or a list';

Deno.test("readDescription() names the tool, the field and what helps", () => {
  const cases: [Record<string, unknown>, string][] = [
    [{ name: "a/b" }, 'tool "a/b": name is "a/b"'],
    [{ description: "x".repeat(1024) }, "description has 1024 characters"],
    [{ needs: { read: "everything" } }, `needs.read is "everything": ${PLACES}`],
    [{ needs: { write: ["notes"] } }, `needs.write is ["notes"]: ${PLACES} of absolute`],
    [{ needs: { run: ["git"] } }, 'needs.run is ["git"]: write "granted"'],
    [{ needs: { net: "workspace" } }, 'needs.net is "workspace": write "granted", or a list of hosts'],
    [{ needs: { net: ["http://example.com/"] } }, 'needs.net: Cannot use "http://example.com/" as a host'],
    [{ permission: "maybe" }, "permission is"],
    [{ timeout_seconds: 0 }, "timeout_seconds is 0"],
    [{ concurrency: 1.5 }, "concurrency is 1.5"],
    [{ parallel: "yes" }, "parallel is"],
    [{ secrets: [] }, "secrets is not known"],
    [{ killable: false }, "killable is not known"],
    [{ timeoutSeconds: 3 }, 'did you mean "timeout_seconds"?'],
  ];
  for (const [fields, problem] of cases) {
    assert(problemsOf(said(fields)).some((one) => one.includes(problem)), JSON.stringify(fields));
  }
  assert(problemsOf(said({}, { functions: [] }))[0]?.includes("run must be a function"));
  assert(problemsOf(said({}, { input_schema: { type: "string" } }))[0]?.includes("input must be an object"));
});

Deno.test("readDescription() takes anything that a room may say", () => {
  const long = { type: "object", title: "x".repeat(200_000) };
  for (
    const value of [
      ...[null, 1, "x", [], {}, { fields: 1 }, { fields: {}, functions: 3 }],
      said({}, { input_schema: long }),
    ]
  ) {
    assert(problemsOf(value).length > 0);
  }
});

const FILE: ProjectFile = {
  ...{ folder: "/my shop", name: "bulkhead.json", kind: "settings", text: "{1}", adds: "" },
  toolFiles: ["/my shop/tools"],
};

Deno.test("a project adds what the user trusts, as long as it says what it said", async () => {
  using ws = workspace();
  const env = { XDG_STATE_HOME: ws.path };
  const trust = async (folder: string, parts: Record<string, string>) =>
    await keepTrust(ws.at("bulkhead"), { folder, since: "", parts });
  const added = async (file = FILE) => {
    const { files, leftOut } = await projectSources([file], { env });
    return [files.map(({ path }) => path), leftOut()];
  };
  const ask = (what: string) =>
    `the project adds tools by "bulkhead.json"${what}, which you have not trusted, so they are left out; ` +
    "to look at them and decide: bulkhead trust '/my shop'";
  assertEquals(await added(), [[], ask("")]);
  await trust("/my shop", { "bulkhead.json": await hashOfPart("{1}") });
  assertEquals(await added(), [["/my shop/tools"], null]);
  assertEquals(await added({ ...FILE, text: "{2}" }), [[], ask(" (it has changed)")]);
  assertEquals((await added({ ...FILE, folder: "/other" }))[0], []);
  assertEquals((await added({ ...FILE, name: ".bulkhead/config.json" }))[0], []);
  assertEquals((await added({ ...FILE, name: "constructor" }))[0], []);
});

Deno.test("the servers of a project are those of the text that the user trusts", async () => {
  using ws = workspace();
  const file: ProjectFile = {
    ...{ folder: "/shop", name: ".mcp.json", kind: "servers", text: "{}", toolFiles: [], adds: "" },
  };
  const env = { XDG_STATE_HOME: ws.path };
  assertEquals((await projectSources([file], { env })).mcp, []);
  const parts = { ".mcp.json": await hashOfPart("{}") };
  await keepTrust(ws.at("bulkhead"), { folder: "/shop", since: "", parts });
  assertEquals((await projectSources([file], { env })).mcp, [{ file: "/shop/.mcp.json", text: "{}" }]);
  assertEquals((await projectSources([{ ...file, text: "{ }" }], { env })).mcp, []);
});

Deno.test("without a place for what is trusted, nothing is", async () => {
  const { files, leftOut } = await projectSources([FILE], { env: {} });
  assertEquals(files, []);
  assertStringIncludes(leftOut() ?? "", "bulkhead trust");
});

/** Builds a file of a workspace whose package is `pk`, and which holds a cache of packages. */
async function buildIn(ws: Workspace, file: string) {
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

Deno.test("a build says where `using` is, which it does not understand", async () => {
  using ws = workspace({ "pk/x": "", "npm/x": "" });
  for (
    const line of ["using x = open();", "await using x: Disposable = open();", "for (using x of [open()]);"]
  ) {
    const code = `const open = () => null!;\nexport default async () => {\n${line}\n};`;
    Deno.writeTextFileSync(ws.at("pk/c.ts"), code);
    const { text } = await buildIn(ws, "pk/c.ts");
    assert(/c\.ts:3:.*`using` is not understood/.test(text), `${line} ${text}`);
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
