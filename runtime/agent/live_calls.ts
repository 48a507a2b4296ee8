import { Buffer } from "node:buffer";
import { basename } from "@std/path";

import type { Part } from "../../schemas/agent/chat.ts";
import { ToolError } from "../../schemas/error.ts";
import type { RunEvent } from "../../schemas/agent/events.ts";
import type { Artifact, ToolResult } from "../../schemas/result.ts";
import type { CallResult } from "../../schemas/agent/trace.ts";
import type { ArtifactFolder } from "../state/artifact_folder.ts";
import { callEvents } from "../calls/call_events.ts";
import { callTool } from "../calls/call_tool.ts";
import { capResult } from "../calls/results/cap_result.ts";
import type { OfferedTools } from "../calls/catalog/offered_tools.ts";
import { refusalEvent } from "../calls/results/refusal_event.ts";
import type { Machine } from "../calls/machine.ts";
import { keepFiles } from "../state/keep_files.ts";
import { keepPicture } from "../state/keep_picture.ts";
import type { RunRecord } from "./ending/run_record.ts";
import type { AgentCall, AgentCallResult, CallTool } from "./loop/parts.ts";

/** What the calls of an agent need. */
export interface LiveCallOptions {
  machine: Machine;
  offered: OfferedTools;
  emit(event: RunEvent): void;
  record: RunRecord;
  /** Name of the model, for tools that are told it. */
  model: string;
  /** Takes the pictures that tools give. */
  pictures: ArtifactFolder;
  /** Hears of questions to a person, so that the view can make room for them. */
  onQuestion?: (state: "asked" | "answered" | "confirmed" | "declined") => void;
}

/** Makes what runs an agent's calls behind their walls. Needs `write` of the pictures' folder. */
export function liveCalls(options: LiveCallOptions): CallTool {
  const { machine, offered, emit, record, model, onQuestion } = options;
  return async (call, { signal, onStart }) => {
    const entry = offered.entryOf(call.tool.full_name);
    if (!entry) return notOffered(call);
    const heard = callEvents(call.id, emit);
    if (entry.tool.needs.run !== undefined) record.beforeProgram();
    const result = await callTool(entry, call.arguments, {
      machine,
      callId: call.id,
      ...{ names: offered.names, model },
      signal,
      ...(onStart && { onStart }),
      ...heard,
      onChange: (change) => record.addChange(change),
      ...(onQuestion && { onQuestion }),
      onConfirm(state) {
        onQuestion?.(state);
        heard.onConfirm(state);
      },
    });
    const refused = refusalEvent(call.id, result.error);
    if (refused !== null) emit(refused);
    const capped = await capResult(result, { folder: options.pictures, offered: offered.all });
    return await toCallResult(call, capped, options.pictures);
  };
}

function notOffered({ id, tool }: AgentCall): CallResult {
  const error = new ToolError("not_found", `Tool ${tool.full_name} is not offered in this run`).toInfo();
  return {
    id,
    tool: tool.full_name,
    ok: false,
    content: error.message,
    pictures: [],
    error,
    duration_ms: 0,
  };
}

async function toCallResult(
  call: AgentCall,
  result: ToolResult,
  folder: ArtifactFolder,
): Promise<AgentCallResult> {
  const warnings = [...call.warnings ?? [], ...result.warnings];
  const pictures: CallResult["pictures"][number][] = [];
  for (const { data } of result.images) {
    const kept = await keepOrWarn(Buffer.from(data, "base64"), { name: call.tool.name, folder });
    if (typeof kept === "string") warnings.push(kept);
    else pictures.push(kept);
  }
  const { audio = [], resources = [], ...rest } = result;
  const { files, lost } = await keepFiles({ audio, resources }, { name: call.tool.name, folder });
  warnings.push(...lost);
  const artifacts = [...result.artifacts, ...pictures.map(toArtifact), ...files];
  return {
    id: call.id,
    tool: result.tool_name,
    ok: result.ok,
    content: renderContent(result, warnings, files),
    pictures,
    error: result.error,
    duration_ms: result.metadata.duration_ms,
    // The events show pictures and sounds as files, like all other files of calls.
    full: { ...rest, warnings, images: [], artifacts },
  };
}

function toArtifact({ path, bytes }: CallResult["pictures"][number]): Artifact {
  return { name: basename(path), path, bytes };
}

/** If a picture cannot be kept, the call still succeeds: returns the text for the model instead. */
async function keepOrWarn(
  bytes: Uint8Array,
  place: { name: string; folder: ArtifactFolder },
): Promise<string | (Part & { type: "image" })> {
  try {
    return await keepPicture(bytes, place);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return `a picture of the result is left out: ${message}`;
  }
}

/** The text of a call for the model: its tool's text, then its files, and what was repaired, left out or guessed. */
function renderContent(
  { text, system }: ToolResult,
  warnings: readonly string[],
  files: readonly Artifact[],
): string {
  const said = text === "" ? "(no output)" : text;
  const notes = [
    ...files.map(({ path, bytes }) => `[file] ${path} (${bytes} bytes)`),
    ...warnings.map((warning) => `[warning] ${warning}`),
    ...system ? [`[system] ${system}`] : [],
  ];
  if (notes.length === 0) return said;
  return `${said}${said.endsWith("\n") ? "\n" : "\n\n"}${notes.join("\n")}`;
}
