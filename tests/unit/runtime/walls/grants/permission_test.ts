import { assertEquals } from "@std/assert";

import {
  decide,
  judge,
  matchesPattern,
  withDefaults,
} from "../../../../../runtime/walls/grants/permission.ts";
import type { Permission, PermissionPredicate, Verdict } from "../../../../../schemas/permission.ts";
import { entryOf } from "../../../../support/manifest_entry.ts";

const MUST = 'it must give true, false, "allow", "confirm" or "deny"';

const PATTERNS: readonly (readonly [pattern: string, text: string, matches: boolean])[] = [
  ["src/*", "src/a.ts", true],
  ["src/*", "src/", true],
  ["src/*", "lib/src/a.ts", false],
  ["*.ts", "a.ts", true],
  ["*.ts", "a.ts.bak", false],
  ["*", "", true],
  ["", "", true],
  ["", "a", false],
  ["a", "a", true],
  ["a*a", "a", false],
  ["a*a", "aa", true],
  ["a*b*c", "a-b-b-c", true],
  ["a*bc*bc", "abc", false],
  ["**", "x", true],
  ["a.c", "abc", false],
  ["[ab]+", "ab", false],
  ["*é*", "café!", true],
  ["git *", "git\npush", false],
  ["git*push", "git\npush", true],
];

Deno.test("matchesPattern() takes `*` for any text and everything else as it stands", () => {
  for (const [pattern, text, matches] of PATTERNS) {
    assertEquals(matchesPattern(pattern, text), matches, `${pattern} ${JSON.stringify(text)}`);
  }
});

Deno.test("matchesPattern() comes to an end with hostile patterns", () => {
  assertEquals(matchesPattern(`${"*a".repeat(200)}*b`, "a".repeat(100_000)), false);
});

const when = (patterns: Record<string, string | string[]>, rest: object = {}): Permission => ({
  when: patterns,
  ...rest,
});

const DECISIONS: readonly (readonly [Permission, input: unknown, role: string | null, Verdict])[] = [
  ["allow", {}, null, "allow"],
  ["confirm", {}, null, "confirm"],
  ["deny", {}, "admin", "deny"],
  [{ roles: ["admin", "ops"] }, {}, "ops", "allow"],
  [{ roles: ["admin"] }, {}, "guest", "deny"],
  [{ roles: ["admin"] }, {}, null, "deny"],
  [{ roles: [] }, {}, "", "deny"],
  [{ roles: ["admin"], otherwise: "confirm" }, {}, null, "confirm"],
  [when({ path: "src/*" }), { path: "src/a" }, null, "allow"],
  [when({ path: "src/*" }), { path: "etc/a" }, null, "deny"],
  [when({ path: "*" }), {}, null, "deny"],
  [when({ path: "*" }), null, null, "deny"],
  [when({ path: "*" }), "src", null, "deny"],
  [when({}), {}, null, "allow"],
  [when({ path: ["a", "b*"] }), { path: "bc" }, null, "allow"],
  [when({ path: [] }), { path: "" }, null, "deny"],
  [when({ path: "a", mode: "r" }), { path: "a", mode: "w" }, null, "deny"],
  [
    when({ command: "*rm *" }, { then: "confirm", otherwise: "allow" }),
    { command: "rm -r x" },
    null,
    "confirm",
  ],
  [when({ command: "*rm *" }, { then: "confirm", otherwise: "allow" }), { command: "ls" }, null, "allow"],
  [when({ count: "5" }), { count: 5 }, null, "allow"],
  [when({ force: "true" }), { force: true }, null, "allow"],
  [when({ value: "null" }), { value: null }, null, "allow"],
  [when({ list: '["a",*' }), { list: ["a", "b"] }, null, "allow"],
  [when({ "edits.0.old": "x*" }), { edits: [{ old: "xy" }] }, null, "allow"],
  [when({ "edits.1.old": "x*" }), { edits: [{ old: "xy" }] }, null, "deny"],
  [when({ "a.b": "dot" }), { "a.b": "dot", a: { b: "nested" } }, null, "allow"],
  [when({ toString: "*" }), {}, null, "deny"],
  [when({ "path.length": "*" }), { path: "abc" }, null, "deny"],
];

