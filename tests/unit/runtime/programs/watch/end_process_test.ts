import { assertEquals } from "@std/assert";

import { signalProcess } from "../../../../../runtime/programs/watch/signal_processes.ts";
import { findSystemPrograms } from "../../../../../runtime/programs/process/system_programs.ts";
import { readLines } from "../../../../../runtime/text/lines.ts";
import { boxWorks } from "../../../../support/box.ts";
import { processesNaming, until } from "../../../../support/cli/processes.ts";

const { setpriv, script } = findSystemPrograms("/usr/bin:/bin");
const FLAGS = ["--no-prompt", "--no-check", "--allow-read", "--allow-write", "--allow-run", "--allow-sys"];
const parent = new URL("../../../../fixtures/program_parent.ts", import.meta.url).pathname;

for (
  const { place, seconds } of [{ place: "boxed", seconds: "6547" }, { place: "unboxed", seconds: "6548" }]
) {
  Deno.test({
    name: `Programs end with the process that started them, ${place}`,
    ignore: script === null || (place === "boxed" ? !boxWorks : setpriv === null),
    fn: () => killParent(place, seconds),
  });
}

async function killParent(place: string, seconds: string) {
  await using child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...FLAGS, parent, place, seconds],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = readLines(child.stdout);
  const folder = (await lines.next()).value!;
  // The parent itself, the three programs and what stands before them.
  await until("the programs run", () => processesNaming(seconds).length >= 4);
  child.kill("SIGKILL");
  await lines.return(undefined);
  await until("the programs' end", () => processesNaming(seconds).length === 0);
  Deno.removeSync(folder, { recursive: true });
}

Deno.test("signalProcess() says nothing about what has ended", async () => {
  const child = new Deno.Command("true", { detached: true }).spawn();
  await child.status;
  assertEquals(signalProcess(child.pid, "SIGTERM"), undefined);
  assertEquals(signalProcess(-child.pid, "SIGKILL"), undefined);
});
