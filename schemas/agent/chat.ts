/** A part of a user's message. It names a picture by its file; the loop puts the bytes into requests. */
export type Part =
  | { type: "text"; text: string }
  /** `path` is absolute; `bytes` is the size of the file. `data` is the file in base64, only in requests. */
  | { type: "image"; path: string; mime_type: string; bytes: number; data?: string };

/** A tool call as the model asked for it. */
export interface ToolCall {
  /** Joins the call with its result. */
  id: string;
  /** The name under which the tool was offered. */
  name: string;
  /** JSON as the model wrote it; it may be broken. */
  arguments: string;
}

/** Why a user message stands in a conversation. */
export type UserKind =
  /** What the person wants. */
  | "task"
  /** What the person answers to questions about the task. */
  | "clarification"
  /** The project's instructions; they do not come from the person. */
  | "project"
  /** The loop's remark that the model's last reply was wrong. */
  | "remark"
  /** Pictures that the tools of the last turn returned. */
  | "pictures"
  /** The summary that replaces older turns. */
  | "summary";

/** One message of a conversation. */
export type Message =
  | { role: "system"; content: string }
  | { role: "user"; kind: UserKind; content: readonly Part[] }
  | {
    role: "assistant";
    content: string;
    tool_calls: readonly ToolCall[];
    /** Fields that the provider wants back in the next request, such as `reasoning_content`. */
    extra?: Readonly<Record<string, unknown>>;
  }
  | { role: "tool"; tool_call_id: string; content: string };
