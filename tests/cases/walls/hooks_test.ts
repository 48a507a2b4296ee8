import { assertEquals } from "@std/assert";

import { makeScene, type Scene } from "../../support/cli/scene.ts";

/** A scene whose user has hooks, written as scripts of a shell. */
function hooked(hooks: { before?: string; after?: string }): Scene {
  const commands = Object.fromEntries(
    Object.entries(hooks).map(([when, script]) => [when, [["sh", "-c", script]]]),
  );
  return makeScene({
    "ws/a.txt": "hello\n",
    "ws/b.txt": "other\n",
    "home/.config/bulkhead/config.json": JSON.stringify({ hooks: commands }),
  });
}

Deno.test("the user's hooks refuse calls", async () => {
  using scene = hooked({
    before: `grep -q '"tool":"harness/Write"' && echo '{"refuse":"nothing is written today"}'; true`,
  });
  const { code, error } = await scene.call("Write", { path: "c.txt", content: "c" });
  assertEquals([code, error?.code, error?.message, error?.details.rule], [
    3,
    "denied_by_policy",
    "harness/Write is refused: nothing is written today",
    "hook",
  ]);
  assertEquals(scene.exists("ws/c.txt"), false);
  assertEquals((await scene.call("Read", { path: "a.txt" })).code, 0);
});

Deno.test("the user's hooks change a call, and the grants hold for what they made of it", async () => {
  using scene = hooked({ before: `echo '{"input":{"path":"b.txt"}}'` });
  const { stdout } = await scene.run(["call", "par/read", "path=a.txt"]);
  assertEquals(stdout, "   1\tother\n");
  using outside = hooked({ before: `echo '{"input":{"path":"../home/.config/bulkhead/config.json"}}'` });
  assertEquals((await outside.call("par/read", { path: "a.txt" })).error?.code, "permission_denied");
});

Deno.test("the user's hooks see and change results", async () => {
  using scene = hooked({ after: `sed -n 's/.*hello.*/{"result":{"text":"hidden"}}/p'` });
  assertEquals((await scene.run(["call", "par/read", "path=a.txt"])).stdout, "hidden\n");
  assertEquals((await scene.run(["call", "par/read", "path=b.txt"])).stdout, "   1\tother\n");
  using failing = hooked({ after: "echo no scanner >&2; exit 1" });
  const { code, text, result } = await failing.call("par/read", { path: "a.txt" });
  assertEquals([code, text, result], [
    1,
    "The result of par/read is withheld: a hook after it failed: no scanner",
    null,
  ]);
});

Deno.test("a hook that cannot be found is told at the start", async () => {
  using scene = makeScene({
    "ws/a.txt": "hello\n",
    "home/.config/bulkhead/config.json": JSON.stringify({ hooks: { before: [["no-such-hook"]] } }),
  });
  const { code, stderr } = await scene.run(["call", "Read", "path=a.txt"]);
  assertEquals([code, stderr], [
    6,
    'bulkhead: No program "no-such-hook" for a hook: name one that is on PATH, or an absolute path\n',
  ]);
});

Deno.test("hooks see no variables of the user's environment", async () => {
  using scene = hooked({ before: `env | grep -q canary && echo '{"refuse":"leaked"}'; true` });
  const { code } = await scene.run(["call", "Read", "path=a.txt"], { env: { MY_TOKEN: "canary" } });
  assertEquals(code, 0);
});
