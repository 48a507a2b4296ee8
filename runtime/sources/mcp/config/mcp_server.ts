import type { ToolError } from "../../../../schemas/error.ts";

/** How a server is reached. */
export type McpTransport =
  | {
    kind: "stdio";
    /** A program: a name that is looked for on PATH, or a path. */
    command: string;
    args: readonly string[];
    /** Variables that it gets, besides what every program of a tool gets. */
    env: Readonly<Record<string, string>>;
    /** Its folder as it is written; `null` for the workspace. */
    cwd: string | null;
  }
  | {
    /** `http` is Streamable HTTP, `sse` what came before it; `either` tries the first, then the second. */
    kind: "http" | "sse" | "either";
    url: string;
    headers: Readonly<Record<string, string>>;
  };

/** What a server may touch: `true` for all that the run may touch, or a list. */
export interface McpGrants {
  /** Paths that it may read. @default [] */
  read: true | readonly string[];
  /** Paths that it may write. @default [] */
  write: true | readonly string[];
  /** Hosts that it may reach, as the flags name them. @default [] */
  net: true | readonly string[];
  /** Variables of the user that it may see. @default [] */
  env: readonly string[];
}

/** A server as some file names it, with its variables filled in. */
export interface McpServer {
  name: string;
  /** The file that names it. */
  file: string;
  /** Real path of the folder that its entry came with, and speaks for. @default the user's own settings */
  folder?: string | null;
  transport: McpTransport;
  /** Longest time to start and of a call, in milliseconds; `null` if the file says nothing. */
  timeouts: { startMs: number | null; callMs: number | null };
  /** Its tools that are offered, `null` for all, and those that never are. */
  tools: { allow: readonly string[] | null; deny: readonly string[] };
  /** What its entry permits under `"bulkhead"`, `null` without that field. */
  grants: McpGrants | null;
  /** What it says about OAuth, as it is written. */
  oauth: Readonly<Record<string, unknown>> | null;
  /** Values of variables that were filled in, or passed on by their names: they may be secret. */
  secrets: readonly string[];
}

/** What a file says about servers. */
export interface McpConfig {
  /** The client whose form the file has. */
  client: string;
  servers: readonly McpServer[];
  /** Servers that the file switches off. */
  disabled: readonly string[];
  /** Servers that cannot be used, and why; the others can. */
  failures: readonly { name: string; error: ToolError }[];
  /** What was passed over, a sentence each. */
  warnings: readonly string[];
}
