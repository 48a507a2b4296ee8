import { assertEquals } from "@std/assert";

import { inOwnSession } from "../../../../../runtime/walls/process/own_session.ts";

/** Starts `cat` as told; returns its number, group and session, and whether the first is what main knows. */
async function numbers({ argv: [program = "", ...args], detached }: ReturnType<typeof inOwnSession>) {
  const child = new Deno.Command(program, { args, detached, stdout: "piped" }).spawn();
  const { stdout } = await child.output();
  const [pid, , , , group, session] = new TextDecoder().decode(stdout).split(" ").map(Number);
  return { known: pid === child.pid, leads: group === pid && session === pid };
}

const SHOW = ["/usr/bin/cat", "/proc/self/stat"];
const OWN = { known: true, leads: true };

Deno.test("inOwnSession() gives a program a session, and main its number", async () => {
  const own = inOwnSession(SHOW);
  assertEquals(own.detached, Deno.build.os !== "linux");
  if (Deno.build.os === "linux") assertEquals(await numbers(own), OWN);
});

Deno.test({
  name: "inOwnSession() leaves it to the runtime where setsid may not be started",
  permissions: { read: true, run: ["/usr/bin/cat"] },
  async fn() {
    const own = inOwnSession(SHOW);
    assertEquals(own, { argv: SHOW, detached: true });
    if (Deno.build.os === "linux") assertEquals(await numbers(own), OWN);
  },
});

Deno.test({
  name: "inOwnSession() leaves it to the runtime where nothing may be read",
  permissions: { read: false, run: true },
  fn() {
    assertEquals(inOwnSession(SHOW), { argv: SHOW, detached: true });
  },
});
