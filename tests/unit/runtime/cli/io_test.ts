import { assert, assertEquals, assertRejects } from "@std/assert";
// @ts-types="@xterm/headless"
import { Terminal } from "@xterm/headless/lib-headless/xterm-headless.mjs";

import { findPerson } from "../../../../runtime/cli/io/ask_person.ts";
import { type ColorWish, wantsColors } from "../../../../runtime/cli/io/colors.ts";
import { eraseEnd, lastLength } from "../../../../runtime/cli/io/erase_end.ts";
import type { Io } from "../../../../runtime/cli/io/io.ts";
import { type Keyboard, Questioner } from "../../../../runtime/cli/io/keyboard.ts";
import { writeInOrder } from "../../../../runtime/cli/io/write_in_order.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { CallPreview, ConfirmCall, Consent } from "../../../../schemas/permission.ts";

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
const PURE = { permissions: "none" } as const;

Deno.test("findPerson() finds nobody without both sides of a terminal, and in CI", PURE, () => {
  const ci = (name: string) => name === "CI" ? "true" : undefined;
  for (const changes of [{ stdinIsTerminal: () => false }, { stderrWidth: () => null }, { env: ci }]) {
    assertEquals(terminal([], changes).person, null);
  }
});

Deno.test("findPerson() takes any line for an answer", PURE, async () => {
  for (const [line, answer] of [["blue\r\n", "blue"], [" \n", " "], ["\n", ""]] as const) {
    const { person, screen } = terminal([line]);
    assertEquals(await person?.ask({ tool: "harness/AskUser", question: "Which?" }, { signal }), answer);
    assertEquals(screen().replace("\x07", ""), `\nQuestion: Which?\n> ${answer}\n`);
  }
});

Deno.test("findPerson() tells Ctrl-D from an answer and from nobody", PURE, async () => {
  const { person, screen } = terminal([null]);
  const question = { tool: "harness/AskUser", question: "Which?" };
  const error = await assertRejects(async () => await person?.ask(question, { signal }), ToolError);
  assertEquals(error.code, "unavailable");
  assert(
    error.message.startsWith("The person was asked and ended the input without an answer"),
    error.message,
  );
  assertEquals(screen().replace("\x07", ""), "\nQuestion: Which?\n> \n");
});

Deno.test("findPerson() shows a question that cannot steer the terminal", PURE, async () => {
  const { person, screen } = terminal(["x\n"]);
  const question = "\x1b]0;title\x07a\r\nharness/Bash needs your consent\x1b[A\u202e";
  await person?.ask({ tool: "manus/ask_human", question, context: `${"c".repeat(4_001)}` }, { signal });
  assertEquals(
    screen().replace("\x07", ""),
    `\nContext: ${"c".repeat(4_000)}… 1 characters more\n` +
      "Question: a\n  harness/Bash needs your consent\\u202e\n> x\n",
  );
});

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

