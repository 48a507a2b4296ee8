import { assertEquals } from "@std/assert";
import { join } from "@std/path";

import { makePlainSettings } from "../../../../../runtime/programs/box/plain_settings.ts";

Deno.test("plainSettings() copies a text once, and nothing that holds no login or may be shown", async () => {
  const folder = Deno.makeTempDirSync();
  const plain = makePlainSettings(() => Promise.resolve(folder));
  const path = join(folder, "config");
  const find = () => [{ path, kind: "protected" as const, info: Deno.lstatSync(path) }];
  const none = { secrets: [], writeNamed: [] };
  Deno.writeTextFileSync(path, "url = https://git.test/a.git\n");
  assertEquals(await plain(find(), none), []);
  Deno.writeTextFileSync(path, "url = https://me:pass@git.test/a.git\n");
  const [first] = await plain(find(), none);
  assertEquals(Deno.readTextFileSync(first!.copy), "url = https://git.test/a.git\n");
  assertEquals(await plain(find(), none), [first!]);
  assertEquals(await plain(find(), { ...none, secrets: [path] }), []);
  assertEquals(await plain(find(), { ...none, writeNamed: [path] }), []);
  assertEquals([...Deno.readDirSync(folder)].length, 2);
  Deno.removeSync(folder, { recursive: true });
});
