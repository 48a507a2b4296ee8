import type { ErrorInfo } from "../../../schemas/error.ts";
import type { FunctionTool, ModelReply, Purpose } from "../../../schemas/agent/model.ts";
import type { AddedTool } from "../../../schemas/agent/trace.ts";
import type { ResultImage } from "../../../schemas/result.ts";
import {
  amount,
  anyJson,
  anyObject,
  byTag,
  type Decode,
  exactly,
  flag,
  listOf,
  nullable,
  objectOf,
  text,
} from "./decode.ts";
import { decodeAddedTool, decodeError, decodePurpose, decodeReply } from "./decode_trace.ts";

/** Folders whose paths differ from machine to machine. */
export interface RecordedPlaces {
  /** The workspace: absolute, real path. */
  workspace: string;
  /** Where calls leave their files. */
  artifacts: string;
}

/** What every request of a run begins with. */
export interface RecordedRequest {
  /** The system prompt. */
  system: string;
  /** The tools as they are offered. */
  tools: readonly FunctionTool[];
}

/** What a call gave, with its pictures. */
export interface RecordedResult {
  ok: boolean;
  content: string;
  pictures: ResultImage[];
  error: ErrorInfo | null;
  duration_ms: number;
}

/** A call, by what it can be found again. */
export interface RecordedCall {
  id: string;
  /** Full name. */
  tool: string;
  arguments: unknown;
}

/** One line of a recording, which holds all that a replay needs. */
export type RecordingLine =
  /** The first line, and again where a later run was recorded into the same file. */
  | {
    t: "recording";
    v: 1;
    version: string;
    model: string;
    places: RecordedPlaces;
    /** Absent in recordings of earlier versions. */
    request?: RecordedRequest;
  }
  /** From the next request on the model has these tools too. */
  | { t: "tools"; added: readonly AddedTool[] }
  /** What was asked for, as text. */
  | { t: "task"; text: string }
  | { t: "reply"; purpose: Purpose; reply: ModelReply }
  /** A request that failed for good. */
  | { t: "failure"; purpose: Purpose; error: ErrorInfo }
  | { t: "result"; call: RecordedCall; result: RecordedResult };

type LineOf<T extends RecordingLine["t"]> = Extract<RecordingLine, { t: T }>;

const decodeResult: Decode<RecordedResult> = objectOf<RecordedResult>({
  ok: flag,
  content: text,
  pictures: listOf(objectOf<ResultImage>({ mime_type: text, data: text })),
  error: nullable(decodeError),
  duration_ms: amount,
});

/** One line of a recording, which may come from anybody. */
export const decodeRecordingLine: Decode<RecordingLine> = byTag<RecordingLine>("t", {
  recording: objectOf<LineOf<"recording">>({
    t: exactly("recording"),
    v: exactly(1),
    version: text,
    model: text,
    places: objectOf<RecordedPlaces>({ workspace: text, artifacts: text }),
    request: {
      optional: objectOf<RecordedRequest>({
        system: text,
        tools: listOf(objectOf<FunctionTool>({ name: text, description: text, parameters: anyObject })),
      }),
    },
  }),
  tools: objectOf<LineOf<"tools">>({ t: exactly("tools"), added: listOf(decodeAddedTool) }),
  task: objectOf<LineOf<"task">>({ t: exactly("task"), text }),
  reply: objectOf<LineOf<"reply">>({ t: exactly("reply"), purpose: decodePurpose, reply: decodeReply }),
  failure: objectOf<LineOf<"failure">>({ t: exactly("failure"), purpose: decodePurpose, error: decodeError }),
  result: objectOf<LineOf<"result">>({
    t: exactly("result"),
    call: objectOf<RecordedCall>({ id: text, tool: text, arguments: anyJson }),
    result: decodeResult,
  }),
});
