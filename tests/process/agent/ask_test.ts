import { assert, assertEquals } from "@std/assert";

import { findProgram } from "../../../runtime/walls/files/find_program.ts";
import { atTerminal } from "../../support/cli/at_terminal.ts";
import { makeScene } from "../../support/cli/scene.ts";

const NO_SCRIPT = findProgram("script", Deno.env.get("PATH") ?? "") === null;
const QUESTION = JSON.stringify({
  question: "\x1b[2JWhich\rcolour?\nRed or blue",
  context: "Two\u202e are there.",
});

Deno.test({ name: "a tool's question is put to the person at the terminal", ignore: NO_SCRIPT }, async () => {
  using scene = makeScene({ "ws/x": "" });
  for (
    const [tool, answer] of [["AskUser", "[AskUser] User answer:\r\nblue"], ["ask_human", "blue"]] as const
  ) {
    const input = tool === "AskUser" ? QUESTION : '{"inquire":"Which?"}';
    const { code, screen } = await atTerminal(scene, ["call", tool, input], { typed: "blue\n", ci: "" });
    assertEquals(code, 0, screen);
    assert(screen.trimEnd().endsWith(answer), screen);
    const shown = tool === "AskUser"
      ? "\r\nContext: Two\\u202e are there.\r\nQuestion: Which\r\n  colour?\r\n  Red or blue\r\n> "
      : "\r\nQuestion: Which?\r\n> ";
    assert(screen.includes(shown), JSON.stringify(screen));
  }
});

Deno.test({ name: "the end of a terminal's input is no answer", ignore: NO_SCRIPT }, async () => {
  using scene = makeScene({ "ws/x": "" });
  const { code, screen } = await atTerminal(scene, ["call", "AskUser", QUESTION], { typed: "\x04", ci: "" });
  assertEquals(code, 1, screen);
  assert(screen.includes("[AskUser] The person was asked and ended the input without an answer."), screen);
});

Deno.test({ name: "who types the input of a batch is not asked", ignore: NO_SCRIPT }, async () => {
  using scene = makeScene({
    "ws/a.txt": "hello\n",
    "home/.config/bulkhead/config.json": JSON.stringify({
      tools: { "harness/Read": { permission: "confirm" } },
    }),
  });
  const ahead = '{"tool":"Read","arguments":{"path":"a.txt"}}\ny\n\x04';
  const { code, screen } = await atTerminal(scene, ["batch", "-"], { typed: "", ahead, ci: "" });
  assertEquals(code, 3, screen);
  assert(screen.includes("no person can be asked"), screen);
});
