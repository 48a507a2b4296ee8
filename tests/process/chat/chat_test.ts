import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import { scriptedModel, type ScriptedTurn } from "../../support/scripted_model.ts";
import { programTest } from "../../support/needed_programs.ts";
import { readTrace } from "../../../runtime/state/sessions/trace_file.ts";
import { ChatTerminal, USUAL_MODES } from "../../support/cli/chat_terminal.ts";
import { descendants } from "../../support/cli/processes.ts";
import { makeScene, type Scene } from "../../support/cli/scene.ts";

/** A terminal can be made here. */
const NEEDS = ["script", "stty"];
const CTRL_C = "\x03";
const CTRL_D = "\x04";
const UP = "\x1b[A";

const write = (path: string): ScriptedTurn => ({
  tool_calls: [{ id: path, name: "Write", arguments: { path, content: "text\n" } }],
});

function sessionsOf(scene: Scene): string[] {
  return [...Deno.readDirSync(scene.at("state/bulkhead/sessions"))].map(({ name }) => name).sort();
}

async function traceOf(scene: Scene) {
  const [id = ""] = sessionsOf(scene);
  return { id, lines: await readTrace(scene.at(`state/bulkhead/sessions/${id}/trace.jsonl`)) };
}

// deno-lint-ignore no-explicit-any
const lastPrompt = ({ body }: { body: any }): unknown => {
  const { content } = body.messages.at(-1);
  return typeof content === "string" ? content : content[0].text;
};

programTest("chat takes turn after turn in one session, and can be gone on with", NEEDS, async () => {
  using scene = makeScene();
  await using model = scriptedModel([
    { text: "First\x1b[2J\x1b]0;x\x07 你好." },
    { text: "Second." },
    { text: "Third." },
    { text: "Fourth." },
  ]);
  {
    await using chat = ChatTerminal.open(scene, ["chat", "one"], { model });
    assertStringIncludes(await chat.prompt("First 你好."), "bulkhead: /help lists what can be typed");
    await chat.say("two 🎉", "Second.");
    await chat.type(` hidden\r`);
    const text = await chat.prompt("Third.");
    // What each turn would tell again stands there once.
    assertEquals(text.match(/policy coder/g)?.length, 1, text);
    assertEquals(text.includes("run --resume"), false, text);
    await chat.type(CTRL_D);
    assertEquals(await chat.ended(), { code: 0, modes: USUAL_MODES });
    const { id, lines } = await traceOf(scene);
    assertStringIncludes(chat.text, `go on   bulkhead chat --resume ${id}`);
    const runs = lines.flatMap((line) => line.t === "run" ? [line.resumed] : []);
    assertEquals([sessionsOf(scene).length, runs], [1, [false, true, true]]);
  }
  const history = scene.at("state/bulkhead/chat_history.jsonl");
  assertEquals(Deno.readTextFileSync(history), '"two 🎉"\n');
  assertEquals((Deno.statSync(history).mode ?? 0) & 0o777, 0o600);
  await using again = ChatTerminal.open(scene, ["run", "--chat", "--resume"], { model });
  await again.prompt("going on with session");
  await again.type(`${UP}!\r`);
  await again.prompt("Fourth.");
  await again.type("/quit\r");
  assertEquals((await again.ended()).code, 0);
  const { messages } = model.requests.at(-1)!.body;
  const said = messages.filter(({ role }: { role: string }) => role === "user").map((one: unknown) =>
    lastPrompt({ body: { messages: [one] } })
  );
  assertEquals(said.slice(-4), ["one", "two 🎉", "hidden", "two 🎉!"]);
  assertEquals(sessionsOf(scene).length, 1);
});