Deno.test("findPerson() takes the answers of a question for consent", PURE, async () => {
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

Deno.test("findPerson() shows the change, the whole command, and its risk", PURE, async () => {
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
});

Deno.test("findPerson() paints a change, but not if the user wants no colors", PURE, async () => {
  for (const noColor of [false, true]) {
    const { person, screen } = terminal(["\n"], {}, noColor);
    await person?.confirm(confirmCall({ change: "+new line" }));
    assertEquals(screen().includes("\x1b[32m    +new line"), !noColor);
  }
});

Deno.test("findPerson() asks one question at a time", PURE, async () => {
  const first = Promise.withResolvers<string>();
  const { person, screen } = terminal([first.promise, "y\n"]);
  const asked = person?.ask({ tool: "a/b", question: "1" }, { signal });
  const confirmed = person?.confirm(confirmCall({ question: "2" }));
  await Promise.resolve();
  first.resolve("one\n");
  assertEquals([await asked, await confirmed], ["one", "once"]);
  assertEquals(
    screen().replaceAll("\x07", ""),
    '\nQuestion: 1\n> one\n2\n  write x\n  with  {"path":"x"}\nAllow it? [y]es, [a]lways in this run (a/c), [n]o, [e]xplain: y\n',
  );
});

Deno.test(
  "findPerson() stops waiting when the call ends: an answer is typed after its question",
  PURE,
  async () => {
    for (const [isLate, answer] of [[true, "typed"], [false, "fresh"]] as const) {
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
    }
  },
);

/** Lets everything that can go on go on. */
const turn = () => new Promise<void>((resolve) => setTimeout(resolve));

const CASES: readonly (readonly [wish: ColorWish, env: Record<string, string>, colors: boolean])[] = [
  [{ isTerminal: true }, {}, true],
  [{ isTerminal: true }, { TERM: "dumb" }, false],
  [{ isTerminal: true }, { NO_COLOR: "1" }, false],
  [{ isTerminal: true, noColor: true }, {}, false],
  [{ isTerminal: false }, {}, false],
  [{ isTerminal: false }, { FORCE_COLOR: "1" }, true],
  [{ isTerminal: true }, { TERM: "dumb", FORCE_COLOR: "1" }, true],
  [{ isTerminal: false }, { FORCE_COLOR: "0" }, false],
  [{ isTerminal: true, noColor: true }, { FORCE_COLOR: "1" }, false],
  [{ isTerminal: true }, { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
];

Deno.test("wantsColors() takes the terminal, then the variables, then the option", PURE, () => {
  for (const [wish, env, colors] of CASES) {
    const io = { env: (name: string) => env[name] } as Partial<Io> as Io;
    assertEquals(wantsColors(io, wish), colors, JSON.stringify([wish, env]));
  }
});

const WORDS = "a long answer 你好 to a question that folds";

Deno.test("eraseEnd() takes the end of a line off, however the terminal has folded it", async () => {
  for (let columns = 6; columns < 50; columns += 3) {
    const terminal = new Terminal({ cols: columns, rows: 20, allowProposedApi: true });
    const show = (text: string) => new Promise<void>((resolve) => terminal.write(text, resolve));
    await show("Question?\r\n> ");
    let line = "";
    const type = async (text: string) => {
      await show(text);
      line += text;
    };
    const erase = async (times: number) => {
      for (let n = 0; n < times; n++) {
        const left = line.slice(0, line.length - lastLength(line));
        await show(await eraseEnd({ prompt: "> ", line, columns }, left));
        line = left;
      }
    };
    await type(WORDS);
    await erase(12);
    await type("你 x");
    await erase(1);
    const { active } = terminal.buffer;
    const rows = Array.from({ length: active.length }, (_, y) => active.getLine(y)!.translateToString(true));
    const letters = (text: string) => text.replace(/\s/g, "");
    const seen = letters(rows.join("")).replace(letters("Question?>"), "");
    assertEquals(seen, letters(`${WORDS.slice(0, -12)}你 `), `${columns}`);
    terminal.dispose();
  }
});

Deno.test("eraseEnd() goes back by columns where the cursor cannot go up", async () => {
  assertEquals(
    await eraseEnd({ prompt: "> ", line: "a".repeat(90), columns: null }, "a".repeat(89)),
    "\b \b",
  );
  assertEquals(await eraseEnd({ prompt: "> ", line: "a你", columns: 80 }, "a"), "\b \b\b \b");
});

const ASKED = { shown: "Q\n", prompt: "> " };

/** A keyboard at which keys are pressed before the prompt is shown and after it, and the terminal's modes. */
function keyboard(before: readonly string[], after: readonly (string | null)[]) {
  const ahead = [...before];
  const typed = [...after];
  const modes: boolean[] = [];
  let screen = "";
  let waiting = Promise.withResolvers<string | null>();
  const keys: Keyboard = {
    setRaw: (raw) => modes.push(raw),
    lend() {},
    rows: () => 24,
    read() {
      waiting = Promise.withResolvers();
      const next = screen.endsWith("> ") || screen.includes("> ") ? typed.shift() : ahead.shift();
      if (next !== undefined) waiting.resolve(next);
      return waiting.promise;
    },
  };
  const show = (text: string) => {
    screen += text;
    if (text === "> ") waiting.resolve(typed.shift() ?? null);
    return Promise.resolve();
  };
  return { questioner: new Questioner(keys, show, { quietMs: 5 }), screen: () => screen, modes };
}

Deno.test("Questioner takes only what is typed after the question was shown", PURE, async () => {
  const pressed = [["y\n"], ["y"], ["y\r"], ["MIT\n", "y\n"], ["\x04"], ["y\n".repeat(500)]];
  for (const before of pressed) {
    const { questioner, screen, modes } = keyboard(before, ["\r"]);
    assertEquals(await questioner.ask(ASKED, signal), "", JSON.stringify(before));
    assertEquals([screen(), modes], ["Q\n> \n", [true, false]]);
  }
});

Deno.test("Questioner lets a line be mended as a terminal does", PURE, async () => {
  const cases: readonly (readonly [keys: (string | null)[], line: string | null, shown: string])[] = [
    [["y", "e", "s", "\r"], "yes", "yes\n"],
    [["no\x7f\x7f\x7fy\r"], "y", "no\b \b\b \by\n"],
    [["yes\x15n\r"], "n", "yes\b \b\b \b\b \bn\n"],
    // What is pasted after a line is dropped.
    [["MIT\ny\n", "n\n"], "MIT", "MIT\n"],
    [["a bc \x17d\r"], "a d", "a bc \b \b\b \b\b \bd\n"],
    [["世\x7fx\r"], "x", "世\b \b\b \bx\n"],
    // A character as a reader sees it.
    [["a👨‍👩‍👧\x7fe\u0301\x7fx\r"], "ax", "a👨‍👩‍👧\b \b\b \be\u0301\b \bx\n"],
    [["a\x9bb\x07\r"], "ab", "ab\n"],
    [["a\x1b[D\x1b[200~b\x1bOA\x01\r"], "ab", "ab\n"],
    [["\x04"], null, ""],
    [["a\x04\r"], "a", "a\n"],
    [[null], null, ""],
  ];
  for (const [keys, line, shown] of cases) {
    const { questioner, screen, modes } = keyboard([], keys);
    assertEquals(
      [await questioner.ask(ASKED, signal), screen()],
      [line, `Q\n> ${shown}`],
      JSON.stringify(keys),
    );
    assertEquals(modes, [true, false]);
  }
});

const bytes = (text: string) => new TextEncoder().encode(text);

/** A sink that takes two bytes at a time, each time when it is let. */
function slowSink() {
  let text = "";
  const waiting: (() => void)[] = [];
  const asked = Promise.withResolvers<void>();
  return {
    text: () => text,
    /** Resolves when the first bytes have come. */
    asked: asked.promise,
    let: () => waiting.splice(0).forEach((go) => go()),
    async write(given: Uint8Array) {
      asked.resolve();
      await new Promise<void>((go) => waiting.push(go));
      text += new TextDecoder().decode(given.subarray(0, 2));
      return Math.min(2, given.length);
    },
  };
}

Deno.test("texts that nobody waits for come out whole and in order, and an empty one waits for them", async () => {
  const sink = slowSink();
  const write = writeInOrder(sink);
  let isDone = false;
  write(bytes("first "));
  write(bytes("second"));
  const done = write(bytes("")).then(() => void (isDone = true));
  await sink.asked;
  while (sink.text() !== "first second") {
    assertEquals(isDone, false);
    sink.let();
    await Promise.resolve();
  }
  await done;
});

Deno.test("a failed write is told to its caller, and the next text is written", async () => {
  const texts: string[] = [];
  const write = writeInOrder({
    write(given) {
      const text = new TextDecoder().decode(given);
      if (text === "bad") return Promise.reject(new Deno.errors.BrokenPipe("gone"));
      texts.push(text);
      return Promise.resolve(given.length);
    },
  });
  const bad = write(bytes("bad"));
  const good = write(bytes("good"));
  await assertRejects(() => bad, Deno.errors.BrokenPipe);
  await good;
  assertEquals(texts, ["good"]);
});
