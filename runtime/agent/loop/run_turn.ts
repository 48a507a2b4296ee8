import { plural } from "../../text/plural.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { ToolResult } from "../../../schemas/result.ts";
import { repairInput } from "../../../schemas/json/repair.ts";
import { schedule } from "../../calls/schedule.ts";
import { callsOf, type OpenReply } from "../conversation/conversation.ts";
import type { AgentCall, AgentCallResult, RunEnd } from "./parts.ts";
import { failed, failedCallResult, readArguments, readCall, type TurnCall } from "./read_call.ts";
import { addLines, addRemark, openTools, type RunState } from "./run_state.ts";

/** Longest time in which nothing else gets a turn, in milliseconds. */
const REST_MS = 50;

/**
 * Runs the calls of the last reply that have no result yet, in blocks, and adds their results in the order of
 * the calls. Every call that begins gets its result, also when the run is cancelled. A call that had not
 * begun by then stays open.
 *
 * @returns The end of the run, `null` if it continues
 */
export async function runTurn(run: RunState, open: OpenReply): Promise<RunEnd | null> {
  const turn = readTurn(run, open);
  const results = schedule(source(turn.calls), {
    run: (call) => begin(run, call),
    maxParallel: run.parts.line.maxParallel,
  });
  let rested = performance.now();
  for await (const result of results) {
    if (result !== null) await end(run, result);
    if (performance.now() - rested < REST_MS) continue;
    // Calls that need no work would leave no turn to timers, such as that of the run's time.
    await new Promise((resolve) => setTimeout(resolve));
    rested = performance.now();
  }
  if (run.conversation.hasOpenCalls) run.signal.throwIfAborted();
  if (open.followed) return null;
  return endOfTurn(run, open, turn) ?? await waitForPerson(run);
}

interface Turn {
  calls: TurnCall[];
  /** A call was not run because the limit of calls was reached. */
  exceeds: boolean;
  /** All calls were invalid. */
  isBroken: boolean;
  /** How often in a row the same call was asked for. */
  repeats: number;
}

function readTurn(run: RunState, open: OpenReply): Turn {
  const turn: Turn = { calls: [], exceeds: false, isBroken: true, repeats: 0 };
  for (const [at, asked] of callsOf(open.reply).entries()) {
    if (open.results.has(asked.id)) continue;
    if (run.budget.takeCall()) {
      const call = readCall(asked, run, { started: open.started, notes: open.notes[at] ?? [] });
      if (call.call) turn.isBroken = false;
      turn.calls.push(call);
    } else {
      turn.exceeds = true;
      // Nobody looks at its arguments: a reply may hold any number of such calls.
      const beyond = failed(asked, run.tools.get(asked.name)?.full_name ?? asked.name, beyondLimit(run));
      turn.calls.push({ ...beyond, counts: false });
    }
  }
  const understood = turn.calls.flatMap(({ call }) => call ?? []);
  turn.repeats = run.budget.addCalls(
    // What the model thinks before each of its calls does not part them.
    understood.filter(({ tool }) => tool.step_part !== "reason").map((call) => ({
      tool: call.tool.name,
      arguments: call.arguments,
    })),
  );
  return turn;
}

/** A call that has failed already, in the line. */
const NO_TOOL = { parallel: true, toolName: "", concurrency: null };

async function* source(calls: readonly TurnCall[]): AsyncGenerator<TurnCall> {
  yield* calls;
}

function beyondLimit({ parts }: RunState): ToolError {
  return new ToolError(
    "limit_exceeded",
    `The call was not run: the limit of ${plural(parts.limits.calls, "call")} is reached`,
  );
}

/** The scheduler waits for all running calls, so a call must not throw. */
async function begin(run: RunState, call: TurnCall): Promise<AgentCallResult | null> {
  if (run.signal.aborted) return null;
  try {
    return await carryOut(run, call);
  } catch (error) {
    run.fail(error);
    return null;
  }
}