programTest("chat does what its commands say", NEEDS, async () => {
  using scene = makeScene({ "ws/kept.txt": "kept\n" });
  await using model = scriptedModel([
    write("a.txt"),
    { text: "Wrote a." },
    write("b.txt"),
    { text: "Wrote b." },
    { text: "I see." },
    write("../beside/c.txt"),
    { text: "Wrote c." },
  ]);
  Deno.mkdirSync(scene.at("beside"));
  await using chat = ChatTerminal.open(scene, ["chat"], { model, cols: 120, rows: 60 });
  await chat.prompt();
  assertStringIncludes(await chat.say("/help", "attach a file"), "/undo [all]");
  await chat.say("/tols", 'Unknown command "/tols", did you mean "/tools"?');
  await chat.say("/save", "There is nothing to save yet");
  await chat.say("/undo", "has no changes to undo");
  assertMatch(await chat.say("/tools", "TerminalKill"), /harness\/Read .*granted/);
  await chat.say("/tools calculator", "Usage: bulkhead call calculator");
  await chat.say("write a", "Wrote a.");
  await chat.say("write b", "Wrote b.");
  await chat.type("/undo\r");
  await chat.see("Put all this back? [y]es, [n]o:");
  await chat.type("y\r");
  await chat.prompt("is as before");
  assertEquals([scene.exists("ws/a.txt"), scene.exists("ws/b.txt")], [true, false]);
  await chat.say("go on", "I see.");
  assertMatch(String(lastPrompt(model.requests[4]!)), /taken back changes of files.*\n\ngo on$/);
  await chat.say("/grants --alow-write=x", 'did you mean "--allow-write"?');
  assertStringIncludes(
    await chat.say(`/grants --allow-write=${scene.at("beside")}`, "  net "),
    `write  ${scene.ws}, ${scene.at("beside")}`,
  );
  await chat.say("/model other", "the next turn goes to other");
  assertStringIncludes(await chat.say("write c", "Wrote c."), "other · policy coder");
  assertEquals([model.requests.at(-1)?.body.model, scene.exists("beside/c.txt")], ["other", true]);
  assertMatch(await chat.say("/model", "other"), /bulkhead: other\n>$/);
  await chat.say("/save talk.md", "saved in");
  assertStringIncludes(await chat.say("/save talk.md", "Cannot write"), "it exists already");
  const saved = scene.read("ws/talk.md");
  for (const part of ["## You\n\nwrite a", "- `Write path=a.txt", "Wrote a.", "I see."]) {
    assertStringIncludes(saved, part);
  }
  await chat.type("/quit\r");
  assertEquals(await chat.ended(), { code: 0, modes: USUAL_MODES });
});

programTest("Ctrl-C ends a turn of a chat, and a turn that dies ends alone", NEEDS, async () => {
  using scene = makeScene();
  await using model = scriptedModel([
    { text: "It takes long", stallAfter: 3 },
    { text: "Back." },
    { text: "It dies here", stallAfter: 3 },
    { text: "Alive." },
    { text: "It waits for ever", stallAfter: 3 },
  ]);
  await using chat = ChatTerminal.open(scene, ["chat"], { model });
  await chat.prompt();
  await chat.type("slow\r");
  await chat.see("It takes");
  await chat.type(CTRL_C);
  await chat.prompt("interrupted: The run was interrupted");
  await chat.type(CTRL_C);
  await chat.prompt("Ctrl-C again, Ctrl-D or /quit ends the chat");
  await chat.type(`thrown away${CTRL_C}`);
  await chat.prompt("thrown away^C");
  await chat.say("again", "Back.");
  await chat.type("die\r");
  await chat.see("It dies");
  const turn = descendants(chat.pid).filter(({ pid }) => isTurn(pid)).at(-1);
  Deno.kill(turn!.pid, "SIGKILL");
  await chat.prompt("the turn was ended by SIGKILL");
  await chat.say("alive?", "Alive.");
  await chat.type("wait\r");
  await chat.see("It waits");
  // What ends the chat ends its turn too.
  const [front] = descendants(chat.pid).filter(({ pid }) => commandOf(pid).includes("\0chat\0"));
  Deno.kill(front!.pid, "SIGTERM");
  assertEquals(await chat.ended(), { code: 143, modes: USUAL_MODES });
  assertEquals(descendants(chat.pid).filter(({ pid }) => isTurn(pid)), []);
  const ends = (await traceOf(scene)).lines.flatMap((line) =>
    line.t === "end" ? [line.outcome.termination_reason] : []
  );
  assertEquals(ends, ["interrupted", "completed", "completed", "interrupted"]);
});

