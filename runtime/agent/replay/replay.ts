import { ToolError } from "../../../schemas/error.ts";
import { parseJson } from "../../../schemas/json/json_text.ts";
import { isAside, type Model, type Purpose } from "../../../schemas/agent/model.ts";
import type { AddedTool, TraceLine } from "../../../schemas/agent/trace.ts";
import { readBoundedLines } from "../../text/lines.ts";
import { namedFileError } from "../../walls/files/system_error.ts";
import { openPlain, piecesOfFile } from "../../walls/files/open_plain.ts";
import { canonicalJson } from "../../text/canonical_json.ts";
import {
  decodeRecordingLine,
  type RecordedCall,
  type RecordedPlaces,
  type RecordedRequest,
  type RecordedResult,
  type RecordingLine,
} from "../../state/sessions/recording_lines.ts";

/** A recording that is played back. */
export interface Replay {
  /** Gives the recorded replies one after the other, for any request. */
  model: Model;
  /** What the recorded model was called. */
  recordedModel: string;
  /** The recorded task as text; `null` if the recording has none. */
  task: string | null;
  /** What its requests began with; `null` in a recording of an earlier version. */
  request: RecordedRequest | null;
  /** Folders of the machine on which it was recorded. */
  places: RecordedPlaces;
  /** Returns the tools that had been added when the next reply was asked for, each time all of them. */
  toolsOfNow(): readonly AddedTool[];
  /** Returns the result of a call, each recorded one once: by the call's id, or else by an equal call. */
  resultOf(call: RecordedCall): RecordedResult | null;
}

/** Options of {@linkcode openReplay}. */
export interface ReplayOptions {
  /** What earlier runs of the session left: the replay continues after it. @default an empty session */
  earlier?: readonly TraceLine[];
}

/** Largest recording, in bytes: main holds it. */
export const MAX_REPLAY_BYTES = 128 * 1024 * 1024;
/** Longest line of it, in bytes. */
export const MAX_REPLAY_LINE_BYTES = 32 * 1024 * 1024;
/** Most lines of it. */
export const MAX_REPLAY_LINES = 200_000;

/**
 * Opens a recording. It may come from anywhere. Needs `read`.
 *
 * @throws {ToolError} `invalid_input` for a file that is not a recording, with the line; `limit_exceeded` if
 * it is too large; the system's errors
 */
export async function openReplay(path: string, { earlier = [] }: ReplayOptions = {}): Promise<Replay> {
  const lines = await readRecording(path);
  const [first] = lines;
  if (first?.t !== "recording") {
    throw new ToolError("invalid_input", `Cannot replay "${path}": it does not begin as a recording does`);
  }
  const answers = lines.filter((line) => line.t === "reply" || line.t === "failure");
  const results = new RecordedResults(lines);
  for (const line of earlier) if (line.t === "result") results.drop(line.id);
  const model = new ReplayModel(path, answers, positionAfter(answers, earlier));
  const added = addedTools(lines);
  return {
    model,
    recordedModel: first.model,
    task: lines.find((line) => line.t === "task")?.text ?? null,
    request: first.request ?? null,
    places: first.places,
    toolsOfNow: () => added.flatMap(({ after, tools }) => after <= model.at ? tools : []),
    resultOf: (call) => results.take(call),
  };
}

/** The tools that were added, and after how many answers. */
function addedTools(lines: readonly RecordingLine[]): { after: number; tools: readonly AddedTool[] }[] {
  let after = 0;
  return lines.flatMap((line) => {
    if (line.t === "reply" || line.t === "failure") after++;
    return line.t === "tools" ? [{ after, tools: line.added }] : [];
  });
}

type Answer = Extract<RecordingLine, { t: "reply" | "failure" }>;

/** Gives recorded answers in their order. Skips summaries of older turns that are not requested. */
class ReplayModel implements Model {
  readonly name: string;
  readonly #path: string;
  readonly #answers: readonly Answer[];
  #at: number;

  constructor(path: string, answers: readonly Answer[], at: number) {
    this.name = `replay:${path}`;
    this.#path = path;
    this.#answers = answers;
    this.#at = at;
  }

  /** How many answers lie behind. */
  get at(): number {
    return this.#at;
  }

  complete: Model["complete"] = async ({ purpose }, { signal, onText }) => {
    signal.throwIfAborted();
    // A reply needs time, so that timers and signals get their turn.
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
    const answer = this.#next(purpose);
    if (answer.t === "failure") {
      const { code, message, details } = answer.error;
      throw new ToolError(code, message, { retryable: false, details });
    }
    if (answer.reply.content !== "") onText?.(answer.reply.content);
    return answer.reply;
  };

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  #next(purpose: Purpose): Answer {
    const sums = purpose === "compact";
    let at = this.#at;
    while (!sums && this.#answers[at]?.purpose === "compact") at++;
    const answer = this.#answers[at];
    if (answer === undefined || (answer.purpose === "compact") !== sums) {
      const missing = sums ? "no summary of older turns at this point" : "no further reply";
      throw new ToolError("unavailable", `The recording "${this.#path}" has ${missing}`, {
        details: { reason: "replay_ended" },
      });
    }
    this.#at = at + 1;
    return answer;
  }
}

