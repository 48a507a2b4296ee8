import { assertEquals } from "@std/assert";

import { programTest } from "../../support/needed_programs.ts";
import { scriptedModel, type ScriptedRequest } from "../../support/scripted_model.ts";
import { ChatTerminal, USUAL_MODES } from "../../support/cli/chat_terminal.ts";
import { descendants, descendantsNaming, isAlive, until } from "../../support/cli/processes.ts";
import { makeScene } from "../../support/cli/scene.ts";

const NEEDS = ["script", "stty"];
/** Longest time in which a turn notices that its chat is gone, in milliseconds. */
const PATIENCE_MS = 40_000;

/** What the prompt of a chat begins with: from then on, each key is one. */
const PROMPTS = "\x1b[?2004h";

/** The program of a chat: not the shell in front of it. */
function chatOf(chat: ChatTerminal): number {
  const shells = descendantsNaming(chat.pid, "stty rows");
  return descendants(chat.pid).find(({ pid }) => !shells.includes(pid))!.pid;
}

const said = ({ body }: ScriptedRequest): string[] =>
  body.messages.filter(({ role }: { role: string }) => role !== "system").map((
    message: { content: unknown },
  ) => typeof message.content === "string" ? message.content : JSON.stringify(message.content));

programTest(
  "a chat that is killed in the middle of a turn takes it along, and can be gone on with",
  NEEDS,
  async () => {
    using scene = makeScene();
    await using model = scriptedModel([
      { text: "First." },
      { text: "It takes long", stallAfter: 3 },
      { text: "Third." },
    ]);
    await using chat = ChatTerminal.open(scene, ["chat", "--session=s1"], {
      model,
      then: ["chat", "--resume=s1"],
    });
    await chat.prompt();
    await chat.say("one", "First.");
    await chat.type("two\r");
    await chat.see("It takes");
    const front = chatOf(chat);
    const turns = descendants(front).map(({ pid }) => pid);
    Deno.kill(front, "SIGKILL");
    await until("the end of the turn", () => !turns.some(isAlive), PATIENCE_MS);
    // The turn says so wherever the next chat has come to.
    await chat.see("The run was interrupted");
    await chat.see(() => chat.written.split("going on with session s1")[1]?.includes(PROMPTS) === true);
    await chat.say("three", "Third.");
    const [first, answer, ...later] = said(model.requests.at(-1)!);
    assertEquals([first, answer, ...later.filter((text) => /two|three/.test(text))], [
      "one",
      "First.",
      "two",
      "three",
    ]);
    await chat.type("\x04");
    assertEquals((await chat.ended()).code, 0);
  },
);

programTest("a chat that is killed at its prompt loses nothing that was sent", NEEDS, async () => {
  using scene = makeScene();
  await using model = scriptedModel([{ text: "First." }, { text: "Second." }]);
  {
    await using chat = ChatTerminal.open(scene, ["chat", "--session=s1"], { model });
    await chat.prompt();
    await chat.say("one", "First.");
    await chat.type("half a");
    await chat.see("> half a");
    Deno.kill(chatOf(chat), "SIGKILL");
    assertEquals((await chat.ended()).code, 137);
  }
  await using chat = ChatTerminal.open(scene, ["chat", "--resume"], { model });
  await chat.prompt("going on with session s1");
  await chat.type("\x1b[A");
  await chat.see(/> one$/);
  await chat.type("\x15");
  await chat.say("two", "Second.");
  assertEquals(said(model.requests[1]!), ["one", "First.", "two"]);
  await chat.type("\x04");
  assertEquals((await chat.ended()).code, 0);
});

programTest("Ctrl-C twice where nothing is typed ends a chat, and once does not", NEEDS, async () => {
  using scene = makeScene();
  await using model = scriptedModel([{ text: "First." }]);
  await using chat = ChatTerminal.open(scene, ["chat"], { model });
  await chat.prompt();
  await chat.type("\x03");
  await chat.prompt("Ctrl-C again, Ctrl-D or /quit ends the chat");
  await chat.say("one", "First.");
  await chat.type("\x03");
  await chat.see((text) => text.split("Ctrl-C again").length > 2 && text.endsWith("\n>"));
  await chat.type("\x03");
  assertEquals(await chat.ended(), { code: 0, modes: USUAL_MODES });
});
