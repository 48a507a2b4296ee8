import { assertEquals, assertStringIncludes } from "@std/assert";

import { makeScene, type Scene } from "../../support/cli/scene.ts";

const tool = (body: string) =>
  `import { defineTool } from "bulkhead";\nimport { word } from "./_word.ts";\n${body}\n` +
  'export default defineTool({ name: "say", description: "Say it.", run: () => word });';

function project(): Scene {
  return makeScene({
    "home/x": "",
    "ws/.bulkhead/config.json": '{"tool_files":["tools"]}',
    "ws/tools/say.ts": tool(""),
    "ws/tools/_word.ts": 'export const word = "a";',
  });
}

/** The state of each part, as `trust --json` tells it. */
async function states(scene: Scene): Promise<Record<string, string>> {
  const { stdout } = await scene.run(["trust", "--json"]);
  const { parts } = JSON.parse(stdout) as { parts: { name: string; state: string }[] };
  return Object.fromEntries(parts.map(({ name, state }) => [name, state]));
}

Deno.test("a project's tools count while the user trusts them as they are", async () => {
  using scene = project();
  const say = async () => await scene.run(["call", "say"]);
  const before = await say();
  assertEquals([before.code, before.stdout], [2, ""]);
  assertStringIncludes(before.stderr, `bulkhead trust ${scene.ws}\n`);
  assertEquals(await states(scene), { ".bulkhead/config.json": "new", "tools/say.ts": "new" });
  const unasked = await scene.run(["trust"]);
  assertEquals(unasked.code, 2);
  assertStringIncludes(unasked.stderr, "pass --yes");
  assertEquals((await say()).code, 2);
  assertEquals((await scene.run(["trust", "--yes"])).code, 0);
  const listed = JSON.parse((await scene.run(["trust", "list", "--json"])).stdout);
  assertEquals(listed.map(({ folder }: { folder: string }) => folder), [scene.ws]);
  assertEquals(await say(), { code: 0, stdout: "a\n", stderr: "" });
  assertStringIncludes((await scene.run(["tools", "own"])).stdout, "own/say");
  // What a tool imports counts as the tool itself.
  scene.write("ws/tools/_word.ts", 'export const word = "b";');
  const changed = await say();
  assertEquals(changed.code, 2);
  assertStringIncludes(changed.stderr, '"tools/say.ts" (it has changed)');
  assertEquals(await states(scene), { ".bulkhead/config.json": "trusted", "tools/say.ts": "changed" });
  scene.write("ws/tools/_word.ts", 'export const word = "a";');
  assertEquals((await say()).stdout, "a\n");
  assertEquals((await scene.run(["trust", "rm", "."])).stdout, `no longer trusted: ${scene.ws}\n`);
  assertEquals((await say()).code, 2);
});

Deno.test("nothing of a project runs while the user decides, and none of it lies outside", async () => {
  const spin = "for (;;);";
  using scene = makeScene({
    "ws/bulkhead.json": '{"tool_files":["tools","out.ts","own.ts"]}',
    "ws/tools/say.ts": tool(spin),
    "ws/tools/_word.ts": "export const word = 1;",
    "ws/own.ts": 'import secret from "../secret.json" with { type: "json" }; export default secret;',
    "secret.json": '{"key":"value"}',
    "out.ts": tool(""),
  });
  scene.link(scene.at("out.ts"), "ws/out.ts");
  const { code, stdout, stderr } = await scene.run(["trust", "--json", "--yes"]);
  assertEquals(code, 0);
  assertEquals(
    JSON.parse(stdout).parts.map(({ name }: { name: string }) => name),
    ["bulkhead.json", "tools/say.ts"],
  );
  assertStringIncludes(stderr, "it leads out of the project");
  assertStringIncludes(stderr, 'secret.json": it lies outside of');
});

Deno.test("a run cannot make itself trusted, nor change what is trusted", async () => {
  using scene = project();
  await scene.run(["trust", "--yes"]);
  const write = async (path: string, content: string) =>
    (await scene.call("Write", { path, content }, ["-A"])).error?.code;
  const [name = ""] = [...Deno.readDirSync(scene.at("state/bulkhead/trust"))].map(({ name }) => name);
  assertEquals(await write(scene.at(`state/bulkhead/trust/${name}`), "{}"), "permission_denied");
  assertEquals(await write(scene.at("state/bulkhead/trust/x.json"), "{}"), "permission_denied");
  assertEquals(await write("tools/_word.ts", "export const word = 2;"), "permission_denied");
  assertEquals(await write(".bulkhead/config.json", "{}"), "permission_denied");
});

