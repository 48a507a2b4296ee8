import type { Target } from "../../../schemas/access.ts";
import type { AuditedProgram } from "../../../schemas/audit.ts";
import type { CommandAnalysis } from "../../../schemas/command.ts";
import type { FileChange, Progress } from "../../../schemas/context.ts";
import type { ErrorInfo } from "../../../schemas/error.ts";
import type { ManifestEntry } from "../../../schemas/manifest.ts";
import type { Connection } from "../../../schemas/net.ts";
import type { ProgramEvent } from "../../../schemas/program.ts";
import type { ToolResult } from "../../../schemas/result.ts";

/** What an embedding program says with a call. */
export interface CallRequest {
  /** Names the request, `null` if it has no name. */
  id: string | null;
  /** Values for functions of that program: they need not be JSON. */
  dependencies: Readonly<Record<string, unknown>>;
}

/** Options of {@linkcode Carrier.call}. */
export interface CarrierOptions {
  /**
   * The names under which the caller can call tools, by full name, so that advice names no other tool.
   * @default every tool by its own name
   */
  names?: ReadonlyMap<string, string>;
  /** Name of the model that makes the call. @default no model does */
  model?: string;
  /** What the caller passes on to functions of its own, and to scripts. @default nothing */
  request?: CallRequest;
  /** Real paths that the call was allowed for: a built-in tool may touch only what lies there. @default any */
  judged?: readonly string[];
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Hears of each file before a built-in tool changes it. */
  onChange?: (change: FileChange) => void;
  /** Gets the tool's own questions to a person. */
  onQuestion?: (state: "asked" | "answered") => void;
  /** Hears of the programs of the call, also when one that stays open ends after it. */
  onProgram?: (event: ProgramEvent) => void;
}

/** What a call touched and started, for the audit. */
export interface CallFacts {
  targets: Target[];
  analyses: CommandAnalysis[];
  programs: AuditedProgram[];
  /** Where the call and its programs connected to, and where they were refused. */
  connections: Connection[];
}

/** How a call ended. */
export interface CallEnd {
  result: ToolResult;
  facts: CallFacts;
}

/** What a call would touch and whether it would be allowed, without running it. */
export interface Explanation {
  targets: Target[];
  analyses: CommandAnalysis[];
  warnings: string[];
  /** The change that it would make to a file; `null` if its tool tells none. */
  preview: string | null;
  error: ErrorInfo | null;
}

/** Runs the calls of tools that come from one source. The user's permission was asked before. */
export interface Carrier {
  /** The only program that its calls start is the one that the user's settings name. @default false */
  readonly startsOwn?: boolean;
  /** Runs one call. Never rejects: every end, also a bug, is a {@linkcode ToolResult}. */
  call(tool: ManifestEntry, input: unknown, options: CarrierOptions): Promise<CallEnd>;
  /** Does everything of a call up to the check of its targets. Never rejects. */
  explain(tool: ManifestEntry, input: unknown, options: { signal?: AbortSignal }): Promise<Explanation>;
}
