import { assert, assertEquals } from "@std/assert";

import { probeBox } from "../../../../../runtime/walls/box/probe_box.ts";
import { tryProgram } from "../../../../../runtime/walls/process/try_program.ts";
import { workspace } from "../../../../support/run_tool.ts";

const sh = (script: string, ms: number) => tryProgram(["/bin/sh", "-c", script], { ms });

Deno.test("tryProgram() tells how a program ended, and what it said", async () => {
  assertEquals(await sh("echo out; echo why >&2; exit 3", 60_000), {
    success: false,
    stderr: "why",
  });
  assertEquals(await sh("exit 0", 60_000), { success: true, stderr: "" });
});

Deno.test("tryProgram() waits neither for a program that hangs nor for what it has left, and ends both", async () => {
  using ws = workspace();
  const left = `echo $$ > ${ws.path}/pid; sleep 1000 & echo $! >> ${ws.path}/pid;`;
  for (const script of [`trap '' TERM; ${left} wait; wait`, `${left} exit 0`]) {
    const { success, stderr } = await sh(script, 300);
    assertEquals([success, stderr], [false, "it did not end within 0.3 seconds"]);
    const pids = Deno.readTextFileSync(`${ws.path}/pid`).trim().split("\n").map(Number);
    assertEquals(pids.length, 2);
    for (const pid of pids) await gone(pid);
  }
});

Deno.test("probeBox() takes a bubblewrap that fails for none", async () => {
  using ws = workspace();
  Deno.writeTextFileSync(`${ws.path}/bwrap`, "#!/bin/sh\necho may not >&2\nexit 1\n", { mode: 0o755 });
  const state = await probeBox(`${ws.path}/bwrap`);
  assert(!state.works);
  if (Deno.build.os === "linux") assertEquals(state.reason, `${ws.path}/bwrap does not work: may not`);
});

/** A killed process is there until somebody has waited for it. */
async function gone(pid: number): Promise<void> {
  const stat = () => new Deno.Command("cat", { args: [`/proc/${pid}/stat`], stderr: "null" }).output();
  for (;;) {
    const { success, stdout } = await stat();
    if (!success || /\) Z /.test(new TextDecoder().decode(stdout))) return;
  }
}
