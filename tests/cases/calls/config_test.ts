import { assertEquals, assertStringIncludes } from "@std/assert";

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
