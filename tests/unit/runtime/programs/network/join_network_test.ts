import { assertEquals, assertThrows } from "@std/assert";

import { joinNetwork } from "../../../../../runtime/programs/network/join_network.ts";
import { boxStartScript } from "../../../../../runtime/programs/process/start_script.ts";
import { ToolError } from "../../../../../schemas/error.ts";

const BOX = ["/usr/bin/bwrap", "--unshare-user", "--unshare-all", "--", "sh", "-c", "--unshare-all"];

Deno.test("joinNetwork() lets a box join the network of a process, and changes nothing without one", () => {
  const nsenter = "/usr/bin/nsenter";
  assertEquals(joinNetwork(BOX, { pid: 7, nsenter }), [
    ...[nsenter, "--user=/proc/7/ns/user", "--net=/proc/7/ns/net", "--preserve-credentials", "--"],
    ...[
      "/usr/bin/bwrap",
      "--unshare-user",
      "--unshare-all",
      "--share-net",
      "--",
      "sh",
      "-c",
      "--unshare-all",
    ],
  ]);
  assertEquals(joinNetwork(BOX, { pid: null, nsenter: null }), BOX);
});

Deno.test("joinNetwork() never gives a box the network of this machine because something is missing", () => {
  assertThrows(() => joinNetwork(BOX, { pid: 7, nsenter: null }), ToolError, "nsenter");
  assertThrows(() => joinNetwork(["true"], { pid: 7, nsenter: "/usr/bin/nsenter" }), ToolError);
});

Deno.test("a start refuses a process that has ended, or that has the network of this machine", async () => {
  const code = async (joins: number | null) => {
    const { words } = boxStartScript({ bash: "/bin/bash", sh: "/bin/sh" }, null, {
      reports: "report",
      joins,
      needsStdin: true,
    });
    const [program, ...args] = [...words, "true"];
    const { success } = await new Deno.Command(program!, { args, clearEnv: true, stderr: "null" }).output();
    return success;
  };
  assertEquals(await code(null), true);
  assertEquals(await code(Deno.pid), false);
  assertEquals(await code(2 ** 30), false);
});
