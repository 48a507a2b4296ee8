import { assertEquals } from "@std/assert";

import { readRule, ruleProblem } from "../../../../../runtime/walls/grants/policies.ts";

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
