import { assertEquals } from "@std/assert";

import { signalGroup } from "../../../../../runtime/programs/watch/signal_processes.ts";

Deno.test("signalGroup() reaches a process that does not lead its group yet, unless it has ended", async () => {
  const child = new Deno.Command("sleep", { args: ["60"] }).spawn();
  signalGroup(child.pid, "SIGKILL", { hasEnded: true });
  const still = await Promise.race([child.status, Promise.resolve("runs")]);
  assertEquals(still, "runs");
  signalGroup(child.pid, "SIGTERM", { hasEnded: false });
  assertEquals((await child.status).signal, "SIGTERM");
});

Deno.test("signalGroup() reaches all of a group, also when its first process has ended", async () => {
  const child = new Deno.Command("sh", {
    args: ["-c", "sleep 60 & echo $!"],
    detached: true,
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  await child.status;
  signalGroup(child.pid, "SIGKILL", { hasEnded: true });
  // The pipe ends with the last process that holds it.
  assertEquals((await reader.read()).done, true);
});
