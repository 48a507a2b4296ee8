import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { boxWorks } from "../../support/box.ts";
import { makeScene } from "../../support/cli/scene.ts";

const USER = "home/.config/bulkhead/config.json";
const json = (value: unknown) => JSON.stringify(value);

Deno.test("a broken configuration ends the program with code 6 and says what is wrong", async () => {
  using scene = makeScene({ "ws/a.txt": "a\n", [USER]: '{"policy": }' });
  const broken = await scene.run(["call", "Read", "path=a.txt", "--json"]);
  assertEquals(broken.code, 6);
  assertEquals(
    broken.stderr,
    `bulkhead: Broken JSON in configuration "${scene.at(USER)}", line 1 column 12: expected a value\n` +
      '  {"policy": }\n             ^\n',
  );
  assertEquals(JSON.parse(broken.stdout).error.code, "configuration");
  scene.write(USER, json({ tools: { "harness/Raed": { permission: "deny" } } }));
  const misspelt = await scene.run(["tools"]);
  assertEquals(
    [misspelt.code, misspelt.stderr],
    [
      6,
      `bulkhead: Cannot use configuration "${
        scene.at(USER)
      }": tools.harness/Raed is not the full name of a tool, ` +
      'did you mean "harness/Read"?\n',
    ],
  );
  const other = await scene.run(["call", "Read", "path=a.txt", "--config=../none.json"]);
  assertEquals([other.code, other.stderr], [
    6,
    `bulkhead: Cannot use configuration "${scene.at("none.json")}": no such file\n`,
  ]);
});

Deno.test("the user's policies have names", async () => {
  using scene = makeScene({
    "ws/a.txt": "a\n",
    [USER]: json({ policy: "careful", policies: { careful: { base: "read-only" } } }),
  });
  const write = { path: "b.txt", content: "b" };
  assertEquals((await scene.call("Write", write)).error?.code, "permission_denied");
  assertEquals((await scene.call("Write", write, ["--policy=coder"])).code, 0);
  const unknown = await scene.run(["call", "Read", "path=a.txt", "--policy=carefull"]);
  assertEquals([unknown.code, unknown.stderr], [
    2,
    'bulkhead: Unknown policy "carefull", did you mean "careful"? ' +
    "There are coder, read-only, read-only-no-net, careful\n",
  ]);
});

Deno.test("the environment and the flag name another file", async () => {
  using scene = makeScene({
    "ws/a.txt": "a\n",
    [USER]: json({}),
    "strict.json": json({ tools: { "*": { permission: "deny" } } }),
  });
  const words = ["call", "Read", "path=a.txt"];
  assertEquals((await scene.run(words)).code, 0);
  assertEquals((await scene.run(words, { env: { BULKHEAD_CONFIG: scene.at("strict.json") } })).code, 3);
  assertEquals((await scene.run([...words, "--config", "../strict.json"])).code, 3);
});

Deno.test("the user sets the time of a tool", async () => {
  using scene = makeScene({
    "ws/a.txt": `${"a".repeat(30)}!\n`,
    [USER]: json({ tools: { "harness/Grep": { timeout_seconds: 0.001 } } }),
  });
  const { code, error } = await scene.call("Grep", { pattern: "(a+)+$" });
  assertEquals([code, error?.code], [124, "timeout"]);
});

Deno.test("a project's file makes a run stricter, and nothing else", async () => {
  using scene = makeScene({
    "ws/a.txt": "a\n",
    "ws/bulkhead.json": json({
      policy: "read-only",
      tools: { "harness/Glob": { permission: "deny" }, "harness/Read": { permission: "allow" } },
      hooks: { before: [["/bin/sh", "-c", "touch ../ran"]] },
      audit: "/tmp/never-written",
    }),
  });
  const file = scene.at("ws/bulkhead.json");
  const read = await scene.run(["call", "Read", "path=a.txt", "--json"]);
  assertEquals(read.code, 0);
  assertEquals(read.stderr.split("\n"), [
    `bulkhead: project configuration ${file}: hooks ignored: not trusted`,
    `bulkhead: project configuration ${file}: audit ignored: not trusted`,
    `bulkhead: project configuration ${file}: tools.harness/Read.permission "allow" ignored: not trusted`,
    "",
  ]);
  assertEquals(scene.exists("ran"), false);
  assertEquals((await scene.run(["call", "Read", "path=a.txt", "-q"])).stderr, "");
  assertEquals((await scene.call("Glob", { pattern: "*" })).error?.code, "denied_by_policy");
  const write = { path: "b.txt", content: "b" };
  assertEquals((await scene.call("Write", write)).error?.code, "permission_denied");
  // The user's own word counts for more.
  assertEquals((await scene.call("Write", write, ["--policy=coder"])).code, 0);
  assertEquals((await scene.call("Glob", { pattern: "*" }, ["--policy=coder"])).code, 3);
});

Deno.test("a project cannot widen what the user narrowed", async () => {
  using scene = makeScene({
    "ws/a.txt": "a\n",
    "ws/.bulkhead/config.json": json({ policy: "coder", tools: { "harness/Read": { permission: "allow" } } }),
    [USER]: json({ policy: "read-only", tools: { "harness/Read": { permission: "deny" } } }),
  });
  assertEquals((await scene.call("Read", { path: "a.txt" })).error?.code, "denied_by_policy");
  assertEquals((await scene.call("Write", { path: "b", content: "" })).error?.code, "permission_denied");
});

Deno.test("a project's file that leads out of the workspace is refused", async () => {
  using scene = makeScene({ "ws/a.txt": "a\n", "secret.json": '{"policy": "x", "key": "canary"}' });
  scene.link("../secret.json", "ws/bulkhead.json");
  const { code, stderr } = await scene.run(["call", "Read", "path=a.txt"]);
  assertEquals(code, 6);
  assert(!stderr.includes("canary"), stderr);
});

