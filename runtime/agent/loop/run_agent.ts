import { type AgentOutcome, type AgentTermination } from "../../../schemas/agent/agent.ts";
import type { Message } from "../../../schemas/agent/chat.ts";
import { type ErrorInfo, ToolError } from "../../../schemas/error.ts";
import type { ModelReply } from "../../../schemas/agent/model.ts";
import type { TraceLine } from "../../../schemas/agent/trace.ts";
import { askAside, askToGoOn, estimateTurn, isTooLong } from "./ask_to_go_on.ts";
import { Budget } from "./budget.ts";
import { compact, compactIfLong } from "./compact.ts";
import { callsOf, Conversation } from "../conversation/conversation.ts";
import { estimateText } from "../conversation/estimate_tokens.ts";
import { askForOutput, type OutputForm, readOutput } from "./output_form.ts";
import type { AgentParts, Fault, RunEnd, StepLines } from "./parts.ts";
import { mayBeTextCalls, readTextCalls, textCallOptions, type TextCalls } from "./read_text_calls.ts";
import {
  addLines,
  addRemark,
  chooseStep,
  outcomeOf,
  type RunClock,
  type RunState,
  stepOf,
  takeInTools,
  toolsByName,
} from "./run_state.ts";
import { runTurn } from "./run_turn.ts";
import { TokenMeter } from "./token_meter.ts";

/** How often an answer of the wrong form is asked for again. */
const REPAIRS = 3;
/** How many offered names a remark shows. */
const SHOWN_TOOLS = 60;

/**
 * Runs the agent until it answers or a limit ends it. Never rejects.
 *
 * @param start What was said so far, all of it in the trace already. A conversation that was folded from a trace goes on
 * where that broke off: a reply that was not dealt with is dealt with first
 */
export async function runAgent(
  start: Conversation | readonly Message[],
  parts: AgentParts,
): Promise<AgentOutcome> {
  const clock = startClock(parts);
  const run = makeRun(start, parts, clock);
  using _lent = parts.model.lend?.((...asked) => askAside(run, ...asked));
  try {
    return outcomeOf(run, await goOn(run));
  } catch (error) {
    return outcomeOf(run, endOfError(run, error));
  } finally {
    clock.stop();
  }
}

interface Clock extends RunClock {
  stop(): void;
}

/** The end of the run's time cancels all that is in progress. */
function startClock({ limits, signal, now, sleep }: AgentParts): Clock {
  const ms = limits.seconds * 1_000;
  const expired = new AbortController();
  const stopped = new AbortController();
  const expire = () => {
    const message = `The limit of ${limits.seconds} seconds is reached`;
    expired.abort(new ToolError("timeout", message, { details: { seconds: limits.seconds } }));
  };
  sleep(ms, stopped.signal).then(expire, () => {});
  return {
    signal: AbortSignal.any([signal, expired.signal]),
    fail: (error) => expired.abort(error),
    deadline: now() + ms,
    stop: () => stopped.abort(new ToolError("cancelled", "The run has ended")),
  };
}

function makeRun(start: Conversation | readonly Message[], parts: AgentParts, clock: Clock): RunState {
  const form = parts.output ? estimateText(JSON.stringify(parts.output.schema)) : 0;
  return {
    parts: {
      ...parts,
      trace(line) {
        traceOrThrow(parts, line);
        parts.thinking?.note(line);
      },
    },
    conversation: start instanceof Conversation ? start : new Conversation(start),
    budget: new Budget(parts.limits, parts.profile.prices, parts.onUsage),
    meter: new TokenMeter(),
    get tools() {
      return toolsByName(parts);
    },
    formTokens: form,
    signal: clock.signal,
    fail: clock.fail,
    deadline: clock.deadline,
    step: null,
    failedAt: 0,
  };
}