/**
 * Runs a call and takes note of its end at once: a crash later must not make it run again. One that is cancelled before
 * its turn has not begun.
 */
async function carryOut(run: RunState, turnCall: TurnCall): Promise<AgentCallResult | null> {
  const { parts, budget } = run;
  const { call, failure, counts } = turnCall;
  const start = startOnce(run, turnCall);
  if (failure) {
    // It starts after the calls before it, as the others do.
    using _place = await parts.line.enter(NO_TOOL, run.signal);
    start.begin();
  }
  const result = failure ?? (call && await callTool(run, call, start.begin));
  if (!result || (run.signal.aborted && !start.hasBegun())) return null;
  start.begin();
  if (counts) budget.addCall({ ok: result.ok });
  const { full: _, ...traced } = result;
  try {
    parts.trace({ ...traced, t: "result" });
  } catch (error) {
    // A call with a start event also gets an end event.
    run.fail(error);
  }
  return result;
}

/** What notes the start of a call, once. */
function startOnce(run: RunState, { call, failure, shown }: TurnCall) {
  const { parts } = run;
  const id = failure?.id ?? call?.id ?? "";
  const tool = failure?.tool ?? call?.tool.full_name ?? "";
  let begun = false;
  const begin = () => {
    if (begun) return;
    try {
      if (!failure) {
        parts.trace({ t: "call", id, tool, arguments: shown });
        // A resumed run knows what was opened by the same lines.
        if ("note" in parts.tools) parts.tools.note(tool, shown);
      }
      parts.emit({ type: "tool.start", id, tool, arguments: shown });
      begun = true;
    } catch (error) {
      // The call is cancelled with the run.
      run.fail(error);
    }
  };
  return { begin, hasBegun: () => begun };
}

async function callTool(
  { parts, signal }: RunState,
  call: AgentCall,
  onStart: () => void,
): Promise<AgentCallResult> {
  try {
    return { ...await parts.callTool(call, { signal, onStart }), id: call.id };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return failedCallResult(call.id, call.tool.full_name, new ToolError("internal", message).toInfo());
  }
}

async function end(run: RunState, result: AgentCallResult): Promise<void> {
  const { full, ...told } = result;
  run.conversation.addResult(told);
  if (result.ok) await showPlan(run, result.tool);
  const verdict = result.recorded && { verdict: "recorded" as const };
  run.parts.emit({ type: "tool.end", id: result.id, ...verdict, result: full ?? toToolResult(result) });
}

/** A plan that tools keep is told as soon as it has changed. */
async function showPlan(
  { tools, parts: { readPlans, trace, emit } }: RunState,
  fullName: string,
): Promise<void> {
  const tool = readPlans && [...tools.values()].find(({ full_name }) => full_name === fullName);
  if (!tool?.keeps_plans) return;
  const book = await readPlans!(tool);
  const plan = book?.plans.find(({ id }) => id === book.active);
  if (!plan) return;
  trace({ t: "plan", plan });
  emit({ type: "plan", plan });
}

function toToolResult({ tool, ok, content, error, duration_ms }: AgentCallResult): ToolResult {
  const nothing = { result: null, images: [], artifacts: [], warnings: [] };
  return { tool_name: tool, ok, ...nothing, text: content, error, metadata: { duration_ms, place: "none" } };
}

