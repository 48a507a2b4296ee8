import { assert, assertEquals, assertMatch } from "@std/assert";

import { createRunner } from "../../../runtime/mod.ts";
import type { RunEvent } from "../../../schemas/agent/events.ts";
import { type Call, makeScene, parseLines } from "../../support/cli/scene.ts";

type Event = RunEvent & { v: number };

/** Checks what holds for the events of every run, and returns them. */
function readEvents(text: string, command: string): Event[] {
  const events = parseLines(text) as Event[];
  assert(events.every(({ v }) => v === 1));
  const [first, last] = [events[0], events.at(-1)];
  assert(first?.type === "run.start" && first.command === command && first.run_id.length >= 8);
  assert(last?.type === "run.end");
  assertEquals(events.filter(({ type }) => type === "run.start" || type === "run.end").length, 2);
  const starts = events.filter((event) => event.type === "tool.start");
  const ends = events.filter((event) => event.type === "tool.end");
  assertEquals(ends.map(({ id }) => id), starts.map(({ id }) => id));
  for (const { id } of starts) {
    const at = (type: string) =>
      events.findIndex((event) => event.type === type && "id" in event && event.id === id);
    assert(at("tool.start") < at("tool.end"), `call ${id}`);
  }
  assertEquals(last.usage, { calls: ends.length, failed: ends.filter(({ result }) => !result.ok).length });
  return events;
}

const CALLS: readonly Call[] = [
  { id: "r1", tool: "Read", arguments: { path: "a.txt" } },
  { id: "r2", tool: "Read", arguments: { path: "../outside.txt" } },
  { id: "g", tool: "Grep", arguments: { pattern: "a" } },
  { id: "w", tool: "Write", arguments: { path: "b.txt", content: "b" } },
  { id: "bad", tool: "Raed", arguments: {} },
  { id: "r3", tool: "Read", arguments: { path: "b.txt" } },
];

Deno.test("batch --events tells of every call from start to end", async () => {
  using scene = makeScene({ "ws/a.txt": "a\n" });
  const stdin = CALLS.map((call) => `${JSON.stringify(call)}\n`).join("");
  const { code, stdout, stderr } = await scene.run(["batch", "-", "--events"], { stdin });
  const events = readEvents(stdout, "batch");
  assertEquals(code, 3);
  assertMatch(
    stderr,
    /^bulkhead: call r2 .*\nbulkhead: call bad .*\n6 calls: 4 ok, 1 refused \(.*\), 1 failed\n$/,
  );
  const [first] = events;
  assert(first?.type === "run.start");
  assertEquals([first.workspace, first.grants.policy], [scene.ws, "coder"]);
  const ended = events.flatMap((event) => event.type === "tool.end" ? [event] : []);
  assertEquals(ended.map(({ id, result }) => [id, result.error?.code ?? null]), [
    ["r1", null],
    ["r2", "permission_denied"],
    ["g", null],
    ["w", null],
    ["bad", "invalid_input"],
    ["r3", null],
  ]);
  const permissions = events.filter(({ type }) => type === "permission");
  const target = scene.at("outside.txt");
  const flag = `--allow-read=${target}`;
  assertEquals(permissions, [
    { v: 1, type: "permission", id: "r2", decision: "refused", kind: "read", target, flag },
  ] as unknown as Event[]);
  const last = events.at(-1);
  assert(last?.type === "run.end");
  assertEquals([last.exit_code, last.termination_reason], [3, "call_failed"]);
  const started = events.find((event) => event.type === "tool.start" && event.id === "w");
  assert(started?.type === "tool.start");
  assertEquals([started.tool, started.arguments], ["harness/Write", CALLS[3]!.arguments]);
});

Deno.test("call, batch and an embedder hear of each program with its risk, before it runs", async () => {
  using scene = makeScene();
  const argv = ["sh", "-c", "cat $0; exit 3", "--token=abc123def456"];
  const flags = ["--events", "--sandbox=off", "--allow-run"];
  const { stdout } = await scene.run(["call", "par/bash", "-", ...flags], {
    stdin: JSON.stringify({ argv }),
  });
  const shell = { tool: "manus/bash", arguments: { command: "rm -rf gone" } };
  const open = await scene.run(["batch", "-", ...flags], { stdin: JSON.stringify(shell) });
  const events: RunEvent[] = [];
  {
    await using runner = createRunner({
      workspace: scene.ws,
      env: { ...Deno.env.toObject(), HOME: scene.at("home") },
      sandbox: "off",
      allow: { run: true },
      onEvent: (event) => events.push(event),
    });
    await runner.call("par/bash", { argv });
  }
  for (const told of [readEvents(stdout, "call"), events]) {
    const all = told.map(({ type }) => type).filter((type) => !type.startsWith("run."));
    // A busy machine takes long between the two lines that the program says.
    const types = all.filter((type, at) => type !== "tool.progress" || all[at - 1] !== type);
    assertEquals(types, ["tool.start", "program.start", "tool.progress", "program.end", "tool.end"]);
    const [begun, said, ended] = ["program.start", "tool.progress", "program.end"].map((type) =>
      told.find((event) => event.type === type)
    );
    assert(said?.type === "tool.progress" && said.output?.includes("--token="), JSON.stringify(said));
    assert(begun?.type === "program.start" && ended?.type === "program.end");
    assertEquals([begun.id, begun.argv.at(-1), begun.risk], [1, "--token=[redacted]", "low"]);
    assertEquals([ended.id, ended.exit_code, ended.signal], [1, 3, null]);
  }
  const programs = readEvents(open.stdout, "batch").filter(({ type }) => type.startsWith("program."));
  const line = programs.map((event) =>
    event.type === "program.start" ? [event.command, event.risk] : event.type
  );
  assertEquals(line, [[undefined, "low"], ["rm -rf gone", "high"], "program.end", "program.end"]);
});
