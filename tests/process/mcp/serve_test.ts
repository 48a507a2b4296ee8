import { assert, assertEquals } from "@std/assert";

import { boxTest } from "../../support/box.ts";
import { connect } from "../../support/cli/mcp/client.ts";
import { descendants, isAlive, until } from "../../support/cli/processes.ts";
import { makeSleepers } from "../../support/cli/sleepers.ts";
import { makeScene } from "../../support/cli/scene.ts";

interface Tool {
  name: string;
  inputSchema: { type: string };
  outputSchema?: unknown;
  annotations: Record<string, boolean>;
}

Deno.test("mcp serve offers the chosen tools with schemas and annotations, and only those", async () => {
  using scene = makeScene();
  await using client = await connect(scene, {
    flags: ["--tool", "Read", "--tool", "par/bash=sh", "--tool", "Write"],
  });
  const { result } = await client.ask("tools/list");
  const tools = result?.tools as Tool[];
  assertEquals(tools.map(({ name }) => name), ["Read", "sh", "Write"]);
  assertEquals(tools.map(({ inputSchema }) => inputSchema.type), ["object", "object", "object"]);
  assertEquals(tools.map(({ annotations }) => [annotations.readOnlyHint, annotations.destructiveHint]), [
    [true, false],
    [false, true],
    [false, true],
  ]);
  const { error } = await client.ask("tools/call", { name: "Grep", arguments: { pattern: "x" } });
  assertEquals(error?.code, -32602);
});

Deno.test("mcp serve answers calls with text and structure, and keeps what tools remember", async () => {
  using scene = makeScene({ "ws/a.txt": "hello\n" });
  await using client = await connect(scene, { flags: ["--extra-tool", "planning"] });
  const read = await client.call("Read", { path: "a.txt" });
  assertEquals([read.isError, read.text.includes("hello")], [false, true]);
  assertEquals((read.structured as { content: string }).content, "hello");
  await client.call("planning", { command: "create", plan_id: "p", title: "Plan of mine", steps: ["one"] });
  const listed = await client.call("planning", { command: "list" });
  assert(listed.text.includes("Plan of mine"), listed.text);
  await using other = await connect(scene, { flags: ["--extra-tool", "planning"] });
  const nothing = await other.call("planning", { command: "list" });
  assert(!nothing.text.includes("Plan of mine"), nothing.text);
});

Deno.test("mcp serve gives nothing that was not granted, whatever the arguments say", async () => {
  using scene = makeScene({ "ws/a.txt": "a", "outside.txt": "secret-word", "ws/.env": "KEY=secret-word" });
  scene.link("../outside.txt", "ws/link.txt");
  await using client = await connect(scene, { flags: ["--policy", "read-only"] });
  const tries: [tool: string, input: Record<string, unknown>][] = [
    ["Read", { path: "../outside.txt" }],
    ["Read", { path: scene.at("outside.txt") }],
    ["Read", { path: "link.txt" }],
    ["Read", { path: ".env" }],
    ["Read", {
      path: "../outside.txt",
      allow_read: true,
      policy: "coder",
      roots: ["/"],
      permissions: { read: true },
    }],
    ["Write", { path: "b.txt", content: "x" }],
    ["Write", { path: "b.txt", content: "x", "--allow-write": true }],
    ["Bash", { command: `cat ${scene.at("outside.txt")}` }],
    ["Bash", { command: "echo x > b.txt" }],
  ];
  for (const [tool, input] of tries) {
    const meta = { allow: { read: ["/"], write: ["/"] }, "bulkhead/policy": "coder" };
    const { text } = await client.call(tool, input, meta);
    assert(!text.includes("secret-word"), `${tool} ${JSON.stringify(input)}: ${text}`);
  }
  assertEquals(scene.exists("ws/b.txt"), false);
  const refused = await client.call("Write", { path: "b.txt", content: "x" });
  const error = refused.meta["bulkhead/error"] as { code: string; details: { flag: string } };
  assertEquals([refused.isError, error.code], [true, "permission_denied"]);
  assert(error.details.flag.startsWith("--allow-write="), error.details.flag);
});

Deno.test("mcp serve writes the audit, and asks nobody for consent", async () => {
  using scene = makeScene({
    "ws/a.txt": "a",
    "config.json": '{"tools":{"harness/Grep":{"permission":"confirm"}}}',
  });
  const flags = ["--audit", scene.at("audit.jsonl"), "--config", scene.at("config.json")];
  {
    await using client = await connect(scene, { flags });
    await client.call("Read", { path: "a.txt" });
    const asked = await client.call("Grep", { pattern: "a" });
    assert(asked.isError && asked.text.includes("consent"), asked.text);
  }
  const records = scene.read("audit.jsonl").trim().split("\n").map((line) => JSON.parse(line));
  assertEquals(records.map(({ tool, decision }) => [tool, decision]), [
    ["harness/Read", "allowed"],
    ["harness/Grep", "refused"],
  ]);
});

boxTest("mcp serve tells progress, and cancels", async () => {
  using scene = makeScene({ "ws/a.txt": "a" });
  await using client = await connect(scene);
  const command = "echo one; sleep 0.3; echo two; sleep 0.3; echo three";
  const told = await client.call("Bash", { command }, { progressToken: "p" });
  assertEquals(told.isError, false);
  const progress = client.notes.filter(({ method }) => method === "notifications/progress").map((
    { params },
  ) => params);
  assert(
    progress.length > 0 && progress.every((one) => one?.progressToken === "p"),
    JSON.stringify(progress),
  );
  const numbers = progress.map((one) => Number(one?.progress));
  assertEquals(numbers, numbers.toSorted((one, other) => one - other));
  await client.send({
    id: "slow",
    method: "tools/call",
    params: { name: "Bash", arguments: { command: "sleep 60" } },
  });
  await client.send({ method: "notifications/cancelled", params: { requestId: "slow" } });
  // It waits for the shell, so the command has ended when it comes back.
  const after = await client.call("Bash", { command: "echo free" });
  assertEquals([after.isError, after.text.includes("free")], [false, true]);
});

for (const how of ["stdin is closed", "SIGTERM comes", "the client is gone"] as const) {
  boxTest(`mcp serve ends with all that it started when ${how}`, async () => {
    using scene = makeScene();
    const client = await connect(scene);
    const { running } = client;
    using sleepers = makeSleepers();
    const params = { name: "Bash", arguments: { command: `${sleepers.words} & ${sleepers.words}` } };
    await client.send({ id: 99, method: "tools/call", params });
    await sleepers.run(2);
    const started = descendants(running.pid).map(({ pid }) => pid);
    if (how === "stdin is closed") await running.closeInput();
    else if (how === "SIGTERM comes") running.kill("SIGTERM");
    else {
      await running.closeOutput();
      await running.closeInput();
    }
    const { code } = await running.ended();
    assertEquals(code, how === "SIGTERM comes" ? 143 : 0);
    await until("its processes have ended", () => !started.some(isAlive));
    await sleepers.gone();
  });
}
