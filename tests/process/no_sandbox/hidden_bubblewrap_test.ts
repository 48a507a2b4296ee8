import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import { boxWorks } from "../../support/box.ts";
import { makeScene } from "../../support/cli/scene.ts";

// What a person meets where bubblewrap is not installed. These tests run with a PATH that does not lead to it.

const WHY = "there is no sandbox (bubblewrap (bwrap) is not installed), and without one only programs that " +
  "--allow-run names";

Deno.test("bubblewrap is hidden here", () => assertEquals(boxWorks, false));

Deno.test("a program is refused, and the flag that the message names lets it start", async () => {
  using scene = makeScene({ "ws/a.txt": "tea\n" });
  const table: [words: string[], name: string, lead: string][] = [
    [["call", "Bash", "command=cat a.txt"], "bash", "[Bash] "],
    [["call", "par/bash", 'argv=["cat","a.txt"]'], "cat", ""],
    [["exec", "--", "cat", "a.txt"], "cat", "bulkhead: "],
  ];
  for (const [words, name, lead] of table) {
    const refused = await scene.run(words);
    assertEquals([refused.code, refused.stdout], [3, ""], words.join(" "));
    assertStringIncludes(refused.stderr, `${lead}Cannot run "${name}" (`);
    assertStringIncludes(refused.stderr, `${WHY}, pass --allow-run=${name} to grant it`);
    const [command = "", ...rest] = words;
    const allowed = await scene.run([command, `--allow-run=${name}`, ...rest]);
    assertEquals(allowed.code, 0, allowed.stderr);
    assertMatch(allowed.stdout, /tea\b/);
  }
});

Deno.test("a sandbox that is required and cannot be made is an error of the configuration", async () => {
  using scene = makeScene();
  for (const words of [["call", "Bash", "command=true"], ["exec", "--", "true"]]) {
    const [command = "", ...rest] = words;
    const { code, stderr } = await scene.run([command, "--sandbox=require", ...rest]);
    assertEquals(code, 6, stderr);
    assertStringIncludes(
      stderr,
      "bubblewrap (bwrap) is not installed; install it with: ",
    );
  }
});

Deno.test("file tools work behind Deno's permissions, and hold what lies outside", async () => {
  using scene = makeScene({ "ws/a.txt": "tea\n", "other/a.txt": "secret\n" });
  assertEquals((await scene.call("Read", { path: "a.txt" })).ok, true);
  const { error, metadata } = await scene.call("Read", { path: "../other/a.txt" });
  assertEquals([error?.code, metadata.place], ["permission_denied", "worker"]);
});

Deno.test("explain and doctor say that there is no sandbox, why, and what to install", async () => {
  using scene = makeScene();
  const explained = await scene.run(["explain", "Bash", "command=ls"]);
  assertEquals(explained.code, 3);
  assertStringIncludes(explained.stdout, "programs without a sandbox, with all that you may do");
  assertStringIncludes(explained.stdout, WHY);
  const { healthy, missing } = JSON.parse((await scene.run(["doctor", "--json"])).stdout);
  assertEquals([healthy, missing[0]], [false, "programs in a sandbox"]);
  const doctor = await scene.run(["doctor"]);
  assertEquals(doctor.code, 0);
  assertStringIncludes(doctor.stdout, "bubblewrap (bwrap) is not installed");
  assertStringIncludes(doctor.stdout, "apt-get install bubblewrap");
});