Deno.test("no tool writes the configuration that it runs under", async () => {
  using scene = makeScene({ "ws/a.txt": "a\n", "ws/mine.json": json({}) });
  const flags = ["--config=mine.json", "-A"];
  const { code, error } = await scene.call("Write", { path: "mine.json", content: "{}" }, flags);
  assertEquals([code, error?.code, error?.details.reason], [3, "permission_denied", "own"]);
  const command = "echo '{ }' > mine.json; true";
  // Without a box no program starts that nobody named.
  const bash = await scene.call("Bash", { command }, ["--config=mine.json"]);
  assertEquals(bash.code, boxWorks ? 0 : 3);
  assertEquals(scene.read("ws/mine.json"), "{}");
});

Deno.test("permissions and the sandbox of the user's file hold in every run, and flags add to them", async () => {
  using scene = makeScene({
    "home/notes/a.txt": "note\n",
    "more/b.txt": "more\n",
    "ws/gen/x.txt": "x\n",
    [USER]: `{
      // for every run
      "permissions": { "allow": { "read": ["~/notes"] }, "deny": { "write": ["gen"] } },
      "tools": { "par/echo": { "permission": "deny" } },
    }`,
  });
  const calls = [
    { tool: "Read", arguments: { path: "~/notes/a.txt" } },
    { tool: "Read", arguments: { path: "../more/b.txt" } },
    { tool: "Write", arguments: { path: "gen/x.txt", content: "y", overwrite: true } },
  ];
  const { answers } = await scene.batch(calls, ["--allow-read=../more", "--allow-write=gen"]);
  assertEquals(answers.map(({ error }) => error?.code ?? null), [null, null, "permission_denied"]);
  assertEquals(scene.read("ws/gen/x.txt"), "x\n");
  const shown = JSON.parse((await scene.run(["config", "--allow-read=../more"])).stdout);
  assertEquals(shown.permissions.allow.read, ["../more", scene.at("home/notes")]);
  assertEquals(shown.permissions.deny.write, [scene.at("ws/gen")]);
});

Deno.test("config tells where files are, checks them, and gives editors a schema", async () => {
  using scene = makeScene({
    [USER]: "{}",
    "ws/bulkhead.json": json({ audit: "/x" }),
    "ws/bad.json": '{"polcy":1}',
  });
  const rows = JSON.parse((await scene.run(["config", "path", "--json"])).stdout);
  assertEquals(
    rows.filter(({ read }: { read: boolean }) => read).map(({ path }: { path: string }) => path),
    [scene.at(USER), scene.at("ws/bulkhead.json")],
  );
  using empty = makeScene({ "ws/a.txt": "a\n" });
  const { stdout } = await empty.run(["config", "path"]);
  assertEquals([stdout.match(/ read /g), stdout.match(/not there/g)?.length], [null, 6]);
  const checked = await scene.run(["config", "check"]);
  assertEquals([checked.code, checked.stderr], [0, ""]);
  assertStringIncludes(checked.stdout, "audit ignored: not trusted");
  const bad = await scene.run(["config", "check", "bad.json"]);
  assertEquals([bad.code, bad.stdout], [6, ""]);
  assertStringIncludes(bad.stderr, 'unknown field polcy, did you mean "policy"?');
  const missing = await scene.run(["config", "check", "none.json"]);
  assertEquals(missing.code, 2);
  const schema = JSON.parse((await scene.run(["config", "schema"])).stdout);
  assertEquals([schema.type, schema.additionalProperties], ["object", false]);
  const odd = await scene.run(["config", "frob"]);
  assertEquals(odd.code, 2);
});

Deno.test("limits of single tools come from flags", async () => {
  using scene = makeScene({});
  const slow = { code: "import time; time.sleep(20)" };
  const late = await scene.call("python_execute", slow, [
    ...["--sandbox=off", "--allow-run=python3", "--tool-timeout", "python_execute=0.3"],
  ]);
  assertEquals([late.code, late.error?.code], [124, "timeout"]);
  const odd = await scene.run(["call", "Read", "path=a", "--tool-concurrency", "Raed=2"]);
  assertEquals([odd.code, odd.stderr.includes('did you mean "Read"?')], [2, true]);
  const zero = await scene.run(["call", "Read", "path=a", "--tool-timeout", "Read=0"]);
  assertEquals(zero.code, 2);
});

Deno.test("the user's file chooses the type of a result, and every face follows it", async () => {
  const tool = "manus/create_chat_completion";
  const typed = (response_type: unknown) => json({ tools: { [tool]: { response_type } } });
  using scene = makeScene({ "ws/a.txt": "a\n", [USER]: typed("List[int]") });
  const [schema, tools, call, wrong] = await Promise.all([
    scene.run(["schema", tool, "--format", "openai"]),
    scene.run(["tools", tool]),
    scene.run(["call", tool, "--response", "1", "--response", "2", "--json"]),
    scene.run(["call", tool, "response:=[true]"]),
  ]);
  const [{ function: { parameters } }] = JSON.parse(schema.stdout);
  assertEquals(parameters.properties.response.type, "array");
  assertStringIncludes(tools.stdout, "list of integer");
  assertEquals(JSON.parse(call.stdout).result, [1, 2]);
  assertEquals([wrong.code, wrong.stderr], [2, "Error: Parameter 'response[0]' must be of type integer.\n"]);
  scene.write(USER, typed("Lst[int]"));
  const misspelt = await scene.run(["call", tool, "response=1"]);
  assertEquals(misspelt.code, 6);
  assertStringIncludes(misspelt.stderr, `tools.${tool}.response_type: "Lst" is not a type`);
});
