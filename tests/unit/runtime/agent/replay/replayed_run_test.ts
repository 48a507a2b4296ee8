import { assert, assertEquals } from "@std/assert";

import { Conversation, foldTrace } from "../../../../../runtime/agent/conversation/conversation.ts";
import { openRecorder, recordModel } from "../../../../../runtime/agent/replay/record.ts";
import { openReplay } from "../../../../../runtime/agent/replay/replay.ts";
import { runAgent } from "../../../../../runtime/agent/loop/run_agent.ts";
import { openTrace, readTrace } from "../../../../../runtime/state/sessions/trace_file.ts";
import { makeRedactor } from "../../../../../runtime/text/secrets/redact.ts";
import type { ModelProfile } from "../../../../../schemas/agent/model.ts";
import type { TraceLine } from "../../../../../schemas/agent/trace.ts";
import { workspace } from "../../../../support/run_tool.ts";
import {
  ask,
  calls,
  makePlay,
  type SceneOptions,
  START,
  type Turn,
} from "../../../../support/agent_scene.ts";
import { placed, runLine } from "../../../../support/trace_scene.ts";

const begin: readonly TraceLine[] = [
  runLine(),
  ...START.map((message) => ({ t: "message", message }) as const),
];

/** A small window, so that older turns are summed up in between. */
const SMALL: ModelProfile = { context_tokens: 3_000, output_tokens: 300, images: false, prices: null };

const OPTIONS: SceneOptions = {
  call: ({ arguments: given }) => ({ content: `${JSON.stringify(given)} ${"word ".repeat(500)}` }),
  parts: { profile: SMALL },
};

/** Looks at six files, says nothing once, and answers; whatever is to be summed up is. */
const TURNS: readonly Turn[] = [
  calls(ask("Read", { path: "1" }, "a"), ask("Read", { path: "2" })),
  calls(ask("Read", { path: "3" }, "a")),
  { content: "" },
  calls(ask("Write", { path: "4" }), ask("Read", { path: "5" })),
  calls(ask("Read", { path: "6" })),
  { content: "the answer" },
];

/** Puts in a summary wherever one is asked for. */
function withSummaries(turns: readonly Turn[]): Turn[] {
  const rest = [...turns];
  const turn: Turn = ({ purpose }) => purpose === "compact" ? { content: "what was" } : rest.shift()!;
  return Array(30).fill(turn);
}

Deno.test("a run that is killed at any line and resumed gives the answer of its replay", async () => {
  using ws = workspace();
  const recorded = makePlay(withSummaries(TURNS), OPTIONS);
  {
    using recorder = openRecorder(placed(ws.at("r")), {
      model: "m",
      places: { workspace: "/ws", artifacts: "" },
      request: { system: "", tools: [] },
      redact: (text) => text,
      readPicture: () => Promise.resolve(""),
      warn: () => {},
    });
    const parts = { ...recorded.parts, model: recordModel(recorded.parts.model, recorder) };
    const outcome = await runAgent(new Conversation(START), parts);
    assertEquals([outcome.termination_reason, outcome.answer], ["completed", "the answer"]);
  }
  const lines = [...begin, ...recorded.lines];
  assert(lines.some(({ t }) => t === "compact"), "nothing was summed up");
  for (let cut = begin.length; cut <= lines.length; cut++) {
    const earlier = lines.slice(0, cut);
    const play = makePlay([], OPTIONS);
    const { model } = await openReplay(ws.at("r"), { earlier });
    const outcome = await runAgent(foldTrace(earlier), { ...play.parts, model });
    const { termination_reason, answer } = outcome;
    assertEquals([termination_reason, answer], ["completed", "the answer"], `after line ${cut}`);
  }
});

Deno.test("a trace grows with the work, not with its square", async () => {
  using ws = workspace();
  const [few, many] = [await sizeAfter(ws.at("few"), 20), await sizeAfter(ws.at("many"), 200)];
  assert(many < 10.1 * few && many < 200 * 2_600, `${few} bytes for 20 rounds, ${many} for 200`);
});

/** The bytes of a trace after so many rounds of one call. */
async function sizeAfter(path: string, rounds: number): Promise<number> {
  using trace = await openTrace(path, { redact: makeRedactor([]) });
  const turns = Array.from({ length: rounds }, (_, n) => calls(ask("Read", { path: `file-${1_000 + n}` })));
  const { parts } = makePlay([...turns, { content: "done" }], {
    limits: { rounds: rounds + 1, calls: rounds },
    call: () => ({ content: "x".repeat(2_000) }),
    parts: { trace: trace.write, profile: { ...SMALL, context_tokens: 1e9 } },
  });
  trace.write(runLine());
  const outcome = await runAgent(new Conversation(START), parts);
  assertEquals(outcome.termination_reason, "completed");
  assertEquals(foldTrace(await readTrace(path)).messages.length, 2 * rounds + 1);
  return Deno.statSync(path).size;
}
