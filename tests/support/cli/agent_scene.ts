import { assert, assertEquals } from "@std/assert";

import type { RunEvent } from "../../../schemas/agent/events.ts";
import type { RunDocument } from "../../../runtime/cli/show/agent_report.ts";
import { boxWorks } from "../box.ts";
import {
  type ScriptedModel,
  scriptedModel,
  type ScriptedRequest,
  type ScriptedTurn,
} from "../scripted_model.ts";
import type { ProgramOptions, Running } from "../program.ts";
import { parseLines, type Scene } from "./scene.ts";

/** What a model that works in steps thinks before it reads, and what it says at the end. */
export const THOUGHT = {
  reasoning_steps: ["look at the task", "read the file"],
  current_situation: "nothing is read",
  plan_status: "no plan",
  enough_data: false,
  remaining_steps: ["read the file"],
  task_completed: false,
};
export const ANSWER = {
  reasoning: "read",
  completed_steps: ["read"],
  answer: "It says hello.",
  status: "completed",
};

export type Event = RunEvent & { v: number };

/** Nothing of the machine's own says which model is meant. */
const NO_MODEL = Object.fromEntries(
  [
    "API_KEY",
    "API_BASE",
    "MODEL_NAME",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "OPENAI_API_BASE",
    "OPENAI_MODEL",
  ]
    .map((name) => [name, undefined]),
);

/** What a run says at its start where this machine has no sandbox. */
const NO_SANDBOX = "no sandbox here";

/**
 * Runs `run` in the scene's workspace; `model` is the server that it asks, `null` for none. Leaves out of stderr what it
 * says on a machine without a sandbox.
 */
export async function runAgent(
  scene: Scene,
  model: ScriptedModel | null,
  words: readonly string[],
  options: ProgramOptions = {},
): ReturnType<Scene["run"]> {
  const { stderr, ...ended } = await scene.run(["run", ...wordsFor(model), ...words], withoutModel(options));
  const lines = stderr.split("\n");
  return {
    ...ended,
    stderr: lines.filter((line) => boxWorks || !line.startsWith(`warning: ${NO_SANDBOX}`)).join("\n"),
  };
}

/** Starts `run`; whoever starts it awaits `ended()`. Its stdin is closed at once. */
export async function startAgent(
  scene: Scene,
  model: ScriptedModel | null,
  words: readonly string[],
  options: ProgramOptions = {},
): Promise<Running> {
  const running = scene.start(["run", ...wordsFor(model), ...words], withoutModel(options));
  await running.closeInput();
  return running;
}

export async function tell(
  scene: Scene,
  model: ScriptedModel | null,
  words: readonly string[],
  options: ProgramOptions = {},
) {
  const { code, stdout, stderr } = await runAgent(scene, model, [...words, "--json"], options);
  assertEquals(stdout.split("\n").length, 2, stdout);
  const run = JSON.parse(stdout) as RunDocument;
  assertEquals([run.v, run.exit_code], [1, code]);
  return { code, stderr, run };
}

/** Replies by what was said before, so that a run that goes on gets the same. */
export function byHistory(turns: readonly ScriptedTurn[]) {
  return ({ body }: ScriptedRequest): ScriptedTurn =>
    turns[body.messages.filter(({ role }: { role: string }) => role === "assistant").length] ??
      { status: 500, body: {} };
}

/** Runs `run` with a model that gives so many replies of its own, and kills it when it asks for one more. */
export async function killBehind(
  scene: Scene,
  { turns, replies, words, env = {} }: {
    turns: readonly ScriptedTurn[];
    replies: number;
    words: readonly string[];
    env?: Record<string, string>;
  },
): Promise<readonly ScriptedRequest[]> {
  const asked = Promise.withResolvers<void>();
  await using model = scriptedModel((request) => {
    const said = request.body.messages.filter(({ role }: { role: string }) => role === "assistant").length;
    if (said < replies) return byHistory(turns)(request);
    asked.resolve();
    return { events: [], stallAfter: 0 };
  });
  const running = await startAgent(scene, model, words, { env });
  const ended = running.ended();
  await Promise.race([asked.promise, ended]);
  running.kill("SIGKILL");
  const { code, stderr } = await ended;
  assertEquals(code, 137, stderr);
  return model.requests;
}

/** Understands the events of a run, and checks what holds for all of them. */
export function readEvents(text: string): { events: Event[]; end: Extract<Event, { type: "run.end" }> } {
  const events = (parseLines(text) as Event[]).filter((event) =>
    boxWorks || event.type !== "warning" || !event.message.startsWith(NO_SANDBOX)
  );
  assert(events.every(({ v }) => v === 1));
  const end = events.at(-1);
  assert(end?.type === "run.end", text);
  assertEquals(events.filter(({ type }) => type === "run.end").length, 1);
  const ids = (type: string) =>
    events.flatMap((event) => event.type === type && "id" in event ? [event.id] : []);
  assertEquals(ids("tool.end"), ids("tool.start"));
  assertEquals(new Set(ids("tool.end")).size, ids("tool.end").length);
  return { events, end };
}

function wordsFor(model: ScriptedModel | null): string[] {
  return model ? ["--model=test-model", `--base-url=${model.url}`] : [];
}

function withoutModel(options: ProgramOptions): ProgramOptions {
  return { ...options, env: { ...NO_MODEL, ...options.env } };
}
