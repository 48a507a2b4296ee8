import { Buffer } from "node:buffer";

import { ToolError } from "../../../schemas/error.ts";
import type { CallResult } from "../../../schemas/agent/trace.ts";
import type { ArtifactFolder } from "../../state/artifact_folder.ts";
import { compareResults } from "./compare_results.ts";
import { keepPicture } from "../../state/keep_picture.ts";
import type { AgentCall, AgentTool, CallTool } from "../loop/parts.ts";
import type { RecordedPlaces, RecordedResult } from "../../state/sessions/recording_lines.ts";
import type { Replay } from "./replay.ts";

/** How a replay treats its calls. */
export interface ReplayCallsOptions {
  /** Really run every call, also those that write or start programs. */
  replayTools: boolean;
  /** Whether calls of a tool are run again: their results come from files alone, and they change no files. */
  runsAgain(tool: AgentTool): boolean;
  /** What today's grants say to a call that is not run: its refusal, `null` if they would allow it. */
  mayRun(call: AgentCall, options: { signal: AbortSignal }): Promise<CallResult | null>;
  /** Gets each call whose result differs from the recorded one. */
  onDifference(message: string): void;
  /** Masks the secrets of a text, as in the recording. */
  redact(text: string): string;
  /** Folders of this machine. */
  places: RecordedPlaces;
  /** Takes the pictures of recorded results. */
  pictures: ArtifactFolder;
}

/**
 * Returns what answers the calls of a replay. Calls that read files are run again and compared with the
 * recording. Other calls get the recorded result if today's grants allow them.
 */
export function replayCalls(callTool: CallTool, replay: Replay, options: ReplayCallsOptions): CallTool {
  return async (call, callOptions) => {
    const { signal } = callOptions;
    const recorded = replay.resultOf({ id: call.id, tool: call.tool.full_name, arguments: call.arguments });
    const isRun = options.replayTools || options.runsAgain(call.tool);
    const refusal = isRun ? null : await options.mayRun(call, { signal });
    const result = isRun
      ? await callTool(call, callOptions)
      : refusal ?? await asRecorded(call, recorded, options.pictures);
    // A played-back result is the recorded one, and a cancelled call says nothing.
    const isPlayed = !isRun && refusal === null && recorded !== null;
    const difference = isPlayed || signal.aborted
      ? null
      : compare(result, recorded, { replay, options, refusal });
    if (difference !== null) options.onDifference(`${call.tool.name} (${call.id}): ${difference}`);
    return result;
  };
}

function compare(
  result: CallResult,
  recorded: RecordedResult | null,
  { replay, options, refusal }: { replay: Replay; options: ReplayCallsOptions; refusal: CallResult | null },
): string | null {
  if (recorded === null) return "the recording has no result of this call";
  // A check of the grants alone words its refusal differently from the call itself.
  if (refusal !== null && recorded.error?.code === refusal.error?.code) return null;
  const masked = { ...result, content: options.redact(result.content) };
  return compareResults(masked, recorded, { now: options.places, then: replay.places });
}

async function asRecorded(
  call: AgentCall,
  recorded: RecordedResult | null,
  folder: ArtifactFolder,
): Promise<CallResult> {
  const { id, tool } = call;
  if (recorded === null) {
    const error = new ToolError(
      "unavailable",
      `The recording has no result of this call of ${tool.full_name}, and it was not run`,
    ).toInfo();
    const content = error.message;
    return { id, tool: tool.full_name, ok: false, content, pictures: [], error, duration_ms: 0 };
  }
  const { ok, content, error, duration_ms } = recorded;
  const pictures: CallResult["pictures"][number][] = [];
  for (const { data } of recorded.pictures) {
    const kept = await keptOrNull(data, { name: tool.name, folder });
    if (kept !== null) pictures.push(kept);
  }
  return { id, tool: tool.full_name, ok, content, pictures, error, duration_ms, recorded: true };
}

/** Leaves out data that is not a picture. */
async function keptOrNull(data: string, place: { name: string; folder: ArtifactFolder }) {
  try {
    return await keepPicture(Buffer.from(data, "base64"), place);
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}
