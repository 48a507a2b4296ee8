import { assertEquals } from "@std/assert";

import { programTest } from "../../support/needed_programs.ts";
import { scriptedModel, type ScriptedTurn } from "../../support/scripted_model.ts";
import { ChatTerminal, USUAL_MODES } from "../../support/cli/chat_terminal.ts";
import { makeScene } from "../../support/cli/scene.ts";

const NEEDS = ["script", "stty"];
/** What steers a terminal: its title, a cleared screen, a color, a link, and signs that only seem to be letters. */
const EVIL = "\x1b]0;title\x07\x1b[2J\x9b31m\x1b]8;;http://x\x07\u202e\x1bP1$r\x1b\\\x07";
const LEAD = "\\x1b";
const STEERS = new RegExp(`${LEAD}(?:[\\]P]|\\[2J|\\[\\d*;?\\d*H)|\\x9b|\\x07|\\u202e`);
const COLORS = new RegExp(`${LEAD}\\[[\\d;]*m`);

const call = (name: string, input: unknown): ScriptedTurn => ({ tool_calls: [{ name, arguments: input }] });
const CONFIRMED = {
  "home/.config/bulkhead/config.json": JSON.stringify({
    tools: { "harness/Write": { permission: "confirm" } },
  }),
};

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
