import { assertEquals } from "@std/assert";

import type { NetRules } from "../../../../../schemas/net.ts";
import { showNetRules } from "../../../../../runtime/walls/net/show_net_rules.ts";

Deno.test("showNetRules() tells which hosts rules let through", { permissions: "none" }, () => {
  const table: [Partial<NetRules>, string][] = [
    [{}, ""],
    [{ allow: true, deny: true }, ""],
    [{ private: true }, ""],
    [{ allow: true }, "all public hosts"],
    [{ allow: ["public", "a.org"], deny: ["b.org", "*.c.org"] }, "all public hosts, but not b.org, *.c.org"],
    [{ allow: ["a.org:443", "::1"], private: ["::1", "10.0.0.0/8"] }, "a.org:443, ::1, 10.0.0.0/8"],
    [{ allow: ["public"], private: true }, "all public hosts, private addresses"],
    [{ private: ["localhost:3000"] }, "localhost:3000"],
  ];
  for (const [rules, shown] of table) {
    assertEquals(showNetRules({ allow: [], deny: [], private: [], ...rules }), shown);
  }
});
