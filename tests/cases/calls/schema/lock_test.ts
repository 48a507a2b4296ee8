import { assertEquals, assertStringIncludes } from "@std/assert";

import { makeScene } from "../../../support/cli/scene.ts";

Deno.test("schema check finds no drift from its own lock, and names each difference from another", async () => {
  using scene = makeScene();
  const { length: count } = JSON.parse((await scene.run(["tools", "--json"])).stdout);
  const lock = await scene.run(["schema", "lock", "tools.lock.json"]);
  assertEquals([lock.code, lock.stdout, lock.stderr], [0, "", `Locked ${count} tools in tools.lock.json\n`]);
  const same = await scene.run(["schema", "check", "tools.lock.json"]);
  assertEquals([same.code, same.stdout], [0, `No drift: ${count} tools are as locked in tools.lock.json\n`]);
  const before = scene.read("ws/tools.lock.json");
  await scene.run(["schema", "lock", "tools.lock.json"]);
  assertEquals(scene.read("ws/tools.lock.json"), before);
  const changed = JSON.parse(before);
  delete changed.tools["harness/Read"].input_schema.properties.start_line;
  scene.write("ws/other.json", JSON.stringify(changed));
  const drift = await scene.run(["schema", "check", "other.json"]);
  assertEquals([drift.code, drift.stderr], [1, ""]);
  assertStringIncludes(drift.stdout, "start_line");
  const json = JSON.parse((await scene.run(["schema", "check", "other.json", "--json"])).stdout);
  assertEquals(json.ok, false);
  const changes = json.changes.map(({ tool, kind }: Record<string, string>) => `${tool}: ${kind}`);
  assertEquals(changes, ["harness/Read: argument added"]);
});

Deno.test("schema check refuses what is no lock", async () => {
  using scene = makeScene({
    "ws/broken.json": "{",
    "ws/empty.json": "{}",
    "ws/new.json": '{"version":2,"tools":{}}',
  });
  for (const file of ["broken.json", "empty.json", "new.json", "absent.json"]) {
    const { code, stdout, stderr } = await scene.run(["schema", "check", file]);
    assertEquals([code, stdout], [2, ""]);
    assertStringIncludes(stderr, file);
  }
});
