import type { Message } from "../../../schemas/agent/chat.ts";
import type { FunctionTool } from "../../../schemas/agent/model.ts";
import type { RecordedPlaces, RecordedRequest } from "../../state/sessions/recording_lines.ts";
import type { AgentSession } from "../../state/sessions/open_session.ts";
import { canonicalJson } from "../../text/canonical_json.ts";
import { firstDifference, plain } from "./compare_results.ts";
import { redactRequest } from "./record.ts";
import type { Replay } from "./replay.ts";

/** What the requests of a run begin with. */
export interface RunRequest {
  /** `null` where a session goes on. */
  task: string | null;
  request: RecordedRequest;
  places: RecordedPlaces;
}

const OLD =
  "The recording was made by an earlier version, which did not keep the tools and the system prompt: --strict cannot " +
  "compare them";
/** The day of a run. */
const DATE = /\b\d{4}-\d{2}-\d{2}\b/g;

/**
 * Compares what the requests of a run begin with to the recorded ones: the task, the tools, the system prompt. Dates and
 * the folders of the two machines count as equal.
 *
 * @returns The first difference, `null` without one, and what could not be compared
 */
export function compareRequest(
  now: RunRequest,
  then: Pick<Replay, "task" | "request" | "places">,
  redact: (text: string) => string,
): { difference: string | null; warning: string | null } {
  const found = (text: string) => plain(redact(text), now.places);
  const recorded = (text: string) => plain(text, then.places);
  const task = now.task === null || then.task === null
    ? null
    : firstDifference(recorded(then.task), found(now.task));
  if (task !== null) return { difference: `the task is another one: ${task}`, warning: null };
  if (then.request === null) return { difference: null, warning: OLD };
  const { system, tools } = redactRequest(now.request, redact);
  const words = compareTools(tools, then.request.tools);
  if (words !== null) return { difference: words, warning: null };
  const day = (text: string) => text.replace(DATE, "<date>");
  const prompt = firstDifference(day(recorded(then.request.system)), day(found(system)));
  return { difference: prompt && `the system prompt is another one: ${prompt}`, warning: null };
}

/** Returns the system prompt of a run, which a resumed one said earlier; `""` without one. */
export function systemOf(
  messages: readonly Message[],
  session: Pick<AgentSession, "earlier"> | null,
): string {
  const earlier = session?.earlier.flatMap((line) => line.t === "message" ? [line.message] : []) ?? [];
  const found = [...earlier, ...messages].find(({ role }) => role === "system");
  return found?.role === "system" ? found.content : "";
}

function compareTools(now: readonly FunctionTool[], then: readonly FunctionTool[]): string | null {
  const names = (tools: readonly FunctionTool[]) => tools.map(({ name }) => name);
  const gone = names(then).filter((name) => !names(now).includes(name));
  const added = names(now).filter((name) => !names(then).includes(name));
  if (gone.length > 0) return `the tool ${gone[0]} was offered, and is not any more`;
  if (added.length > 0) return `the tool ${added[0]} is offered, and was not`;
  for (const tool of now) {
    const before = then.find(({ name }) => name === tool.name);
    if (!before) continue;
    const text = firstDifference(before.description, tool.description);
    if (text !== null) return `the description of ${tool.name} is another one: ${text}`;
    const schema = firstDifference(canonicalJson(before.parameters), canonicalJson(tool.parameters));
    if (schema !== null) return `the schema of ${tool.name} is another one: ${schema}`;
  }
  return null;
}