/** Where to continue: after the replies in the trace, and after the summaries made of them. */
function positionAfter(answers: readonly Answer[], earlier: readonly TraceLine[]): number {
  // What servers and tools asked is in no recording.
  const isTurn = (line: TraceLine) =>
    line.t === "reply" && line.purpose !== "compact" && !isAside(line.purpose);
  let left = earlier.filter(isTurn).length;
  let at = 0;
  for (; left > 0 && at < answers.length; at++) {
    const answer = answers[at]!;
    if (answer.t === "reply" && answer.purpose !== "compact") left--;
  }
  const summedUp = earlier.findLastIndex((line) => line.t === "compact") > earlier.findLastIndex(isTurn);
  if (!summedUp) return at;
  // A failure before the summary is not given again.
  const next = answers.findIndex((answer, index) =>
    index >= at && answer.t === "reply" && answer.purpose !== "compact"
  );
  const lastSum = answers.findLastIndex((answer, index) =>
    index >= at && (next < 0 || index < next) && answer.purpose === "compact"
  );
  return lastSum < 0 ? at : lastSum + 1;
}

/** The results of a recording, to be found by their calls. */
class RecordedResults {
  readonly #byId = new Map<string, Entry[]>();
  readonly #byCall = new Map<string, Entry[]>();

  constructor(lines: readonly RecordingLine[]) {
    for (const line of lines) {
      if (line.t !== "result") continue;
      const entry: Entry = { call: line.call, result: line.result, isTaken: false };
      addTo(this.#byId, line.call.id, entry);
      addTo(this.#byCall, keyOf(line.call), entry);
    }
  }

  take(call: RecordedCall): RecordedResult | null {
    const entry = firstFree(this.#byId.get(call.id)?.filter(({ call: { tool } }) => tool === call.tool)) ??
      firstFree(this.#byCall.get(keyOf(call)));
    if (!entry) return null;
    entry.isTaken = true;
    return entry.result;
  }

  /** Takes the result of an id away: its call was answered earlier. */
  drop(id: string): void {
    const entry = firstFree(this.#byId.get(id));
    if (entry) entry.isTaken = true;
  }
}

interface Entry {
  call: RecordedCall;
  result: RecordedResult;
  isTaken: boolean;
}

/** Used entries leave the list, so that many equal calls do not search them again and again. */
function firstFree(entries: Entry[] | undefined): Entry | undefined {
  while (entries?.[0]?.isTaken) entries.shift();
  return entries?.[0];
}

function addTo(entries: Map<string, Entry[]>, key: string, entry: Entry): void {
  const list = entries.get(key);
  if (list) list.push(entry);
  else entries.set(key, [entry]);
}

function keyOf({ tool, arguments: given }: RecordedCall): string {
  return `${tool} ${canonicalJson(given)}`;
}

async function readRecording(path: string): Promise<RecordingLine[]> {
  const lines: RecordingLine[] = [];
  try {
    // Opening a pipe would wait for its writer, and a device may never end.
    const { isFile, size } = await Deno.stat(path);
    if (!isFile) throw new ToolError("invalid_input", `Cannot replay "${path}": it is not a file`);
    if (size > MAX_REPLAY_BYTES) {
      throw tooLarge(path, `it has ${size} bytes, the limit is ${MAX_REPLAY_BYTES}`);
    }
    const file = openPlain(path, { follows: true });
    if (file === null) throw new Deno.errors.NotFound(path);
    let number = 0;
    let broken: ToolError | null = null;
    for await (const text of readBoundedLines(piecesOfFile(file), MAX_REPLAY_LINE_BYTES)) {
      if (broken) throw broken;
      if (++number > MAX_REPLAY_LINES) throw tooLarge(path, `it has more than ${MAX_REPLAY_LINES} lines`);
      if (text === null) throw tooLarge(path, `line ${number} is longer than ${MAX_REPLAY_LINE_BYTES} bytes`);
      const line = decodeLine(text, `line ${number} of "${path}"`);
      if (line instanceof ToolError) broken = line;
      else lines.push(line);
    }
    // The last line may be torn if the recorder was killed.
    if (broken && lines.length === 0) throw broken;
  } catch (error) {
    throw namedFileError(error, "replay", path);
  }
  return lines;
}

/** Returns the error for a line that is not JSON. The caller throws it only if another line follows. */
function decodeLine(text: string, what: string): RecordingLine | ToolError {
  let value: unknown;
  try {
    value = parseJson(text, what);
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  return decodeRecordingLine(value, what);
}

function tooLarge(path: string, reason: string): ToolError {
  return new ToolError("limit_exceeded", `Cannot replay "${path}": ${reason}`);
}
