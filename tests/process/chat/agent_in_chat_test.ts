import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import { readTrace } from "../../../runtime/state/sessions/trace_file.ts";
import { programTest } from "../../support/needed_programs.ts";
import { scriptedModel, type ScriptedRequest, type ScriptedTurn } from "../../support/scripted_model.ts";
import { ChatTerminal, USUAL_MODES } from "../../support/cli/chat_terminal.ts";
import { makeScene } from "../../support/cli/scene.ts";

const NEEDS = ["script", "stty"];
const CTRL_D = "\x04";
const THOUGHT = {
  reasoning_steps: ["look at the request", "ask"],
  current_situation: "nothing is known",
  plan_status: "no plan",
  enough_data: false,
  remaining_steps: ["ask"],
  task_completed: false,
};
const QUESTIONS = {
  reasoning: "unclear",
  unclear_terms: ["it"],
  assumptions: ["a", "b"],
  questions: ["Which \x1b[2J\x1b]0;x\x07one?", "Since when?"],
};
const ANSWER = {
  reasoning: "known",
  completed_steps: ["asked"],
  answer: "The red one is old.",
  status: "completed",
};

const call = (name: string, input: unknown): ScriptedTurn => ({ tool_calls: [{ name, arguments: input }] });
const ASKS = [call("reasoning_tool", THOUGHT), call("clarification_tool", QUESTIONS)];
const ANSWERS = [call("reasoning_tool", THOUGHT), call("final_answer_tool", ANSWER)];

const toolsOf = ({ body }: ScriptedRequest): string[] =>
  body.tools.map((tool: { function: { name: string } }) => tool.function.name);
const askedOf = (request: ScriptedRequest | undefined): string =>
  JSON.stringify(request?.body.messages.at(-1));

programTest("--no-questions asks nothing at a terminal either, for no consent too", NEEDS, async () => {
  const config = JSON.stringify({ tools: { "harness/Write": { permission: "confirm" } } });
  using scene = makeScene({ "home/.config/bulkhead/config.json": config });
  await using model = scriptedModel([
    ...ASKS,
    ...ANSWERS,
    call("Write", { path: "a.txt", content: "a" }),
    call("AskUser", { question: "May I?" }),
    { text: "I may not." },
  ]);
  const unasked = async (words: readonly string[]) => {
    await using terminal = ChatTerminal.open(scene, ["run", "--no-questions", ...words], {
      model,
      cols: 200,
    });
    const ended = await terminal.ended();
    return { ...ended, text: terminal.text };
  };
  const waiting = await unasked(["--agent=research", "--session=s1", "Is it old?"]);
  assertEquals([waiting.code, waiting.modes], [0, USUAL_MODES]);
  assertStringIncludes(waiting.text, "\nWhich one?\nSince when?\n");
  assertStringIncludes(waiting.text, "bulkhead run --resume s1");
  const answered = await unasked(["--resume=s1", "The red one"]);
  assertEquals(answered.code, 0);
  assertStringIncludes(answered.text, "\nThe red one is old.\n");
  const refused = await unasked(["Write it"]);
  assertEquals(refused.code, 0);
  assertStringIncludes(refused.text, "no person can be asked");
  assertStringIncludes(askedOf(model.requests.at(-1)), "no interactive terminal is available");
  assertEquals(scene.exists("ws/a.txt"), false);
});

