import { assertEquals } from "@std/assert";

import { type Keyboard, Questioner } from "../../../../../runtime/cli/io/keyboard.ts";

const { signal } = new AbortController();
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

Deno.test(
  "Questioner takes only what is typed after the question was shown",
  { permissions: "none" },
  async () => {
    for (
      const before of [["y\n"], ["y"], ["y\r"], ["MIT\n", "y\n"], ["y", "\n", "y"], ["\x04"], [
        "y\n".repeat(500),
      ]]
    ) {
      const { questioner, screen, modes } = keyboard(before, ["\r"]);
      assertEquals(await questioner.ask(ASKED, signal), "", JSON.stringify(before));
      assertEquals([screen(), modes], ["Q\n> \n", [true, false]]);
    }
  },
);

Deno.test(
  "Questioner takes one line, and drops what is pasted after it",
  { permissions: "none" },
  async () => {
    const { questioner } = keyboard([], ["MIT\ny\n", "n\n"]);
    assertEquals(await questioner.ask(ASKED, signal), "MIT");
  },
);

Deno.test("Questioner lets a line be mended as a terminal does", { permissions: "none" }, async () => {
  const cases: readonly (readonly [keys: (string | null)[], line: string | null, shown: string])[] = [
    [["y", "e", "s", "\r"], "yes", "yes\n"],
    [["no\x7f\x7f\x7fy\r"], "y", "no\b \b\b \by\n"],
    [["yes\x15n\r"], "n", "yes\b \b\b \b\b \bn\n"],
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
