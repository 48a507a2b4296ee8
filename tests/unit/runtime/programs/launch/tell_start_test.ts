import { assert, assertEquals, assertRejects } from "@std/assert";

import type { ProgramEvent } from "../../../../../schemas/program.ts";
import { SHELL_MARK } from "../../../../../schemas/program.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { programScene } from "../../../../support/program_scene.ts";

const waitMs = 60_000;

/** A scene whose calls write down what is told of their programs. */
function toldScene() {
  const scene = programScene({ boxed: false });
  const events: ProgramEvent[] = [];
  return { ...scene, events, told: scene.call({ onEvent: (event) => events.push(event) }) };
}

function exists(folder: string, name: string): boolean {
  return [...Deno.readDirSync(folder)].some((entry) => entry.name === name);
}

/** Each event in few words. */
function shown(events: readonly ProgramEvent[]): string[] {
  return events.map((event) => {
    const { type, program } = event;
    if (type === "program.start") return `${program} starts ${event.command ?? event.argv.join(" ")}`;
    if (type === "program.input") return `${program} gets ${JSON.stringify(event.text)}`;
    return `${program} ends ${event.exit_code} ${event.signal} ${event.reason}`;
  });
}

Deno.test("tellStart() tells of a program before it runs, and once of its end", async () => {
  await using scene = toldScene();
  const atStart: boolean[] = [];
  const call = scene.call({
    onEvent(event) {
      if (event.type === "program.start") atStart.push(exists(scene.path, "made"));
      scene.told.onEvent?.(event);
    },
  });
  await scene.host.run({ argv: ["sh", "-c", "touch made; exit 3"] }, call);
  await scene.host.run({ argv: ["sh", "-c", "kill -9 $$"] }, scene.told);
  await scene.host.run({ argv: ["sleep", "60"], timeoutMs: 20 }, scene.told);
  assertEquals(atStart, [false]);
  assertEquals(shown(scene.events), [
    "1 starts sh -c touch made; exit 3",
    "1 ends 3 null exited",
    "2 starts sh -c kill -9 $$",
    "2 ends 137 SIGKILL exited",
    "3 starts sleep 60",
    "3 ends 143 SIGTERM timeout",
  ]);
  const [first, end] = scene.events;
  assert(first?.type === "program.start" && end?.type === "program.end");
  const { cwd, sandboxed, risk } = first;
  assertEquals({ cwd, sandboxed, risk }, { cwd: scene.path, sandboxed: false, risk: "low" });
  assert(end.duration_ms >= 0);
});

Deno.test("ProgramHost.run() tells nothing of what a program said once it has told its end", async () => {
  // Longer than lines wait until they are told.
  const inspect = () => new Promise<string[]>((resolve) => setTimeout(() => resolve([]), 250));
  await using scene = programScene({ boxed: false, inspect });
  const heard: string[] = [];
  const call = scene.call({
    onEvent: ({ type }) => heard.push(type),
    onOutput: (lines) => heard.push(lines),
  });
  await scene.host.run({ argv: ["sh", "-c", "echo one; echo two >&2"] }, call);
  assertEquals([heard[0], heard.at(-1)], ["program.start", "program.end"]);
  assert(heard.length > 2);
});

Deno.test("tellStart() also ends a program that could not be started", async () => {
  await using scene = toldScene();
  await assertRejects(() => scene.host.run({ argv: ["true"], cwd: "/nowhere" }, scene.told), ToolError);
  await assertRejects(() => scene.host.open({ argv: ["true"], cwd: "/nowhere" }, scene.told), ToolError);
  assertEquals(shown(scene.events), [
    "1 starts true",
    "1 ends null null failed",
    "2 starts true",
    "2 ends null null failed",
  ]);
});

Deno.test("tellStart() tells of each command of an open shell, and of the shell", async () => {
  await using scene = toldScene();
  const { id, nonce = "" } = await scene.host.open({ argv: ["bash"], shell: true }, scene.told);
  const mark = `${SHELL_MARK}${nonce}${SHELL_MARK}`;
  const read = () => scene.host.read(id, { waitMs, until: mark }, scene.told);
  await read();
  for (const command of ["echo one", "(exit 4)"]) {
    await scene.host.command(id, command, scene.told);
    await read();
  }
  await scene.host.command(id, "sleep 60", scene.told);
  await scene.host.end();
  assertEquals(shown(scene.events).map((line) => line.replace(/ --no.*/, "")), [
    "1 starts bash",
    "2 starts echo one",
    "2 ends 0 null exited",
    "3 starts (exit 4)",
    "3 ends 4 null exited",
    "4 starts sleep 60",
    "4 ends 137 SIGKILL cancelled",
    "1 ends 137 SIGKILL cancelled",
  ]);
  const sessions = scene.events.flatMap((event) => event.type === "program.start" ? event.session ?? "" : []);
  assertEquals(sessions, [id, id, id, id]);
});

Deno.test("ProgramHost tells what is typed into an open program before it gets it", async () => {
  await using scene = toldScene();
  const { id } = await scene.host.open({ argv: ["cat"] }, scene.told);
  await scene.host.write(id, "hello\n", scene.told);
  await scene.host.close(id, { graceMs: 0 }, scene.told);
  assertEquals(shown(scene.events), [
    "1 starts cat",
    '1 gets "hello\\n"',
    "1 ends 137 SIGKILL cancelled",
  ]);
});
