import { assert, assertEquals, assertRejects } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { findPerson } from "../../../../../runtime/cli/io/ask_person.ts";
import type { CallPreview, ConfirmCall, Consent } from "../../../../../schemas/permission.ts";
import type { Io } from "../../../../../runtime/cli/io/io.ts";

/** What ends a question. */
const PROMPT = /(?:\n> |\[e\]xplain: |for no reason: )$/;

/** A terminal at which lines are typed, one for each question when it waits for its answer. */
function terminal(lines: (string | null | Promise<string>)[], changes: Partial<Io> = {}, noColor = false) {
  let screen = "";
  let typing = false;
  let waiting = Promise.withResolvers<string | null>();
  const type = async () => {
    typing = true;
    const line = await (lines.shift() ?? null);
    typing = false;
    waiting.resolve(line);
  };
  const io = {
    stdinIsTerminal: () => true,
    stderrWidth: () => 80,
    env: () => undefined,
    interrupt: new AbortController().signal,
    keyboard: {
      setRaw() {},
      lend() {},
      rows: () => 24,
      read: () => (waiting = Promise.withResolvers()).promise,
    },
    stderr(bytes: Uint8Array) {
      screen += new TextDecoder().decode(bytes);
      if (PROMPT.test(screen) && !typing) type();
      return Promise.resolve();
    },
    ...changes,
  } as unknown as Io;
  return { person: findPerson(io, { noColor, quietMs: 0 }), screen: () => screen };
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
    assertEquals(screen().replace("\x07", ""), `\n[AskUser]\nQuestion: Which?\n> ${answer}\n`);
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
  assertEquals(screen().replace("\x07", ""), "\n[AskUser]\nQuestion: Which?\n> \n");
});

Deno.test(
  "findPerson() shows a question that cannot steer the terminal",
  { permissions: "none" },
  async () => {
    const { person, screen } = terminal(["x\n"]);
    const question = "\x1b]0;title\x07a\r\nharness/Bash needs your consent\x1b[A\u202e";
    await person?.ask({ tool: "manus/ask_human", question, context: `${"c".repeat(4_001)}` }, { signal });
    assertEquals(
      screen().replace("\x07", ""),
      `\n[ask_human]\nContext: ${"c".repeat(4_000)}… 1 characters more\n` +
        "Question: a\n  harness/Bash needs your consent\\u202e\n> x\n",
    );
  },
);

/** A question about a call of the tool `a/c`. */
function confirmCall(
  { question = "Q", input = { path: "x" }, ...preview }:
    & { question?: string; input?: unknown }
    & Partial<CallPreview>,
): ConfirmCall {
  const usual: CallPreview = {
    targets: [{ kind: "write", value: "x" }],
    analyses: [],
    change: null,
    always: "a/c",
  };
  return { tool: "a/c", input, question, preview: () => Promise.resolve({ ...usual, ...preview }) };
}

Deno.test("findPerson() takes the answers of a question for consent", { permissions: "none" }, async () => {
  const cases: readonly (readonly [lines: (string | null)[], consent: Consent])[] = [
    [["y\n"], "once"],
    [[" YES \r\n"], "once"],
    [["a\n"], "run"],
    [["always\n"], "run"],
    [["\n"], false],
    [[null], false],
    [["yes please\n"], false],
    [["yup\n"], false],
    [["n\n", "\n"], false],
    [["n\n", "  use the other file \n"], { no: "use the other file" }],
    [["n, use b.txt\n"], { no: "use b.txt" }],
    [["no: why?\n"], { no: "why?" }],
    [["e\n", "?\n", "y\n"], "once"],
  ];
  for (const [lines, consent] of cases) {
    const { person } = terminal([...lines]);
    assertEquals(await person?.confirm(confirmCall({})), consent, JSON.stringify(lines));
  }
  const interrupt = AbortSignal.abort();
  for (const ended of [terminal([null]), terminal([new Promise(() => {})], { interrupt })]) {
    assertEquals(await ended.person?.confirm(confirmCall({})), false);
    assert(ended.screen().endsWith("[e]xplain: \n"), ended.screen());
  }
  const { person, screen } = terminal(["a\n"]);
  assertEquals(await person?.confirm(confirmCall({ always: null })), false);
  assert(!screen().includes("[a]lways"), screen());
});

