import { assert, assertEquals } from "@std/assert";

import { SANDBOXES } from "../../support/box.ts";
import { isAlive, MORE_THAN_A_PIPE, until, untilBusy } from "../../support/cli/processes.ts";
import { RUNAWAY, sceneOfFailures } from "../../support/cli/runaway.ts";
import { makeScene, parseLines } from "../../support/cli/scene.ts";
import { start } from "../../support/program.ts";

Deno.test("a signal ends a command that waits for its input", async () => {
  using scene = makeScene();
  for (
    const args of [["call", "Read", "-"], ["explain", "Read", "-"], ["batch", "-"], ["batch", "-", "--plan"]]
  ) {
    const running = start(args, { cwd: scene.ws, timeoutMs: 20_000 });
    await running.write(MORE_THAN_A_PIPE);
    running.kill("SIGINT");
    const { code, stdout, stderr } = await running.ended();
    assertEquals([code, stdout], [130, ""], args.join(" "));
    // A batch that is run line by line has waited for no more than its next line.
    if (args.join() !== "batch,-") assertEquals(stderr, "bulkhead: Interrupted while waiting for input\n");
  }
});

Deno.test("that nobody reads stderr changes neither the result nor the exit code", async () => {
  using scene = makeScene({ "ws/a.txt": "hello\n" });
  const before = ["/bin/sh", "-c", 'exec "$@" 2> /dev/full', "sh"];
  const read = (...words: string[]) => scene.run(["call", "par/read", "path=a.txt", ...words], { before });
  assertEquals((await read()).stdout, "   1\thello\n");
  const repaired = await scene.run(["call", "par/read", "-"], {
    before,
    stdin: '{"path":"a.txt","extra":1}',
  });
  assertEquals([repaired.code, repaired.stdout], [0, "   1\thello\n"]);
  assertEquals((await read("--nonsense")).code, 2);
});

for (const [signal, code, box] of [["SIGINT", 130, "auto"], ["SIGTERM", 143, "off"]] as const) {
  Deno.test(`${signal} ends a busy call with ${code}, --sandbox=${box}`, async () => {
    using scene = sceneOfFailures();
    const args = ["call", ...RUNAWAY, "--events", `--sandbox=${box}`];
    const running = start(args, { cwd: scene.ws });
    const first = [JSON.parse(await running.nextLine() ?? ""), JSON.parse(await running.nextLine() ?? "")];
    assertEquals(first.map(({ type }) => type), ["run.start", "tool.start"]);
    const { pid } = await untilBusy(running.pid);
    running.kill(signal);
    const ended = await running.ended();
    const [end, last, ...more] = parseLines(ended.stdout) as Record<string, unknown>[];
    assertEquals([ended.code, end?.type, last?.type, more.length], [code, "tool.end", "run.end", 0]);
    assertEquals((end?.result as { error: { code: string } }).error.code, "cancelled");
    assertEquals([last?.exit_code, last?.termination_reason], [code, "interrupted"]);
    await until("the room's end", () => !isAlive(pid));
  });

  Deno.test(`${signal} while the room is being made ends a call with ${code}`, async () => {
    using scene = sceneOfFailures();
    const running = start(["call", ...RUNAWAY, "--events"], { cwd: scene.ws, timeoutMs: 20_000 });
    await running.nextLine();
    running.kill(signal);
    const ended = await running.ended();
    const last = parseLines(ended.stdout).at(-1) as Record<string, unknown>;
    assertEquals([ended.code, last.type, last.exit_code], [code, "run.end", code]);
  });

  Deno.test(`${signal} ends a batch that waits for its next line with ${code}`, async () => {
    using scene = makeScene({ "ws/a.txt": "hello\n" });
    const running = start(["batch", "-"], { cwd: scene.ws });
    await running.write('{"tool":"Read","arguments":{"path":"a.txt"}}\n');
    assertEquals(JSON.parse(await running.nextLine() ?? "").ok, true);
    running.kill(signal);
    const { code: ended, stdout } = await running.ended();
    assertEquals([ended, stdout], [code, ""]);
  });
}

Deno.test("a reader who goes away ends a batch with 141", async () => {
  using scene = makeScene({ "ws/a.txt": `${"x".repeat(8_000)}\n` });
  const line = '{"tool":"Read","arguments":{"path":"a.txt"}}\n';
  for (const box of SANDBOXES) {
    const running = start(["batch", "-", `--sandbox=${box}`], { cwd: scene.ws });
    // Far more than a pipe holds, so that a write must fail.
    const fed = running.write(line.repeat(400)).then(() => running.closeInput()).catch(() => {});
    assert((await running.nextLine())?.startsWith('{"id":1,'));
    await running.closeOutput();
    const { code, stderr } = await running.ended();
    await fed;
    assertEquals([code, stderr], [141, ""]);
  }
});

Deno.test("a reader who is gone already ends every printing command with 141", async () => {
  using scene = makeScene();
  const commands = [["help"], ["tools", "--json"], ["schema"], ["completions", "bash"], [
    "call",
    "echo",
    "text=x",
  ]];
  for (const args of commands) {
    const running = start(args, { cwd: scene.ws });
    await running.closeOutput();
    const { code, stderr } = await running.ended();
    assertEquals([code, stderr], [141, ""], args.join(" "));
  }
});