function endOfTurn(run: RunState, open: OpenReply, turn: Turn): RunEnd | null {
  const { limits } = run.parts;
  const said = saidEnd(run, open);
  if (said) {
    const dealt = run.parts.thinking?.ended(said) ?? { end: said };
    if ("end" in dealt) return dealt.end;
    addLines(run, dealt);
    return null;
  }
  if (turn.exceeds) {
    return { termination: "max_calls", message: `The limit of ${plural(limits.calls, "call")} is reached` };
  }
  if (turn.repeats >= limits.repeats && isForgiving(run)) {
    return forgive(run, turn.repeats);
  }
  if (turn.repeats >= limits.repeats) {
    return {
      termination: "repeated_call",
      message: `The model made the same call ${turn.repeats} times in a row`,
    };
  }
  const isUseless = turn.isBroken || (isForgiving(run) && isAllInvalid(open));
  if (turn.calls.length === 0 || !isUseless) {
    // Thoughts alone make no useless reply good.
    if (turn.calls.some(({ call }) => call?.tool.step_part !== "reason")) run.budget.clearFaults();
    if (turn.repeats > 1 && turn.repeats === limits.repeats - 1) warnOfRepeat(run, turn.repeats);
    return null;
  }
  return countFault(run);
}

/** Where each step is one call, a call whose arguments its tool refused is a step that the model must make again. */
function isAllInvalid({ results }: OpenReply): boolean {
  return [...results.values()].every(({ error }) => error?.code === "invalid_input");
}

function countFault(run: RunState): RunEnd | null {
  const { budget, parts: { limits: { faults }, thinking } } = run;
  if (!budget.addFault()) return null;
  // Where no step is left, that is why it ends.
  const next = thinking?.next(openTools(run));
  if (next && "end" in next) return next.end;
  return { termination: "too_many_faults", message: `The model's last ${faults} replies were of no use` };
}

/** Where a model works in forced steps, one call that it repeats does not end the run: it is counted as of no use. */
function isForgiving({ parts: { thinking } }: RunState): boolean {
  return thinking !== undefined && thinking.kind !== "tools";
}

function forgive(run: RunState, times: number): RunEnd | null {
  const over = countFault(run);
  if (over) return over;
  addRemark(
    run,
    `You made the same call ${times} times in a row, and its result stays the same. Do something else, or give your answer.`,
    `the model made the same call ${times} times in a row, it is told to do something else`,
  );
  return null;
}

/** Asks the person what the model wants to know; without a person the run ends, to go on with the answer. */
async function waitForPerson(run: RunState): Promise<RunEnd | null> {
  const { parts: { thinking, askPerson, emit, trace }, signal, conversation } = run;
  const asked = thinking?.questions ?? null;
  if (!thinking || asked === null) return null;
  const questions = asked.text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  emit({ type: "state", state: "waiting_for_clarification", questions });
  const answer = await askPerson?.(asked, signal) ?? null;
  signal.throwIfAborted();
  if (answer === null || answer.trim() === "") {
    return { termination: "waiting_for_clarification", message: null, answer: asked.text, questions };
  }
  const message = thinking.clarification(answer);
  trace({ t: "message", message });
  conversation.add(message);
  emit({ type: "state", state: "researching" });
  return null;
}

/** The model may say by a call that it is done, or that it has failed. */
function saidEnd(run: RunState, open: OpenReply): RunEnd | null {
  for (const asked of callsOf(open.reply)) {
    const tool = run.tools.get(asked.name);
    if (!tool?.ends_run || open.results.get(asked.id)?.ok !== true) continue;
    const { status, failed, answer: told } = tool.ends_run;
    // What the tool saw, which succeeded.
    const { value } = repairInput(tool.parameters, readArguments(asked), { cuts: tool.cuts_long === true });
    const said = value as Readonly<Record<string, unknown>>;
    const text = told === null ? open.reply.content : said[told];
    const answer = typeof text === "string" && text.trim() !== "" ? { answer: text } : {};
    if (said[status] !== failed) return { termination: "completed", message: null, ...answer };
    return { termination: "task_failed", message: "The model ended the run: the task failed", ...answer };
  }
  return null;
}

function warnOfRepeat(run: RunState, times: number): void {
  addRemark(
    run,
    `You made the same call ${times} times in a row. Once more ends the run: do something else, or give your answer.`,
    `the model made the same call ${times} times in a row, once more ends the run`,
  );
}
