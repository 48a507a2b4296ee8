import { assertEquals } from "@std/assert";

import {
  commandPolicy,
  isWiderPolicy,
  policyScopes,
  readRule,
  ruleProblem,
  stricterPolicy,
} from "../../../../../runtime/walls/grants/policies.ts";
import { POLICY_NAMES } from "../../../../../schemas/grants.ts";

Deno.test("each policy allows less than the one before it", { permissions: "none" }, () => {
  assertEquals(POLICY_NAMES.map((name) => [name, commandPolicy(name).level, policyScopes(name, "/ws")]), [
    ["coder", "free", { read: ["/ws"], write: ["/ws"], net: ["public"], run: ["boxed"] }],
    ["read-only", "no-write", { read: ["/ws"], write: [], net: ["public"], run: ["boxed"] }],
    ["read-only-no-net", "listed", { read: ["/ws"], write: [], net: [], run: ["boxed"] }],
  ]);
  for (const [at, name] of POLICY_NAMES.entries()) {
    const wider = POLICY_NAMES.filter((other) => isWiderPolicy(other, name));
    assertEquals(wider, POLICY_NAMES.slice(0, at), name);
    for (const other of wider) assertEquals(stricterPolicy(name, other), stricterPolicy(other, name), name);
  }
  assertEquals(stricterPolicy("coder", "read-only-no-net"), "read-only-no-net");
});

Deno.test("readRule() reads a program, words and options", { permissions: "none" }, () => {
  assertEquals(readRule("git"), { program: "git" });
  assertEquals(readRule(" git  remote add "), { program: "git", words: ["remote", "add"] });
  assertEquals(readRule("git push --force -f"), {
    program: "git",
    words: ["push"],
    options: ["--force", "-f"],
  });
});

Deno.test("ruleProblem() says what keeps a text from being a rule", { permissions: "none" }, () => {
  assertEquals(ruleProblem(" "), "must name a program");
  assertEquals(ruleProblem("git push --force -f")?.startsWith("names several options"), true);
  assertEquals([ruleProblem("git push -f"), ruleProblem({ program: "git", options: ["-f", "-n"] })], [
    null,
    null,
  ]);
});
