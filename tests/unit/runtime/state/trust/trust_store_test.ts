import { assertEquals } from "@std/assert";

import { exists, namesIn } from "../../../../../runtime/walls/files/file_facts.ts";
import {
  hashOfPart,
  keepTrust,
  listTrust,
  readTrust,
  removeTrust,
  type TrustRecord,
} from "../../../../../runtime/state/trust/trust_store.ts";
import { workspace } from "../../../../support/run_tool.ts";

const record = (folder: string, parts: Record<string, string> = {}): TrustRecord => ({
  ...{ folder, parts },
  since: "2026-01-02T03:04:05.000Z",
});

Deno.test("what the user trusts is kept for each folder, privately, and forgotten", async () => {
  using ws = workspace();
  const state = ws.at("state");
  assertEquals([await readTrust(state, "/b"), await listTrust(state)], [null, []]);
  await keepTrust(state, record("/b", { ".mcp.json": "1" }));
  await keepTrust(state, record("/a"));
  await keepTrust(state, record("/b", { "t.ts": "2" }));
  assertEquals(await readTrust(state, "/b"), record("/b", { "t.ts": "2" }));
  assertEquals((await listTrust(state)).map(({ folder }) => folder), ["/a", "/b"]);
  const [name = ""] = namesIn(ws.at("state/trust"));
  assertEquals(Deno.statSync(ws.at("state/trust")).mode! & 0o777, 0o700);
  assertEquals(Deno.statSync(ws.at(`state/trust/${name}`)).mode! & 0o777, 0o600);
  assertEquals([await removeTrust(state, "/b"), await removeTrust(state, "/b")], [true, false]);
  assertEquals([await readTrust(state, "/b"), (await listTrust(state)).length], [null, 1]);
});

Deno.test("a record that cannot be read, or is another folder's, trusts nothing", async () => {
  using ws = workspace();
  const state = ws.at("state");
  await keepTrust(state, record("/a", { "t.ts": "1" }));
  const path = ws.at(`state/trust/${await hashOfPart("/a")}.json`);
  const texts = [
    "",
    "{",
    "[]",
    '{"v":2,"folder":"/a","since":"","parts":{}}',
    '{"v":1,"folder":"/b","since":"","parts":{"t.ts":"1"}}',
    '{"v":1,"folder":"/a","since":"","parts":{"t.ts":1}}',
  ];
  for (const text of texts) {
    Deno.writeTextFileSync(path, text);
    assertEquals(await readTrust(state, "/a"), null, text);
  }
  assertEquals(exists(path), true);
});