Deno.test("decide() knows verdicts, roles and conditions", () => {
  for (const [permission, input, role, verdict] of DECISIONS) {
    assertEquals(decide(permission, { input, role }), verdict, JSON.stringify([permission, input, role]));
  }
});

const call = { tool: "test/x", input: { path: "a" }, role: null };

Deno.test("decide() looks at every place that a path may lead to before it allows, and at any before it refuses", () => {
  const forms = (targets: string[][], spelled: string[] = []) => ({ real: [], targets, spelled });
  const told = (when: Permission, path: ReturnType<typeof forms>) =>
    decide(when, { input: { path: "x" }, role: null, paths: new Map([["path", path]]) });
  const allows: Permission = { when: { path: "src/*" } };
  const refuses: Permission = { when: { path: "src/*" }, then: "deny", otherwise: "allow" };
  const inside = ["src/a", "/ws/src/a"];
  assertEquals([told(allows, forms([inside])), told(refuses, forms([inside]))], ["allow", "deny"]);
  const either = forms([inside, ["/etc/a"]]);
  assertEquals([told(allows, either), told(refuses, either)], ["deny", "deny"]);
  // A link that stands there and leads away, and links in a circle.
  const link = forms([["/etc/a"]], ["src/link", "/ws/src/link"]);
  assertEquals([told(allows, link), told(refuses, link)], ["deny", "deny"]);
  assertEquals([told(allows, forms([])), told(refuses, forms([]))], ["deny", "allow"]);
  const composed: Permission = { when: { path: "caf\u00e9" }, then: "deny", otherwise: "allow" };
  assertEquals(told(composed, forms([["cafe\u0301"]])), "deny");
});

Deno.test("judge() lets the strictest of several permissions count", async () => {
  const table: readonly (readonly [Permission[], Verdict, string])[] = [
    [[], "allow", ""],
    [["allow", "confirm"], "confirm", 'its permission is "confirm"'],
    [["deny", "confirm"], "deny", 'its permission is "deny"'],
    [[when({ path: "a" }), { roles: ["ops"] }], "deny", "it is for the roles ops, and no role was given"],
    [[when({ path: "b", mode: "r" })], "deny", 'its permission depends on the arguments ("path", "mode")'],
  ];
  for (const [permissions, verdict, reason] of table) {
    const judged = await judge(permissions, call);
    assertEquals([judged.verdict, judged.reason], [verdict, reason]);
  }
});

Deno.test("judge() asks functions, and takes what they throw or make up for a refusal", async () => {
  const table: readonly (readonly [PermissionPredicate, Verdict, string])[] = [
    [() => true, "allow", ""],
    [() => false, "deny", "its permission refuses this call"],
    [() => Promise.resolve("confirm" as const), "confirm", "its permission asks for it"],
    [
      ({ tool, role, input }) => tool === "test/x" && role === null && "path" in (input as object),
      "allow",
      "",
    ],
    [
      () => {
        throw new Error("no database");
      },
      "deny",
      "its permission failed: no database",
    ],
    [() => Promise.reject(new Error("late")), "deny", "its permission failed: late"],
    [
      (() => undefined) as unknown as PermissionPredicate,
      "deny",
      `its permission failed: permissions gave nothing: ${MUST}`,
    ],
    [
      (() => "yes") as unknown as PermissionPredicate,
      "deny",
      `its permission failed: permissions gave "yes": ${MUST}`,
    ],
  ];
  for (const [predicate, verdict, reason] of table) {
    const judged = await judge([predicate], call);
    assertEquals([judged.verdict, judged.reason], [verdict, reason]);
  }
});

Deno.test("judge() shows functions a copy", async () => {
  const input = { path: "a" };
  await judge([({ input }) => {
    (input as { path: string }).path = "changed";
    return true;
  }], { ...call, input });
  assertEquals(input.path, "a");
});

Deno.test("withDefaults() adds the defaults of absent arguments alone", () => {
  const entry = entryOf("test/x", {
    input_schema: {
      type: "object",
      properties: { path: { type: "string", default: "." }, n: { type: "number" } },
    },
  });
  assertEquals(withDefaults(entry, {}), { path: "." });
  assertEquals(withDefaults(entry, { path: "a", n: 1 }), { path: "a", n: 1 });
  assertEquals(withDefaults(entry, "text"), "text");
});
