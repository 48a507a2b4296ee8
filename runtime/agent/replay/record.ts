import { type ErrorInfo, ToolError } from "../../../schemas/error.ts";
import { isAside, type ModelReply, type ModelRequest, type Purpose } from "../../../schemas/agent/model.ts";
import type { ResultImage } from "../../../schemas/result.ts";
import type { AddedTool, CallResult, TraceLine } from "../../../schemas/agent/trace.ts";
import { openOutputFile } from "../../walls/files/output_file.ts";
import type { PlacedOutput } from "../../walls/files/place_output.ts";
import { namedFileError, systemError } from "../../walls/files/system_error.ts";
import { VERSION } from "../../self/version.ts";
import { LineFile } from "../../state/sessions/line_file.ts";
import type { CallTool, RunModel } from "../loop/parts.ts";
import type {
  RecordedCall,
  RecordedPlaces,
  RecordedRequest,
  RecordingLine,
} from "../../state/sessions/recording_lines.ts";
import { maskValue, redactError, redactReply, redactTool } from "../../state/sessions/redact_trace.ts";

/** A file that keeps what a model answered and what calls gave, so that the run can be played back. */
export interface Recorder extends Disposable {
  task(text: string): void;
  tools(added: readonly AddedTool[]): void;
  reply(purpose: Purpose, reply: ModelReply): void;
  failure(purpose: Purpose, error: ErrorInfo): void;
  result(call: RecordedCall, result: CallResult): Promise<void>;
}

/** Options of {@linkcode openRecorder}. */
export interface RecorderOptions {
  /** The model's name. */
  model: string;
  places: RecordedPlaces;
  request: RecordedRequest;
  /** Masks the secrets of a text. */
  redact(text: string): string;
  /** Reads a picture's file, as base64. */
  readPicture(path: string): Promise<string>;
  /** Hears once that something could not be written; the run goes on. */
  warn(message: string): void;
}

/**
 * Opens a file for a recording and empties it. Needs `write`.
 *
 * @throws {ToolError} If the file cannot be written
 */
export function openRecorder(placed: PlacedOutput, options: RecorderOptions): Recorder {
  const { model, places, request, redact, readPicture } = options;
  const path = placed.asked;
  const file = new LineFile(path, openFile(placed));
  const masking = { redact, names: new Set(request.tools.map(({ name }) => name)) };
  let failed = false;
  const fail = (error: unknown) => {
    if (!failed) options.warn(`the recording is not whole: ${systemError(error, "write", path).message}`);
    failed = true;
  };
  const write = (line: RecordingLine) => {
    try {
      // A replay would take a recording with a gap for a whole one.
      if (!failed) file.write(line);
    } catch (error) {
      fail(error);
    }
  };
  write({
    t: "recording",
    v: 1,
    version: VERSION,
    model: redact(model),
    places,
    request: redactRequest(request, redact),
  });
  return {
    task: (text) => write({ t: "task", text: redact(text) }),
    tools(added) {
      for (const { name } of added) masking.names.add(name);
      write({ t: "tools", added: added.map((tool) => redactTool(tool, redact)) });
    },
    reply: (purpose, reply) => write({ t: "reply", purpose, reply: redactReply(reply, masking) }),
    failure: (purpose, error) => write({ t: "failure", purpose, error: redactError(error, redact)! }),
    async result({ id, tool, arguments: given }, { ok, content, pictures, error, duration_ms }) {
      try {
        const images = await Promise.all(pictures.map(async ({ mime_type, path }): Promise<ResultImage> => (
          { mime_type, data: await readPicture(path) }
        )));
        const call = { id, tool, arguments: maskValue(given, redact) };
        const kept = { ok, content: redact(content), pictures: images, error: redactError(error, redact) };
        write({ t: "result", call, result: { ...kept, duration_ms } });
      } catch (error) {
        fail(error);
      }
    },
    [Symbol.dispose]: () => file[Symbol.dispose](),
  };
}

/** Takes over what earlier runs of a session left, so that the recording of a resumed run is complete. */
export async function recordEarlier(lines: Iterable<TraceLine>, recorder: Recorder): Promise<void> {
  const calls = new Map<string, RecordedCall>();
  let asked = false;
  for (const line of lines) {
    if (line.t === "tools") recorder.tools(line.added);
    if (line.t === "reply" && !isAside(line.purpose)) recorder.reply(line.purpose, line.reply);
    if (line.t === "call") calls.set(line.id, { id: line.id, tool: line.tool, arguments: line.arguments });
    const call = line.t === "result" ? calls.get(line.id) : undefined;
    if (line.t === "result" && call) await recorder.result({ ...call, tool: line.tool }, line);
    if (!asked && line.t === "message") asked = recordTask([line.message], recorder);
  }
}

/** Returns a model that answers like the given one, and records the answers. */
export function recordModel(model: RunModel, recorder: Recorder): RunModel {
  let asked = false;
  return {
    name: model.name,
    ...model.lend && { lend: (answer) => model.lend!(answer) },
    async complete(request, options) {
      asked ||= recordTask(request.messages, recorder);
      try {
        const reply = await model.complete(request, options);
        recorder.reply(request.purpose, reply);
        return reply;
      } catch (error) {
        // A failure that can pass is tried again, and a cancelled request says nothing about the model.
        if (error instanceof ToolError && !error.retryable && error.code !== "cancelled") {
          recorder.failure(request.purpose, error.toInfo());
        }
        throw error;
      }
    },
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}

/** Returns a function that runs calls like the given one, and records the results. */
export function recordCalls(callTool: CallTool, recorder: Recorder): CallTool {
  return async (call, options) => {
    const result = await callTool(call, options);
    const { id, tool, arguments: given } = call;
    await recorder.result({ id, tool: tool.full_name, arguments: given }, result);
    return result;
  };
}

/** Masks the secrets of what every request begins with. The schemas of tools are the program's own. */
export function redactRequest(
  { system, tools }: RecordedRequest,
  redact: (text: string) => string,
): RecordedRequest {
  return {
    system: redact(system),
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
  };
}

/** Returns the text of a task among messages, `null` if there is none. */
export function taskText(messages: ModelRequest["messages"]): string | null {
  const task = messages.find((message) => message.role === "user" && message.kind === "task");
  if (task?.role !== "user") return null;
  return task.content.map((part) => part.type === "text" ? part.text : "").join("\n").trim();
}

function openFile(placed: PlacedOutput): Deno.FsFile {
  const path = placed.asked;
  try {
    // Emptying a pipe or a device means nothing, and opening a pipe waits for its reader.
    if (placed.kind === "stream") {
      throw new ToolError("invalid_input", `Cannot record to "${path}": it is not a file`);
    }
    return openOutputFile(placed, { read: true, mode: 0o600 });
  } catch (error) {
    throw namedFileError(error, "write", path);
  }
}

/** Says whether there was a task among the messages. */
function recordTask(messages: ModelRequest["messages"], recorder: Recorder): boolean {
  const task = taskText(messages);
  if (task !== null) recorder.task(task);
  return task !== null;
}