programTest("/agent changes the agent within a chat, and the session keeps it", NEEDS, async () => {
  using scene = makeScene();
  await using model = scriptedModel([{ text: "Hello." }, ...ANSWERS, ...ANSWERS, { text: "Bye." }]);
  {
    await using chat = ChatTerminal.open(scene, ["chat", "--session=s1"], { model });
    await chat.prompt();
    await chat.say("hello", "Hello.");
    await chat.say("/agent reserch", 'Unknown agent "reserch", did you mean "research"?');
    assertMatch(await chat.say("/agent", "dialog "), /\bresearch +bulkhead +sgr-tools\b/);
    assertStringIncludes(
      await chat.say("/agent research", "the next turn goes to the agent research"),
      "sgr/create_report_tool",
    );
    await chat.say("is it old?", "The red one is old.");
    assert(toolsOf(model.requests[0]!).includes("Edit"));
    assertEquals(toolsOf(model.requests[1]!), ["reasoning_tool"]);
    assert(toolsOf(model.requests[2]!).includes("web_search_tool"));
    // What was said before is known to the next agent.
    assertStringIncludes(JSON.stringify(model.requests[1]!.body.messages), "Hello.");
    await chat.type(CTRL_D);
    assertEquals((await chat.ended()).code, 0);
  }
  await using chat = ChatTerminal.open(scene, ["chat", "--resume=s1"], { model });
  await chat.prompt();
  await chat.say("and the other?", "The red one is old.");
  assertEquals(toolsOf(model.requests[3]!), ["reasoning_tool"]);
  await chat.say("/agent default", "the next turn goes to the agent default");
  await chat.say("bye", "Bye.");
  assert(toolsOf(model.requests[5]!).includes("Edit"));
  await chat.type(CTRL_D);
  assertEquals((await chat.ended()).code, 0);
  const lines = await readTrace(scene.at("state/bulkhead/sessions/s1/trace.jsonl"));
  const agents = lines.flatMap((line) => line.t === "run" ? [line.settings?.agent?.name] : []);
  assertEquals(agents.slice(1), ["research", "research", "default"]);
});

programTest(
  "an agent asks within a turn of a chat, and a question without an answer waits for the next prompt",
  NEEDS,
  async () => {
    using scene = makeScene();
    await using model = scriptedModel([...ASKS, ...ANSWERS, ...ASKS, ...ANSWERS]);
    await using chat = ChatTerminal.open(scene, ["chat", "--agent=research"], { model });
    await chat.prompt();
    const asks = (times: number) => (text: string) =>
      text.split("\nQuestion: ").length === times + 1 && /Since when\?\n> ?$/.test(text);
    await chat.type("is it old?\r");
    await chat.see(asks(1));
    await chat.type("the red one\r");
    await chat.prompt("The red one is old.");
    assertStringIncludes(askedOf(model.requests[2]), "the red one");
    await chat.type("and the other?\r");
    await chat.see(asks(2));
    await chat.type(CTRL_D);
    // The questions stand there again as what the turn came to.
    await chat.see(/\nWhich one\?\nSince when\?\n>$/);
    await chat.say("the blue one", "The red one is old.");
    assertStringIncludes(askedOf(model.requests[6]), "the blue one");
    assertStringIncludes(askedOf(model.requests[6]), "answers your questions");
    await chat.say("/save talk.md", "saved in");
    const saved = scene.read("ws/talk.md");
    for (
      const part of ["Which one?\nSince when?", "the red one", "the blue one", "\nThe red one is old.\n"]
    ) {
      assertStringIncludes(saved, part);
    }
    await chat.type("/quit\r");
    assertEquals(await chat.ended(), { code: 0, modes: USUAL_MODES });
  },
);

programTest("an answer of an agent that gives the turn back ends the turn of a chat", NEEDS, async () => {
  const told = (text: string) => [
    call("reasoning_tool", THOUGHT),
    call("answer_tool", { reasoning: "known", intermediate_result: text, continue_research: true }),
  ];
  using scene = makeScene();
  await using model = scriptedModel([
    ...told("Rents rose.\n\nDo you want more?"),
    ...told("They rose by a third."),
    ...told("In a run they rose, too."),
    ...ANSWERS,
  ]);
  {
    await using chat = ChatTerminal.open(scene, ["chat", "--agent=dialog"], { model });
    await chat.prompt();
    const shown = await chat.say("Did rents rise?", "\nRents rose.\n\nDo you want more?\n>");
    assertEquals(shown.includes("Question:"), false, shown);
    await chat.say("yes,\\\rall of it", "\nThey rose by a third.\n>");
    assertStringIncludes(askedOf(model.requests[2]), "yes,\\nall of it");
    await chat.type(CTRL_D);
    assertEquals((await chat.ended()).code, 0);
  }
  // A run has no prompt of its own.
  await using run = ChatTerminal.open(scene, ["run", "--agent=dialog", "Did rents rise?"], { model });
  await run.see("\n\n  In a run they rose, too.\n>");
  await run.type(CTRL_D);
  assertEquals(await run.ended(), { code: 0, modes: USUAL_MODES });
});