/** A trace that cannot be written is not the model's failure. The error's code does not matter. */
function traceOrThrow({ trace }: AgentParts, line: TraceLine): void {
  try {
    trace(line);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The trace cannot be written: ${why}`, { cause });
  }
}

async function goOn(run: RunState): Promise<RunEnd> {
  for (;;) {
    const end = await endOfReply(run) ?? await takeTurn(run);
    if (end) return end;
  }
}

/** Asks for the next reply, unless a limit forbids it. */
async function takeTurn(run: RunState): Promise<RunEnd | null> {
  checkTime(run);
  const excess = run.budget.excess("turn");
  if (excess) return excess;
  await takeInTools(run);
  const over = chooseStep(run);
  if (over) return await withForm(run, over);
  await compactIfLong(run);
  checkTime(run);
  const spent = run.budget.excess("turn");
  if (spent) return spent;
  const input_tokens = run.meter.correct(estimateTurn(run));
  if (input_tokens >= run.parts.profile.context_tokens) return overflow(run, input_tokens);
  run.parts.emit({ type: "turn.start", n: run.budget.usage.rounds + 1, input_tokens });
  try {
    await askToGoOn(run, "turn");
  } catch (error) {
    if (!isTooLong(error)) throw error;
    if (!await compact(run)) throw error;
    await askToGoOn(run, "turn");
  }
  return null;
}

function overflow({ parts }: RunState, tokens: number): RunEnd {
  const message = `The conversation takes about ${tokens} tokens, and the model's window has ` +
    `${parts.profile.context_tokens}: start anew with a smaller task, or configure a larger window`;
  return { termination: "context_overflow", message };
}

function checkTime({ signal, deadline, parts }: RunState): void {
  signal.throwIfAborted();
  if (parts.now() < deadline) return;
  throw new ToolError("timeout", `The limit of ${parts.limits.seconds} seconds is reached`, {
    details: { seconds: parts.limits.seconds },
  });
}

/** Deals with the last reply, if nothing came after it. */
async function endOfReply(run: RunState): Promise<RunEnd | null> {
  const open = run.conversation.last;
  if (!open) return null;
  const { reply } = open;
  if (callsOf(reply).length > 0) return withForm(run, await runTurn(run, open));
  if (reply.finish === "length") return fault(run, cutOff(run, reply), reply);
  if (reply.content.trim() === "") return fault(run, emptyReply(run, reply), reply);
  const written = mayBeTextCalls(reply)
    ? await readTextCalls(reply.content, textCallOptions(run, reply))
    : null;
  if (written !== null) return fault(run, brokenCall(run, written), reply);
  if (reply.finish === "content_filter") {
    run.parts.emit({ type: "warning", message: "The provider's filter cut the answer off" });
  }
  const dealt = run.parts.thinking?.deal(reply);
  if (dealt && "fault" in dealt) return fault(run, dealt.fault, reply);
  if (dealt && "lines" in dealt) return goOnWith(run, dealt);
  if (dealt) return await withForm(run, dealt.end);
  return await withForm(run, { termination: "completed", message: null, answer: reply.content });
}

function goOnWith(run: RunState, lines: StepLines): null {
  run.budget.clearFaults();
  addLines(run, lines);
  return null;
}

function cutOff(run: RunState, { tool_calls }: ModelReply): Fault {
  const { output_tokens } = run.parts.profile;
  const limit = output_tokens === null
    ? "its longest length"
    : `the longest reply of ${output_tokens} tokens`;
  if (stepOf(run).form) {
    const remark =
      `Your reply was cut off at ${limit}, so nothing was run. Reply again with one whole JSON object: ` +
      "say less of the work, and write long texts in parts.";
    return { remark, shown: "the model's reply was cut off" };
  }
  const remark = tool_calls.length === 0
    ? `Your reply was cut off at ${limit}. Give the whole answer again in a shorter form, or write it to files in parts.`
    : `Your reply was cut off at ${limit}, so none of its calls was run. Make fewer or smaller calls: write long ` +
      "texts in parts.";
  return { remark, shown: "the model's reply was cut off" };
}

/** What an empty reply should have been is known best by a way of thinking that demands something. */
function emptyReply({ parts: { thinking } }: RunState, reply: ModelReply): Fault {
  const why = reply.finish === "content_filter" ? " (the provider's filter held it back)" : "";
  const dealt = thinking?.deal(reply);
  const wanted = dealt && "fault" in dealt
    ? dealt.fault.remark
    : "Call a tool to go on with the task, or give your answer.";
  return { remark: `Your reply was empty${why}. ${wanted}`, shown: `the model's reply was empty${why}` };
}

function brokenCall(run: RunState, written: TextCalls): Fault {
  const problem = "problem" in written ? written.problem : "it was not made as a call";
  const names = stepOf(run).tools.slice(0, SHOWN_TOOLS).map(({ name }) => name).join(", ");
  return {
    remark: `Your reply looks like a call written as text, but ${problem}, so nothing was run. ` +
      (names === "" ? "There are no tools: give your answer." : `Call one of the tools: ${names}. `) +
      "If you can call by text alone, write the call by itself. If it is meant as your answer, put it in a code fence behind a " +
      "sentence that says so.",
    shown: `the model wrote a call as text that cannot be run (${problem})`,
  };
}

function fault(run: RunState, { remark, shown }: Fault, { finish, content }: ModelReply): RunEnd | null {
  const { budget, parts: { limits: { faults } } } = run;
  if (!budget.addFault()) {
    addRemark(run, remark, `${shown}, it is asked again (${budget.faults + 1} of ${faults})`);
    return null;
  }
  if (finish !== "length") {
    const message = `The model's last ${faults} replies were of no use. The last remark to it: ${remark}`;
    return { termination: "too_many_faults", message };
  }
  const message =
    "The model's reply was cut off at its longest length again and again: ask for less at once, or " +
    "configure a larger output_tokens for the model";
  return { termination: "cut_off", message, ...(content.trim() !== "" && { answer: content }) };
}

/** An answer counts as success only in the form that was asked for. */
async function withForm(run: RunState, end: RunEnd | null): Promise<RunEnd | null> {
  const form = run.parts.output;
  if (!form || end?.termination !== "completed") return end;
  return await repair(run, form, end.answer ?? run.conversation.lastText ?? "");
}

async function repair(run: RunState, form: OutputForm, first: string): Promise<RunEnd> {
  let answer = first;
  for (let tries = 0;; tries++) {
    const read = await readOutput(answer, form);
    if (read.ok) return { termination: "completed", message: null, answer: read.text, output: read.value };
    if (tries === REPAIRS) {
      const message = `The answer does not fit the schema after ${REPAIRS} repairs: ${
        read.problems.join("; ")
      }`;
      return { termination: "output_invalid", message, answer };
    }
    checkTime(run);
    const excess = run.budget.excess("repair");
    if (excess) return { ...excess, answer };
    const shown = `the model's answer does not fit the schema (${read.problems[0]})`;
    const again = `it is asked again (${tries + 2} of ${REPAIRS + 1})`;
    addRemark(run, askForOutput(read.problems), `${shown}, ${again}`);
    answer = (await askToGoOn(run, "repair")).content;
  }
}

/**
 * How a failure of the model ends the run, by its error code. Other codes mean that the model is unreachable.
 */
const TERMINATION_OF: Partial<Record<ErrorInfo["code"], AgentTermination>> = {
  cancelled: "interrupted",
  unauthenticated: "unauthenticated",
  rate_limited: "rate_limited",
  configuration: "model_unknown",
  conflict: "replay_differs",
  unavailable: "replay_differs",
  internal: "internal",
};

function endOfError(run: RunState, thrown: unknown): RunEnd {
  const { signal } = run.parts;
  // The run was ended from outside, so later failures do not count.
  const error = run.signal.aborted ? run.signal.reason : thrown;
  if (!(error instanceof ToolError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { termination: signal.aborted ? "interrupted" : "internal", message };
  }
  const cause = error.toInfo();
  const isTime = error.code === "timeout" && (run.signal.aborted || run.parts.now() >= run.deadline);
  if (isTime) return { termination: "max_time", message: error.message, cause };
  if (isTooLong(error)) return { termination: "context_overflow", message: error.message, cause };
  return { termination: TERMINATION_OF[error.code] ?? "model_unreachable", message: error.message, cause };
}
