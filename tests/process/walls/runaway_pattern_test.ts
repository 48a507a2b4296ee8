import { assert, assertEquals } from "@std/assert";

import { SANDBOXES } from "../../support/box.ts";
import { start } from "../../support/program.ts";
import { descendants, isAlive, until } from "../../support/cli/processes.ts";
import { type Answer, type Call, makeScene } from "../../support/cli/scene.ts";

const LIMIT_MS = 1_500;
/** For what ends by itself, also on a busy machine; what runs away would take longer than anybody lives. */
const AMPLE_MS = 30_000;
const PATTERNS = ["(a+)+$", "^(\\w+\\s?)*$", "^(a|a|\\p{L})*\\1$"];
const FILES = { "ws/evil.txt": `${"a".repeat(10_000)}!\n`, "ws/plain.txt": "plain\n" };

/** Without a bound, there would be no answer at all. */
function expectBounded(answer: Answer, call: Call): void {
  const said = `${JSON.stringify(call)} => ${JSON.stringify(answer)}`;
  assert(answer.error === null || answer.error.code === "timeout", said);
  if (answer.error) assertEquals(answer.error.retryable, true);
}

Deno.test("a runaway pattern ends within its limit and harms nobody beside it", async () => {
  using scene = makeScene(FILES);
  const evil = PATTERNS.flatMap((pattern) =>
    [true, false].map((case_sensitive): Call => ({
      tool: "Grep",
      // One file is searched in the room itself, a folder with the help of its thread.
      arguments: { pattern, case_sensitive, ...(case_sensitive ? { path: "evil.txt" } : { glob: "evil.*" }) },
    }))
  );
  const good: Call[] = [
    { tool: "Read", arguments: { path: "plain.txt" } },
    { tool: "Grep", arguments: { pattern: "plain", path: "plain.txt" } },
  ];
  const calls = evil.flatMap((call) => [...good, call]);
  const flags = [`--timeout=${LIMIT_MS / 1000}`];
  const { code, answers, stderr } = await scene.batch(calls, flags);
  assertEquals([answers.length, stderr], [calls.length, ""]);
  for (const [at, answer] of answers.entries()) {
    if (at % 3 === 2) expectBounded(answer, calls[at]!);
    else {assertEquals([answer.ok, answer.text.includes("plain\n") || answer.text.endsWith("plain")], [
        true,
        true,
      ]);}
  }
  assert(answers.some(({ error }) => error?.code === "timeout"), "none of the patterns ran away");
  assertEquals(code, 124);
});

Deno.test("par/grep ends within its limit too, wherever its room stands", async () => {
  using scene = makeScene(FILES);
  const calls: Call[] = [
    { tool: "par/grep", arguments: { pattern: "^(a+)+\\1$", path: "evil.txt" } },
    { tool: "par/grep", arguments: { pattern: "plain" } },
  ];
  for (const box of SANDBOXES) {
    const { answers } = await scene.batch(calls, [`--timeout=${LIMIT_MS / 1000}`, `--sandbox=${box}`]);
    for (const [at, answer] of answers.entries()) {
      if (at % 2 === 0) expectBounded(answer, calls[at]!);
      else assertEquals(answer.result, ["plain.txt:1:plain"]);
    }
    assertEquals(answers[0]!.error?.code, "timeout");
  }
});

Deno.test("nothing computes on after a pattern has run away", async () => {
  for (const box of SANDBOXES) {
    using scene = makeScene(FILES);
    const running = start(["batch", "-", `--timeout=${LIMIT_MS / 1000}`, `--sandbox=${box}`], {
      cwd: scene.ws,
    });
    const evil = { tool: "Grep", arguments: { pattern: "^(a+)+\\1$", path: "evil.txt" } };
    await running.write(`${JSON.stringify(evil)}\n`);
    let busiest = { pid: 0, ticks: 0 };
    let hasAnswered = false;
    const answered = running.nextLine().finally(() => hasAnswered = true);
    await until("the answer", () => {
      const below = hasAnswered ? [] : descendants(running.pid);
      busiest = below.find(({ ticks }) => ticks > busiest.ticks) ?? busiest;
      return hasAnswered;
    });
    assertEquals(JSON.parse(await answered ?? "").error?.code, "timeout");
    assert(busiest.pid > 0);
    await until("the end of what was busy", () => !isAlive(busiest.pid));
    const below = descendants(running.pid).map(({ pid }) => pid);
    await running.closeInput();
    assertEquals((await running.ended()).code, 124);
    await until("the end of the rooms", () => !below.some(isAlive));
  }
});

Deno.test("no glob and no ignore file runs away, also where nothing could stop it", async () => {
  using scene = makeScene({
    [`ws/${"a".repeat(250)}`]: "x",
    [`ws/${"d/".repeat(60)}f.txt`]: "x",
    "ws/.gitignore": `${"*a".repeat(12)}*b\n${"**/".repeat(12)}zzz\n!${"a*".repeat(20)}b\n`,
  });
  const globs = [
    `${"*a".repeat(30)}*b`,
    `*${"a*".repeat(120)}b`,
    `${"**/".repeat(30)}zzz`,
    `${"**/*/".repeat(8)}q`,
    `**/${"?*".repeat(40)}b`,
    `**/${"[!b]*".repeat(40)}b`,
  ];
  const calls = globs.flatMap((pattern): Call[] => [
    { tool: "Glob", arguments: { pattern } },
    { tool: "par/find", arguments: { pattern } },
    { tool: "Grep", arguments: { pattern: "x", glob: pattern } },
  ]);
  const { answers } = await scene.batch(calls, [`--timeout=${AMPLE_MS / 1000}`, "--sandbox=off"]);
  for (const [at, { ok }] of answers.entries()) assert(ok, JSON.stringify([calls[at], answers[at]]));
});
