import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { makeScene } from "../../support/cli/scene.ts";

const COMMANDS = [
  "run",
  "sessions",
  "call",
  "batch",
  "tools",
  "schema",
  "explain",
  "doctor",
  "completions",
  "version",
  "help",
];

Deno.test("every command has help, by --help, -h and help COMMAND", async () => {
  using scene = makeScene();
  const bare = await scene.run([]);
  assertEquals([bare.code, bare.stderr, bare.stdout.trimEnd().split("\n").length], [0, "", 5]);
  assertStringIncludes(bare.stdout, "bulkhead help ");
  const program = await scene.run(["help"]);
  for (const words of [["--help"], ["-h"], ["help", "help"]]) {
    assertEquals(await scene.run(words), program, words.join(" "));
  }
  assertEquals([program.code, program.stderr], [0, ""]);
  const runs = COMMANDS.map(async (command) => {
    const help = await scene.run([command, "--help"]);
    assertEquals([help.code, help.stderr], [0, ""], command);
    assertEquals(await scene.run(["help", command]), help);
    assertStringIncludes(program.stdout, `\n  ${command} `);
    if (command !== "help") assertStringIncludes(help.stdout, `Usage: bulkhead ${command}`);
  });
  await Promise.all(runs);
});

Deno.test("version prints one line, and with --json what the program runs on", async () => {
  using scene = makeScene();
  const { code, stdout } = await scene.run(["version"]);
  const flag = await scene.run(["--version"]);
  const json = JSON.parse((await scene.run(["version", "--json"])).stdout);
  assertEquals([code, flag.stdout, stdout], [0, stdout, `bulkhead ${json.version}\n`]);
  assert(/^\d+\.\d+\.\d+$/.test(json.version) && json.deno && json.v8 && typeof json.compiled === "boolean");
});

/** The default tools of the default set. */
/** How many tools there are. */
const ALL = 66;
const HARNESS = [
  ...["Glob", "Grep", "Read", "ReadPDF", "ReadImage", "Write", "Edit", "Bash"],
  ...["WebSearch", "ScholarSearch", "WebFetch", "AskUser"],
  ...["TerminalStart", "TerminalWrite", "TerminalRead", "TerminalInterrupt", "TerminalKill"],
];

Deno.test("tools lists every tool with its needs and what is missing for it", async () => {
  using scene = makeScene();
  const all = JSON.parse((await scene.run(["tools", "--json", "--allow-run"])).stdout);
  assertEquals(all.length, ALL);
  assert(all.every(({ granted, missing }: Record<string, unknown>) => granted === true && missing === null));
  const readOnly = JSON.parse((await scene.run(["tools", "--json", "--policy=read-only"])).stdout);
  // Whether programs may start depends on the box of this machine.
  const missing = readOnly.filter(({ granted, needs }: { granted: boolean; needs: { run?: string } }) =>
    !granted && !needs.run
  );
  assertEquals(missing.map(({ name }: { name: string }) => name), [
    "harness/Write",
    "harness/Edit",
    "harness/str_replace_editor",
    "par/write",
    "par/edit",
    "manus/str_replace_editor",
    "manus/data_visualization",
  ]);
  for (const tool of missing) assertEquals(tool.missing, `--allow-write=${scene.ws}`);
  const names = async (flags: string[]) =>
    JSON.parse((await scene.run(["tools", "--json", ...flags])).stdout).map(({ name }: { name: string }) =>
      name
    );
  assertEquals(await names(["--tool=Read", "--tool=par/grep"]), ["harness/Read", "par/grep"]);
  const offline = JSON.parse(
    (await scene.run(["tools", "WebFetch", "--json", "--policy=read-only-no-net"])).stdout,
  );
  assertEquals(offline.map(({ missing }: { missing: string }) => missing), ["--allow-net"]);
  const harness = HARNESS.map((name) => `harness/${name}`);
  assertEquals(await names(["--extra-tool=str_replace_editor"]), [...harness, "harness/str_replace_editor"]);
});

Deno.test("explain says what a call would touch and runs nothing", async () => {
  using scene = makeScene({ "ws/a.txt": "a\n" });
  const write = await scene.run(["explain", "Write", "path=b.txt", "content=x"]);
  assertEquals([write.code, scene.exists("ws/b.txt")], [0, false]);
  for (const part of ["harness/Write", "touches  write b.txt", "verdict  would run", scene.ws]) {
    assertStringIncludes(write.stdout, part);
  }
  const outside = await scene.run(["explain", "Write", "path=/etc/hosts", "content=x"]);
  assertEquals(outside.code, 3);
  assertStringIncludes(outside.stdout, "pass --allow-write=/etc/hosts to grant it");
  const json = await scene.run(["explain", "Read", "path=../x", "--json"]);
  const report = JSON.parse(json.stdout);
  assertEquals([json.code, report.allowed, report.error.code], [3, false, "permission_denied"]);
  const { kind, reason, flag } = report.error.details;
  assertEquals({ kind, reason, flag }, {
    kind: "read",
    reason: "outside",
    flag: `--allow-read=${scene.at("x")}`,
  });
  // The flag that it names is the one that helps.
  assertEquals((await scene.run(["explain", "Read", "path=../x", flag])).code, 0);
  const policy = await scene.run(["explain", "Edit", "path=a.txt", "patch=x", "--policy=read-only"]);
  assertEquals(policy.code, 3);
  assertStringIncludes(policy.stdout, "--allow-write=");
  assertEquals((await scene.run(["explain", "Read", "start_line=two"])).code, 2);
});

Deno.test("names from a call, a batch or a lock reach the terminal as one line without controls", async () => {
  using scene = makeScene();
  const evil = "x\u001b[2J\nverdict  would run";
  const explained = await scene.run(["explain", "Read", `path=../${evil}`]);
  assertEquals(explained.code, 3);
  assertStringIncludes(
    explained.stdout,
    "\ntouches  read ../x\\nverdict  would run\nverdict  would be refused",
  );
  const { stderr } = await scene.batch([{ tool: evil }], ["--plan"]);
  const told = "  [x\\nverdict  would run]\nbulkhead: call 1 (x\\nverdict  would run) failed: ";
  assertStringIncludes(stderr, `plan: 1 call in 1 block\n${told}`);
  const lock = await scene.run(["schema", "lock", "tools.lock.json", "--tool=Read"]);
  assertEquals(lock.code, 0);
  scene.write(
    "ws/tools.lock.json",
    scene.read("ws/tools.lock.json").replace("harness/Read", "x\\u001b[2J\\ny"),
  );
  const checked = await scene.run(["schema", "check", "tools.lock.json", "--tool=Read"]);
  assertEquals(checked.stdout, "harness/Read was added\nx\\ny was removed\n");
});