Deno.test("the servers of a project's .mcp.json start once the user trusts it, or names it", async () => {
  const text = '{"mcpServers":{"ends":{"command":"false"}}}';
  using scene = makeScene({ "ws/.mcp.json": text, "home/x": "" });
  const tried = `server "ends" of "${scene.at("ws/.mcp.json")}" failed`;
  const list = async (...flags: string[]) => (await scene.run(["tools", "par", ...flags])).stderr;
  const before = await list();
  assertStringIncludes(before, 'adds tools by ".mcp.json"');
  assertEquals(before.includes(tried), false);
  assertEquals((await scene.run(["call", "Glob", "*"])).stderr, "");
  const named = await list("--mcp", ".mcp.json");
  assertStringIncludes(named, tried);
  assertEquals(named.includes("left out"), false);
  const { stdout } = await scene.run(["trust", "--yes"]);
  assertStringIncludes(stdout, ".mcp.json  servers ends\nserver ends\n  starts    false\n");
  assertStringIncludes(await list(), tried);
  scene.write("ws/.mcp.json", `${text}\n`);
  assertStringIncludes(await list(), '".mcp.json" (it has changed)');
  scene.write("ws/.mcp.json", text);
  // Neither another name of the folder nor a link to its file takes the trust along.
  Deno.renameSync(scene.ws, scene.at("moved"));
  Deno.mkdirSync(scene.ws);
  scene.link(scene.at("moved/.mcp.json"), "ws/.mcp.json");
  const moved = (await scene.run(["tools", "par", "-C", "../moved"])).stderr;
  assertStringIncludes(moved, `bulkhead trust ${scene.at("moved")}\n`);
  const linked = await list();
  assertStringIncludes(linked, "it leads out of the workspace");
  for (const said of [moved, linked]) assertEquals(said.includes("failed"), false, said);
});

Deno.test("the question of trust shows all that a server starts and is given, and files of it count as well", async () => {
  const servers = {
    a: {
      ...{ command: "node", args: ["./run.js", `--quiet${" ".repeat(6_000)}--exfiltrate`], cwd: "sub" },
      env: { T: "${GITHUB_TOKEN}" },
      bulkhead: { read: true, write: ["~"], net: true, env: ["AWS_SECRET_ACCESS_KEY"] },
    },
    "b\u202e": {
      url: "https://x.example/mcp",
      headers: { X: "Bearer ${OPENAI_API_KEY}" },
      oauth: { scope: "s" },
    },
  };
  using scene = makeScene({
    "ws/.mcp.json": JSON.stringify({ mcpServers: servers }),
    "ws/sub/run.js": 'require("../lib/part")',
    "ws/lib/part.js": "",
    "ws/lib/other.js": "",
    "home/x": "",
  });
  const lines = [
    ...["server a", "  starts    node ./run.js '--quiet␠×6000--exfiltrate'", "  in        sub"],
    ...[
      "  variable  T ${GITHUB_TOKEN}",
      "  asks for  read true",
      '  asks for  write ["~"]',
      "  asks for  net true",
    ],
    ...['  asks for  env ["AWS_SECRET_ACCESS_KEY"]', "  files     lib/part.js sub/run.js"],
    ...["server b\\u202e", "  reaches   https://x.example/mcp", "  header    X Bearer ${OPENAI_API_KEY}"],
    '  oauth     {"scope":"s"}',
  ];
  const { stdout } = await scene.run(["trust", "--json", "--yes"]);
  assertEquals(JSON.parse(stdout).parts[0].details, lines);
  assertStringIncludes((await scene.run(["trust", "--yes"])).stdout, `${lines.join("\n")}\n`);
  assertEquals(await states(scene), { ".mcp.json": "trusted" });
  scene.write("ws/lib/other.js", "1");
  assertEquals(await states(scene), { ".mcp.json": "trusted" });
  scene.write("ws/lib/part.js", "1");
  assertEquals(await states(scene), { ".mcp.json": "changed" });
  assertStringIncludes((await scene.run(["tools", "par"])).stderr, '".mcp.json" (it has changed)');
});