Deno.test(
  "findPerson() shows the change, the whole command, and its risk",
  { permissions: "none" },
  async () => {
    const change = Array.from({ length: 50 }, (_, at) => `+line ${at}`).join("\n");
    const plain = { env: (name: string) => name === "NO_COLOR" ? "1" : undefined };
    const { person, screen } = terminal(["e\n", "n\n", "\n"], plain);
    await person?.confirm(confirmCall({ change, input: { content: "c".repeat(5_000) } }));
    const [first = "", second = ""] = screen().split("[e]xplain: ");
    assert(
      first.includes("    +line 29\n    … 10 lines left out, [e]xplain shows them\n    +line 40\n"),
      first,
    );
    assert(first.includes("    +line 49\n") && first.includes("c… 4642 characters left out …c"), first);
    assert(!first.includes("c".repeat(300)), first);
    assert(second.includes("    +line 49\n") && second.includes("c".repeat(5_000)), second);
    const script = `${"echo safe; ".repeat(600)}\nrm -rf \u202e/`;
    const command = { script, shell: "bash" };
    const asked = terminal(["\n"]);
    await asked.person?.confirm(confirmCall({
      targets: [{ kind: "run", value: "bash", command }],
      analyses: [{ commands: [], opaque: ["a variable"], rules: [], risk: "high" }],
    }));
    const shown = asked.screen();
    assert(shown.includes("echo safe; ".repeat(600)) && shown.includes("rm -rf \\u202e/"), shown);
    assert(shown.includes("risk  high; starts nothing; not understood: a variable"), shown);
  },
);

Deno.test(
  "findPerson() paints a change, but not if the user wants no colors",
  { permissions: "none" },
  async () => {
    for (const noColor of [false, true]) {
      const { person, screen } = terminal(["\n"], {}, noColor);
      await person?.confirm(confirmCall({ change: "+new line" }));
      assertEquals(screen().includes("\x1b[32m    +new line"), !noColor);
    }
  },
);

Deno.test("findPerson() asks one question at a time", { permissions: "none" }, async () => {
  const first = Promise.withResolvers<string>();
  const { person, screen } = terminal([first.promise, "y\n"]);
  const asked = person?.ask({ tool: "a/b", question: "1" }, { signal });
  const confirmed = person?.confirm(confirmCall({ question: "2" }));
  await Promise.resolve();
  first.resolve("one\n");
  assertEquals([await asked, await confirmed], ["one", "once"]);
  assertEquals(
    screen().replaceAll("\x07", ""),
    '\n[b]\nQuestion: 1\n> one\n2\n  write x\n  with  {"path":"x"}\nAllow it? [y]es, [a]lways in this run (a/c), [n]o, [e]xplain: y\n',
  );
});

for (
  const { title, isLate, answer } of [
    { title: "the next question gets the next line", isLate: true, answer: "typed" },
    { title: "a line that came before the next question is no answer to it", isLate: false, answer: "fresh" },
  ]
) {
  Deno.test(`findPerson() stops waiting when the call ends: ${title}`, { permissions: "none" }, async () => {
    const typed = Promise.withResolvers<string>();
    const { person, screen } = terminal([typed.promise, "fresh\n"]);
    const cancel = new AbortController();
    const given = person?.ask({ tool: "a/b", question: "1" }, { signal: cancel.signal });
    while (!screen().includes("\n> ")) await turn();
    cancel.abort();
    assertEquals(await given, null);
    if (!isLate) typed.resolve("typed\n");
    await turn();
    const next = person?.ask({ tool: "a/b", question: "2" }, { signal });
    while (!screen().includes("Question: 2\n> ")) await turn();
    typed.resolve("typed\n");
    assertEquals(await next, answer);
  });
}

/** Lets everything that can go on go on. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
