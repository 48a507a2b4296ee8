import { assert, assertEquals, assertRejects } from "@std/assert";

import { ToolError } from "../../../../schemas/error.ts";
import { findPerson } from "../../../../runtime/cli/io/ask_person.ts";
import type { Io } from "../../../../runtime/cli/io/io.ts";

/** A terminal at which lines are typed, one for each time that somebody waits for one. */
function terminal(lines: (string | null | Promise<string>)[], changes: Partial<Io> = {}) {
  let screen = "";
  const io = {
    stdinIsTerminal: () => true,
    stderrWidth: () => 80,
    env: () => undefined,
    readLine: async () => await (lines.shift() ?? null),
    stderr(bytes: Uint8Array) {
      screen += new TextDecoder().decode(bytes);
      return Promise.resolve();
    },
    ...changes,
  } as unknown as Io;
  return { person: findPerson(io), screen: () => screen };
}

const { signal } = new AbortController();

Deno.test(
  "findPerson() finds nobody without both sides of a terminal, and in CI",
  { permissions: "none" },
  () => {
    for (
      const changes of [
        { stdinIsTerminal: () => false },
        { stderrWidth: () => null },
        { env: (name: string) => name === "CI" ? "true" : undefined },
      ]
    ) assertEquals(terminal([], changes).person, null);
  },
);

for (
  const { line, answer } of [
    { line: "blue\n", answer: "blue" },
    { line: "blue\r\n", answer: "blue" },
    { line: " \n", answer: " " },
    { line: "\n", answer: "" },
  ]
) {
  Deno.test(`findPerson() takes ${JSON.stringify(line)} for an answer`, { permissions: "none" }, async () => {
    const { person, screen } = terminal([line]);
    assertEquals(await person?.ask({ tool: "harness/AskUser", question: "Which?" }, { signal }), answer);
    assertEquals(screen(), "\n[AskUser]\nQuestion: Which?\n> ");
  });
}

Deno.test("findPerson() tells Ctrl-D from an answer and from nobody", { permissions: "none" }, async () => {
  const { person, screen } = terminal([null]);
  const question = { tool: "harness/AskUser", question: "Which?" };
  const error = await assertRejects(async () => await person?.ask(question, { signal }), ToolError);
  assertEquals(error.code, "unavailable");
  assert(
    error.message.startsWith("The person was asked and ended the input without an answer"),
    error.message,
  );
  assertEquals(screen(), "\n[AskUser]\nQuestion: Which?\n> \n");
});

Deno.test(
  "findPerson() shows a question that cannot steer the terminal",
  { permissions: "none" },
  async () => {
    const { person, screen } = terminal(["x\n"]);
    const question = "\x1b]0;title\x07a\r\nharness/Bash needs your consent\x1b[A\u202e";
    await person?.ask({ tool: "manus/ask_human", question, context: `${"c".repeat(4_001)}` }, { signal });
    assertEquals(
      screen(),
      `\n[ask_human]\nContext: ${"c".repeat(4_000)}… 1 characters more\n` +
        "Question: a\n  harness/Bash needs your consent\\u202e\n> ",
    );
  },
);

Deno.test("findPerson() asks one question at a time", { permissions: "none" }, async () => {
  const first = Promise.withResolvers<string>();
  const { person, screen } = terminal([first.promise, "y\n"]);
  const asked = person?.ask({ tool: "a/b", question: "1" }, { signal });
  const confirmed = person?.confirm({ tool: "a/c", input: { path: "x" }, question: "2" });
  await Promise.resolve();
  first.resolve("one\n");
  assertEquals([await asked, await confirmed], ["one", true]);
  assertEquals(screen(), '\n[b]\nQuestion: 1\n> 2\n  {"path":"x"}\nAllow it? [y/N] ');
});

for (
  const { title, isLate, answer } of [
    { title: "the next question gets the next line", isLate: true, answer: "typed" },
    { title: "a line that came before the next question is no answer to it", isLate: false, answer: "fresh" },
  ]
) {
  Deno.test(`findPerson() stops waiting when the call ends: ${title}`, { permissions: "none" }, async () => {
    const typed = Promise.withResolvers<string>();
    const { person } = terminal([typed.promise, "fresh\n"]);
    const cancel = new AbortController();
    const given = person?.ask({ tool: "a/b", question: "1" }, { signal: cancel.signal });
    cancel.abort();
    assertEquals(await given, null);
    if (!isLate) typed.resolve("typed\n");
    await turn();
    const next = person?.ask({ tool: "a/b", question: "2" }, { signal });
    await turn();
    typed.resolve("typed\n");
    assertEquals(await next, answer);
  });
}

/** Lets everything that can go on go on. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