programTest(
  "chat goes on when its model cannot be reached, and asks the person within a turn",
  NEEDS,
  async () => {
    using scene = makeScene({
      "home/.config/bulkhead/config.json": JSON.stringify({
        tools: { "harness/Write": { permission: "confirm" } },
      }),
    });
    await using model = scriptedModel([
      { status: 401, body: { error: { message: "no such key" } } },
      write("a.txt"),
      { text: "Written." },
      { tool_calls: [{ name: "AskUser", arguments: { question: "Which?" } }] },
      { text: "Thanks." },
    ]);
    await using chat = ChatTerminal.open(scene, ["chat"], { model });
    await chat.prompt();
    await chat.say("hello", "unauthenticated");
    await chat.type(`\x1b[200~${"x".repeat(130_000)}\x1b[201~\r`);
    await chat.prompt("A prompt has at most 120000 bytes here");
    await chat.type("write\r");
    await chat.see("Allow it? [y]es");
    await chat.type("y\r");
    await chat.prompt("Written.");
    assert(scene.exists("ws/a.txt"));
    await chat.type("ask\r");
    await chat.see("Question: Which?\n>");
    await chat.type("blue\r");
    await chat.prompt("Thanks.");
    assertStringIncludes(JSON.stringify(model.requests.at(-1)!.body.messages.at(-1)), "blue");
    await chat.type(CTRL_D);
    assertEquals(await chat.ended(), { code: 0, modes: USUAL_MODES });
  },
);

programTest("chat follows the size of its terminal", NEEDS, async () => {
  using scene = makeScene();
  await using model = scriptedModel([{ text: "Good." }]);
  await using chat = ChatTerminal.open(scene, ["chat"], { model, cols: 60, rows: 12 });
  await chat.prompt();
  await chat.type("word 你好 ".repeat(6));
  await chat.see((text) => /你\n? *好$/.test(text));
  await chat.resize(30, 12);
  await chat.type("!");
  await chat.see(/> word 你好 word 你好 word 你\n {2}好 word 你好 word 你好 word\n {3}你好 !$/);
  assertEquals(chat.cursor.x, 9);
  await chat.type("\r");
  await chat.prompt("Good.");
  assertEquals(lastPrompt(model.requests[0]!), `${"word 你好 ".repeat(6)}!`);
  await chat.type(Array.from({ length: 30 }, (_, n) => `line ${n}`).join("\n"));
  await chat.see((text) => text.endsWith("line 29"));
  await chat.type("\x03");
  await chat.prompt("line 29^C");
});

Deno.test("chat needs a terminal, and says what does without one", async () => {
  using scene = makeScene();
  for (const words of [["chat"], ["run", "--chat"], ["chat", "--resume", "x"]]) {
    const { code, stdout, stderr } = await scene.run(words);
    assertEquals([code, stdout], [2, ""]);
    assertStringIncludes(
      stderr,
      "bulkhead: A chat needs a terminal, and stdin and stdout and stderr are none: ",
    );
    assertStringIncludes(stderr, "bulkhead run --resume ID 'PROMPT'");
  }
  const { code, stderr } = await scene.run(["run", "--chat", "--json"]);
  assertEquals(code, 2);
  assertStringIncludes(stderr, "Options --chat and --json exclude each other");
});

programTest("chat is not for CI, nor for a terminal whose cursor cannot move", NEEDS, async () => {
  using scene = makeScene();
  for (const [env, why] of [[{ CI: "true" }, "CI is set"], [{ TERM: "dumb" }, "TERM is dumb"]] as const) {
    await using chat = ChatTerminal.open(scene, ["chat"], { model: null, env });
    assertEquals((await chat.ended()).code, 2);
    assertStringIncludes(chat.text.replaceAll("\n", ""), why);
  }
});

function commandOf(pid: number): string {
  const { stdout } = new Deno.Command("cat", { args: [`/proc/${pid}/cmdline`], stderr: "null" }).outputSync();
  return new TextDecoder().decode(stdout);
}

function isTurn(pid: number): boolean {
  return /\0run\0[^]*--(?:session|resume)=/.test(commandOf(pid)) && !commandOf(pid).includes("sh\0-c");
}
