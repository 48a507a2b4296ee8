import { assertEquals, assertStringIncludes } from "@std/assert";

import { programTest } from "../../support/needed_programs.ts";
import { scriptedModel, type ScriptedRequest, type ScriptedTurn } from "../../support/scripted_model.ts";
import { ChatTerminal, USUAL_MODES } from "../../support/cli/chat_terminal.ts";
import { makeScene } from "../../support/cli/scene.ts";

const NEEDS = ["script", "stty"];
/** What steers a terminal: its title, a cleared screen, a color, a link, and signs that only seem to be letters. */
const EVIL = "\x1b]0;title\x07\x1b[2J\x9b31m\x1b]8;;http://x\x07\u202e\x1bP1$r\x1b\\\x07";
const LEAD = "\\x1b";
const STEERS = new RegExp(`${LEAD}(?:[\\]P]|\\[2J|\\[\\d*;?\\d*H)|\\x9b|\\x07|\\u202e`);
const COLORS = new RegExp(`${LEAD}\\[[\\d;]*m`);
const NARROW = 20;

const call = (name: string, input: unknown): ScriptedTurn => ({ tool_calls: [{ name, arguments: input }] });
const CONFIRMED = {
  "home/.config/bulkhead/config.json": JSON.stringify({
    tools: { "harness/Write": { permission: "confirm" } },
  }),
};

const promptOf = ({ body }: ScriptedRequest): unknown => {
  const { content } = body.messages.at(-1);
  return typeof content === "string" ? content : content[0].text;
};

/** Waits for a text however the terminal has folded it, and for an end. */
function seeFolded(chat: ChatTerminal, wanted: string, end: RegExp = /\n>$/): Promise<string> {
  const bare = (text: string) => text.replace(/\s+/g, "");
  return chat.see((text) => bare(text).includes(bare(wanted)) && end.test(text));
}

programTest("what a model says and calls does not steer the terminal of a chat", NEEDS, async () => {
  using scene = makeScene(CONFIRMED);
  await using model = scriptedModel([
    { text: `One ${EVIL}1.` },
    call("Write", { path: `a${EVIL}.txt`, content: `${EVIL}\n` }),
    { text: "Two." },
    call("AskUser", { question: `What ${EVIL}now?`, context: EVIL }),
    { text: "Three." },
    call(`Re${EVIL}ad`, { path: EVIL }),
    call("Read", { path: EVIL }),
    { text: "Four." },
    { status: 401, body: { error: { message: `no ${EVIL} key` } } },
  ]);
  // The bell is the person's own wish.
  const env = { BULKHEAD_BELL: "off" };
  await using chat = ChatTerminal.open(scene, ["chat", "--no-color"], { model, env, cols: 120, rows: 60 });
  await chat.prompt();
  await chat.say("one", "1.");
  await chat.type("two\r");
  await chat.see("[e]xplain:");
  await chat.type("e\r");
  await chat.see((text) => text.split("[e]xplain:").length > 2);
  await chat.type("n\r");
  await chat.see("for no reason:");
  await chat.type("\r");
  await chat.prompt("Two.");
  await chat.type("three\r");
  await chat.see(/now\?\n> ?$/);
  await chat.type("go on\r");
  await chat.prompt("Three.");
  await chat.say("four", "Four.");
  await chat.say("five", "unauthenticated");
  await chat.say(`/agent ${EVIL}`, "Unknown agent");
  await chat.say("/tools \u202ex", "Unknown tool");
  await chat.say("/grants --allow-\u202ex", "Unknown option");
  await chat.type("/quit\r");
  assertEquals(await chat.ended(), { code: 0, modes: USUAL_MODES });
  assertEquals(STEERS.exec(chat.written), null);
  assertEquals(COLORS.exec(chat.written), null);
});

programTest("a chat works at a narrow terminal, and NO_COLOR holds", NEEDS, async () => {
  using scene = makeScene(CONFIRMED);
  await using model = scriptedModel([
    { text: "An answer that is longer than the terminal is wide, with 你好 in it." },
    call("Write", { path: "a.txt", content: "a\n" }),
    { text: "Written." },
    call("AskUser", { question: "And which of all those colours?" }),
    { text: "Thanks." },
    { text: "Good." },
  ]);
  const at = { model, env: { NO_COLOR: "1" }, cols: NARROW, rows: 30 };
  await using chat = ChatTerminal.open(scene, ["chat"], at);
  await chat.prompt();
  await chat.type("/help\r");
  await seeFolded(chat, "attach a file");
  await chat.type("one\r");
  await seeFolded(chat, "with 你好 in it.");
  await chat.type("write\r");
  await seeFolded(chat, "[e]xplain:", /: ?$/);
  await chat.type("y\r");
  await seeFolded(chat, "Written.");
  await chat.type("ask\r");
  await seeFolded(chat, "And which of all those colours?", /\n> ?$/);
  await chat.type("the red one, and the 你好\x7f\x7fblue one");
  // What was erased is gone also where the terminal has folded the line.
  await chat.see((text) => text.endsWith("\n> the red one, and the blue one"));
  await chat.type("\r");
  await seeFolded(chat, "Thanks.");
  assertStringIncludes(JSON.stringify(model.requests[4]!.body.messages.at(-1)), "and the blue one");
  await chat.type(`${"word ".repeat(12)}\x1b[A\x1b[A\x01\x1b[1;5Cx`);
  await chat.type("\r");
  await seeFolded(chat, "Good.");
  assertEquals(String(promptOf(model.requests[5]!)).replace("x", ""), "word ".repeat(12).trim());
  await chat.type("\x04");
  assertEquals((await seeFolded(chat, "ended 0", /\.$/)).includes("icanon"), true);
  assertEquals(COLORS.exec(chat.written), null);
});

programTest("the keys of a chat do at a terminal what they do in a shell", NEEDS, async () => {
  using scene = makeScene();
  await using model = scriptedModel((_, n) => ({ text: `Answer ${n}.` }));
  await using chat = ChatTerminal.open(scene, ["chat"], { model, cols: 40 });
  await chat.prompt();
  const [home, end, del, wordLeft, up] = ["\x1b[H", "\x1b[F", "\x1b[3~", "\x1b[1;5D", "\x1b[A"];
  const texts: readonly (readonly [keys: string, said: string])[] = [
    [`wo${home}b${end}c`, "bwoc"],
    [`one two three${wordLeft}${wordLeft}X${del}`, "one Xwo three"],
    ["one two\x01\x0b\x19!\x19", "one two!one two"],
    ["one two\x17\x15\x19", "one"],
    ["abc\x02\x02\x15\x05d", "bcd"],
    [`a👨‍👩‍👧e\u0301你\x7f${home}${del}x`, "x👨‍👩‍👧e\u0301"],
    [`${up}${up}${up}`, "one"],
    ["\x12Xwo\x1b[F.", "one Xwo three."],
    [`${"long ".repeat(60)}${home}x\x05y`, `x${"long ".repeat(60)}y`],
    ["one\x1b\rtwo\\\rthree\x1b[A\x01>", "one\n>two\nthree"],
  ];
  for (const [n, [keys, said]] of texts.entries()) {
    await chat.say(keys, `Answer ${n}.`);
    assertEquals(promptOf(model.requests[n]!), said, JSON.stringify(keys));
  }
  await chat.type("\x04");
  assertEquals(await chat.ended(), { code: 0, modes: USUAL_MODES });
});
