import { assertEquals } from "@std/assert";

import { makeGrants } from "../../../../../runtime/walls/grants/make_grants.ts";
import { narrowGrants } from "../../../../../runtime/walls/grants/narrow_grants.ts";

const place = { workspace: "/ws", cwd: "/ws", realPath: (path: string) => path };
const coder = makeGrants(
  { allow: { read: ["/data"], net: ["example.com"] }, allowSecrets: ["/ws/a/.env"] },
  place,
);

Deno.test("narrowGrants() leaves what lies in both, and never more", () => {
  const cases: [
    within: string[],
    workspace: string | null,
    read: readonly string[],
    write: readonly string[],
  ][] = [
    [["/ws"], "/ws", ["/ws"], ["/ws"]],
    [["/ws/a"], "/ws/a", ["/ws/a"], ["/ws/a"]],
    [["/ws/a", "/ws/b"], "/ws/a", ["/ws/a", "/ws/b"], ["/ws/a", "/ws/b"]],
    [["/data/x"], "/data/x", ["/data/x"], []],
    [["/"], "/ws", ["/ws", "/data"], ["/ws"]],
    [["/ws/a", "/etc"], "/ws/a", ["/ws/a"], ["/ws/a"]],
    [["/wsx", "/etc", "/data2"], null, [], []],
    [[], null, [], []],
  ];
  for (const [within, workspace, read, write] of cases) {
    const narrowed = narrowGrants(coder, within);
    assertEquals(narrowed?.workspace ?? null, workspace, within.join());
    if (narrowed) assertEquals([narrowed.allow.read, narrowed.allow.write], [read, write], within.join());
  }
});

Deno.test("narrowGrants() narrows everything of all, and secrets, but no hosts and no programs", () => {
  const all = makeGrants({ allowAll: true }, place);
  const narrowed = narrowGrants(all, ["/etc"]);
  assertEquals([narrowed?.allow.read, narrowed?.workspace], [["/etc"], "/etc"]);
  assertEquals(narrowed?.allow.net, true);
  assertEquals(narrowGrants(coder, ["/ws/b"])?.secrets, []);
  assertEquals(narrowGrants(coder, ["/ws/a"])?.secrets, ["/ws/a/.env"]);
  const writer = makeGrants({ allow: { write: ["/ws/a/.bashrc"] } }, place);
  const named = (within: string) => narrowGrants(writer, [within])?.writeNamed;
  assertEquals([named("/ws/b"), named("/ws/a")], [[], ["/ws/a/.bashrc"]]);
});
