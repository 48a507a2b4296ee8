import type { ModelReply } from "../../../schemas/agent/model.ts";
import { offeredName } from "./offered_name.ts";
import { mayBeTextCalls, readTextCalls, textCallOptions } from "./read_text_calls.ts";
import { type RunState, stepOf } from "./run_state.ts";

/** A reply as the loop goes on with it. */
export interface UnderstoodReply {
  reply: ModelReply;
  /** What was repaired to understand each call, in the order of the calls. */
  notes: string[][];
}

/** Understands what a model means with its reply: calls that it wrote as text, and names that are nearly right. */
export async function understandReply(run: RunState, asked: ModelReply): Promise<UnderstoodReply> {
  const { tools } = run;
  const options = textCallOptions(run, asked);
  const written = mayBeTextCalls(asked) ? await readTextCalls(asked.content, options) : null;
  if (written !== null && "calls" in written) {
    const reply: ModelReply = { ...asked, content: "", tool_calls: written.calls, finish: "tool_calls" };
    const notes = written.calls.map(() => ["The call was written as text and was read as a call"]);
    return inStep(run, { reply, notes });
  }
  const notes: string[][] = [];
  const tool_calls = asked.tool_calls.map((call, at) => {
    const name = offeredName(call.name, tools) ?? call.name;
    notes[at] = name === call.name ? [] : [`The name ${JSON.stringify(call.name)} was read as '${name}'`];
    return name === call.name ? call : { ...call, name };
  });
  const isSame = tool_calls.every((call, at) => call === asked.tool_calls[at]);
  return inStep(run, { reply: isSame ? asked : { ...asked, tool_calls }, notes });
}

/** Understands what the way of thinking asked for. */
function inStep(run: RunState, { reply, notes }: UnderstoodReply): UnderstoodReply {
  const { thinking, emit } = run.parts;
  if (!thinking) return { reply, notes };
  const read = thinking.read(reply, stepOf(run));
  for (const message of read.warnings) emit({ type: "warning", message });
  return {
    reply: read.reply,
    notes: read.reply.tool_calls.map((_, at) => [...notes[at] ?? [], ...read.notes]),
  };
}
