import { assertEquals } from "@std/assert";

import type { Scope } from "../../../../../schemas/grants.ts";
import { makeGrants } from "../../../../../runtime/walls/grants/make_grants.ts";
import type { GrantFlags } from "../../../../../runtime/walls/grants/make_grants.ts";
import { programRules, reachesNothing, toolRules } from "../../../../../runtime/walls/net/net_rules.ts";

Deno.test("toolRules() and programRules() follow the policy and the flags", { permissions: "none" }, () => {
  const none = { deny: [], private: [] };
  const table: [GrantFlags, tools: Scope, programs: Scope][] = [
    [{}, ["public"], []],
    [{ policy: "read-only" }, ["public"], []],
    [{ policy: "read-only-no-net" }, [], []],
    [{ policy: "read-only-no-net", allow: { net: ["a.com"] } }, ["a.com"], ["a.com"]],
    [{ allow: { net: ["a.com"] } }, ["public", "a.com"], ["a.com"]],
    [{ allow: { net: true } }, true, true],
    [{ allowAll: true }, true, true],
  ];
  for (const [flags, tools, programs] of table) {
    const grants = grantsOf(flags);
    assertEquals(toolRules("granted", grants), { allow: tools, ...none });
    assertEquals(programRules(grants), { allow: programs, ...none });
  }
  const grants = grantsOf({ deny: { net: ["b.com"] }, allowPrivateNet: ["127.0.0.1:80"] });
  const lists = { deny: ["b.com"], private: ["127.0.0.1:80"] };
  assertEquals(toolRules("granted", grants), { allow: ["public"], ...lists });
  assertEquals(programRules(grants), { allow: [], ...lists });
});

Deno.test("toolRules() is what a tool needs of what is granted", { permissions: "none" }, () => {
  const table: [need: string[], granted: Scope, common: string[]][] = [
    [["api.a.com"], true, ["api.a.com"]],
    [["api.a.com:443"], ["public"], ["api.a.com:443"]],
    [["api.a.com:443", "b.com"], ["*.a.com", "c.com"], ["api.a.com:443"]],
    [["*.a.com"], ["x.a.com:80,443", "a.com"], ["x.a.com:80,443"]],
    [["*.a.com:443"], ["x.a.com:80,443"], ["x.a.com:443"]],
    [["a.com:80"], ["a.com:443"], []],
    [["8.0.0.0/8:443"], ["8.8.8.8"], ["8.8.8.8:443"]],
    [["::1", "fd00::/8"], ["[::1]:80,81", "[fd00::]/8:443"], ["[::1]:80,81", "[fd00::/8]:443"]],
    [["[2000::]/3:80,443"], ["2600::/8"], ["[2600::/8]:80,443"]],
    [["8.8.8.8"], ["9.0.0.0/8"], []],
    [["*.a.com"], ["*.b.a.com", "*.a.com", "8.8.8.8"], ["*.b.a.com", "*.a.com"]],
  ];
  for (const [need, granted, common] of table) {
    const grants = grantsOf({ policy: "read-only-no-net", allow: { net: granted } });
    assertEquals(toolRules(need, grants).allow, common, JSON.stringify([need, granted]));
  }
  const open = { allowPrivateNet: ["10.0.0.0/8", "127.0.0.1:80"] };
  assertEquals(toolRules(["127.0.0.1"], grantsOf(open)).private, ["127.0.0.1:80"]);
});

Deno.test("reachesNothing() finds rules that let nothing through", { permissions: "none" }, () => {
  const rules = (allow: Scope, deny: Scope, open: Scope) => reachesNothing({ allow, deny, private: open });
  assertEquals([rules([], [], []), rules([], [], true), rules(true, true, ["::1"])], [true, true, true]);
  assertEquals([rules(["a.com"], [], []), rules([], [], ["::1"]), rules(true, ["a.com"], [])], [
    false,
    false,
    false,
  ]);
});

function grantsOf(flags: GrantFlags) {
  return makeGrants(flags, { workspace: "/work", cwd: "/work", realPath: (path) => path });
}
