/** A part of what a user says. A picture stands by its file; the loop puts its bytes into requests. */
export type Part =
  | { type: "text"; text: string }
  /** `path` is absolute; `bytes` is the size of the file. `data` is the file in base64: in requests alone. */
  | { type: "image"; path: string; mime_type: string; bytes: number; data?: string };

/** A tool call as the model asked for it. */
export interface ToolCall {
  id: string;
  /** As the tool was offered. */
  name: string;
  /** JSON as the model wrote it, perhaps broken. */
  arguments: string;
}

/** Why a user message stands in a conversation. */
export type UserKind =
  /** What the person wants. */
  | "task"
  /** The project's instructions, which are not the person's. */
  | "project"
  /** A remark of the loop: something was wrong with the model's last reply. */
  | "remark"
  /** Pictures that tools of the last turn gave. */
  | "pictures"
  /** What stands for older turns that were summed up. */
  | "summary";

/** One message of a conversation. */
export type Message =
  | { role: "system"; content: string }
  | { role: "user"; kind: UserKind; content: readonly Part[] }
  | {
    role: "assistant";
    content: string;
    tool_calls: readonly ToolCall[];
    /** Fields of the provider that it wants to see again, such as `reasoning_content`. */
    extra?: Readonly<Record<string, unknown>>;
  }
  | { role: "tool"; tool_call_id: string; content: string };
