import { assert, assertEquals } from "@std/assert";

import { findSystemPrograms } from "../../../../../runtime/programs/process/system_programs.ts";
import { ProcessCounter } from "../../../../../runtime/programs/watch/process_counter.ts";
import { settlesWithin } from "../../../../../runtime/wait/settles_within.ts";
import { makeSleepers } from "../../../../support/cli/sleepers.ts";
import { counterOf } from "../../../../support/cli/processes.ts";

const { bash } = findSystemPrograms("/usr/bin:/bin");

for (const groups of [true, false]) {
  Deno.test({
    name: `ProcessCounter counts a program that started before its answer, ${
      groups ? "with" : "without"
    } control groups`,
    ignore: bash === null || Deno.build.os !== "linux",
    fn: () => countLate(groups),
  });
}

async function countLate(groups: boolean) {
  using sleepers = makeSleepers();
  const limit = 50 + crypto.getRandomValues(new Uint8Array(1))[0]! % 20;
  const counter = new ProcessCounter({
    bash: bash!,
    maxProcesses: limit,
    memoryMb: 4096,
    groups,
    answerMs: 100,
  });
  // It answers once: what follows does not wait for its start.
  await counter.expect("first");
  await counter.unwatch("first");
  Deno.kill(counterOf(limit), "SIGSTOP");
  const mark = crypto.randomUUID();
  assertEquals(await counter.expect(mark), null);
  const program = new Deno.Command("/bin/sh", {
    args: ["-c", `for i in $(seq ${2 * limit}); do ${sleepers.words} & done; wait`],
    detached: true,
  }).spawn();
  const over = Promise.withResolvers<string>();
  counter.watch(mark, { pid: program.pid, alsoSession: true, onOver: over.resolve });
  Deno.kill(counterOf(limit), "SIGCONT");
  assert(await settlesWithin(over.promise, 20_000), "nobody counted it");
  assertEquals(await over.promise, "processes");
  await program.status;
  await sleepers.gone();
  await counter.unwatch(mark);
  await counter.end();
}
