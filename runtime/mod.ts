import manifestJson from "../tools/manifest.json" with { type: "json" };
import type { Progress } from "../schemas/context.ts";
import { plainJson } from "../schemas/json/plain_json.ts";
import type { Manifest, ManifestEntry } from "../schemas/manifest.ts";
import type { HereTool } from "../schemas/own/here_tool.ts";
import type { ToolResult } from "../schemas/result.ts";
import { type Agent, type AgentOptions, makeAgent } from "./agent/create_agent.ts";
import { listener, tellCall } from "./calls/call_events.ts";
import { findTool, isCertain, noteOnName } from "./calls/catalog/find_tool.ts";
import { openHost } from "./host/open_host.ts";
import { checkOptions } from "./host/options/check_options.ts";
import { CALL_OPTIONS, RUNNER_OPTIONS } from "./host/options/option_schema.ts";
import { refuseHidden, type RunnerOptions, runnerSettings } from "./host/runner_settings.ts";
import { schemasOfTools, type ToolSchemaOptions } from "./toolbox/tool_schemas.ts";
import { type OpenedToolbox, OpenToolbox, type ToolboxOptions } from "./toolbox/toolbox.ts";
import { MAIN_URL } from "./self/entry_urls.ts";

export { EXIT_CODES, ToolError } from "../schemas/error.ts";
export type { ErrorCode, ErrorInfo, ToolErrorOptions } from "../schemas/error.ts";
export type { AccessKind, Needs, NeedScope, Target } from "../schemas/access.ts";
export { AGENT_LIMITS, AGENT_TERMINATIONS } from "../schemas/agent/agent.ts";
export type { AgentLimits, AgentOutcome, AgentTermination, AgentUsage } from "../schemas/agent/agent.ts";
export type { Message, Part, ToolCall, UserKind } from "../schemas/agent/chat.ts";
export type * from "../schemas/step/agent_definition.ts";
export type { CallId, RunEvent, TerminationReason } from "../schemas/agent/events.ts";
export type {
  CompleteOptions,
  Model,
  ModelProfile,
  ModelReply,
  ModelRequest,
} from "../schemas/agent/model.ts";
export type { FunctionTool, Purpose, Usage } from "../schemas/agent/model.ts";
export type { AuditedConnection, AuditedProgram, AuditRecord } from "../schemas/audit.ts";
export type {
  Command,
  CommandAnalysis,
  CommandFilter,
  CommandPolicy,
  CommandRule,
  Risk,
  SimpleCommand,
} from "../schemas/command.ts";
export type { OwnPolicy, PolicyConfig, ProgramLimits, ScriptTool } from "../schemas/config.ts";
export type { ToolchainMode, ToolLimits } from "../schemas/config.ts";
export type { Progress, Question, ToolContext } from "../schemas/context.ts";
export type { HereContext, HereTool } from "../schemas/own/here_tool.ts";
export { defineTool } from "../schemas/own/define_tool.ts";
export type { OwnTool } from "../schemas/own/own_tool.ts";
export type { Grants, PolicyName, Scope } from "../schemas/grants.ts";
export type { ToolFormat } from "../schemas/json/export.ts";
export type { ChosenType, Example, JsonSchema, ManifestEntry, ResponseType } from "../schemas/manifest.ts";
export type { ServiceKey } from "../schemas/net.ts";
export type {
  CallPreview,
  Confirm,
  ConfirmCall,
  Consent,
  Permission,
  PermissionPredicate,
  Verdict,
} from "../schemas/permission.ts";
export type { ProgramEndReason, ProgramEvent } from "../schemas/program.ts";
export type * from "../schemas/result.ts";
export type { McpServerEntry, RunnerCallbacks, RunnerOptions, RunnerTools } from "./host/runner_settings.ts";
export type { AgentResult, AgentRun } from "./agent/agent_events.ts";
export type { StandardAnswer, StandardIssue, StandardSchema } from "../schemas/json/standard_schema.ts";
export type { ChangedFile, RefusedCall, RunEnding } from "../schemas/agent/ending.ts";
export type * from "../schemas/step/thinking.ts";
export type {
  Agent,
  AgentByName,
  AgentGrants,
  AgentMind,
  AgentModel,
  AgentOptions,
  AgentRunOptions,
  ServedModel,
} from "./agent/create_agent.ts";
export type { AskPerson } from "./calls/control.ts";
export type { BeforeAnswer, HookCall, Hooks } from "./calls/hooks.ts";
export {
  type ManusResult,
  toManusResult,
  type ToolCollection,
  toToolCollection,
} from "./toolbox/open_manus.ts";
export type { ToolSchemaOptions } from "./toolbox/tool_schemas.ts";
export type { InvokeOptions, ToolboxConfig, ToolboxOptions } from "./toolbox/toolbox.ts";
export type { SourceState } from "./sources/source.ts";
export type { OpenedToolbox, ToolHandler, ToolRegistry, ToolSpec } from "./toolbox/toolbox.ts";
export type { ToolboxResult } from "./toolbox/toolbox_result.ts";
export type { ToolState } from "./state/tool_state.ts";
export type { SandboxMode } from "./walls/box/choose_box.ts";

/** Options of one call. */
export interface RunnerCallOptions {
  /** Ends the call as `cancelled`; one that waits for its turn at once. */
  signal?: AbortSignal;
  /** Takes the progress of a long call, at most ten times a second. */
  onProgress?: (progress: Progress) => void;
}

/** Runs tools behind their walls. Close it with `await using` or `close()`. */
export interface Runner extends AsyncDisposable {
  /**
   * Runs one call. Every end, also a refusal and a bug, is a {@linkcode ToolResult}.
   *
   * @param tool Full name, or a bare one: of the default set in any letter case, or one that only one toolset has
   * @throws {ToolError} `invalid_input` if there is no such tool, or JSON cannot hold the input
   */
  call(tool: string, input: unknown, options?: RunnerCallOptions): Promise<ToolResult>;
  /**
   * Loads the tools of the sources, such as files of your own; `call` does it by itself.
   *
   * @throws {ToolError} If a source cannot be used, or two tools have one name
   */
  ready(): Promise<void>;
  /** Everything that is known of the tools, with their JSON Schemas; of those of sources once the runner is ready. */
  tools(): readonly ManifestEntry[];
  /** Ends all rooms and programs. */
  close(): Promise<void>;
}

/**
 * Makes a runner: the machine of the command line for your own programs. It starts rooms as processes of
 * `main.ts` beside it, so it works from source, with the permissions of the start task and this program's
 * `imports`.
 *
 * @throws {ToolError} `configuration` if the workspace does not exist, `invalid_input` for options that are not
 * understood, with every field that is wrong, and if there is no such tool
 *
 * @example
 * ```ts
 * import { createRunner } from "./runtime/mod.ts";
 *
 * await using runner = createRunner({
 *   workspace: Deno.cwd(),
 *   policy: "read-only",
 *   permissions: { "harness/Read": { when: { path: "*.md" } } },
 * });
 * const read = await runner.call("Read", { path: "notes.md" });
 * console.log(read.ok, read.result);
 * const refused = await runner.call("Read", { path: "plan.txt" });
 * console.log(refused.error?.code);
 * ```
 */
export function createRunner(given: RunnerOptions): Runner {
  const options = checkOptions("createRunner", RUNNER_OPTIONS, given);
  // TypeScript widens the literals of JSON; the file is generated from this very type.
  const manifest = manifestJson as Manifest;
  refuseHidden(options.here ?? [], manifest);
  const host = openHost(runnerSettings(options, manifest, MAIN_URL), { manifest });
  const emit = listener(options.onEvent);
  let calls = 0;
  const close = async () => await host[Symbol.asyncDispose]();
  return {
    async call(tool, input, given = {}) {
      const callOptions = checkOptions("call()", CALL_OPTIONS, given);
      if (!isCertain(host.catalog, tool)) await host.ready();
      const entry = findTool(host.catalog, tool);
      const plain = plainJson(input);
      const result = await tellCall(entry, plain, { ...callOptions, machine: host, id: ++calls, emit });
      const note = noteOnName(host.catalog, tool, entry);
      if (note !== null) result.warnings.unshift(note);
      return result;
    },
    ready: async () => void await host.ready(),
    tools: () => host.catalog.entries.map(({ tool }) => tool),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Returns the schemas of tools, for a model or a client of your own: what it calls goes to `call` of a runner by the
 * same name.
 *
 * @param names Bare or full names, `NAME=ALIAS`, or functions of your own; the complete choice. @default the toolsets' tools
 * @throws {TypeError} For names together with toolsets
 * @throws {ToolError} `invalid_input` if there is no such tool, or two would have one name
 *
 * @example
 * ```ts
 * import { toolSchemas } from "./runtime/mod.ts";
 *
 * const tools = toolSchemas(["Read", "par/bash=shell"], { format: "anthropic" });
 * console.log(tools.map(({ name }) => name)); // [ "Read", "shell" ]
 * ```
 */
export function toolSchemas(
  names: readonly (string | HereTool)[] = [],
  options: ToolSchemaOptions = {},
): Record<string, unknown>[] {
  return schemasOfTools(names, options, manifestJson as Manifest);
}

/**
 * Returns the schemas of tools as OpenAI's API takes them: of built-in ones by their names, and of functions of your own.
 * {@linkcode toolSchemas} knows other forms.
 *
 * @param tools The complete choice; an empty list is none. @default the tools of the default toolset
 * @throws {ToolError} `invalid_input` that names the tool, the field, and what to write there
 *
 * @example
 * ```ts
 * import { availableToolSchemas } from "./runtime/mod.ts";
 *
 * const add = { name: "add", description: "Add two integers.", run: () => 0 };
 * const schemas = availableToolSchemas(["Read", "Bash", add]);
 * console.log(schemas.map((schema) => (schema.function as { name: string }).name)); // [ "Read", "Bash", "add" ]
 * ```
 */
export function availableToolSchemas(tools?: readonly (string | HereTool)[]): Record<string, unknown>[] {
  return tools?.length === 0 ? [] : toolSchemas(tools);
}

/**
 * Makes an agent: a model that does tasks with tools, under the same walls. As {@linkcode createRunner} it works from
 * source.
 *
 * @throws {TypeError} For tools together with extra tools
 * @throws {ToolError} `configuration` if no model is named, `unauthenticated` if its key is missing,
 * `invalid_input` if there is no such tool
 *
 * @example
 * ```ts
 * import { createAgent } from "./runtime/mod.ts";
 *
 * await using agent = createAgent({
 *   workspace: Deno.cwd(),
 *   model: "gpt-5",
 *   tools: ["Glob", "Grep", "Read"],
 *   grants: { policy: "read-only" },
 *   limits: { rounds: 20 },
 * });
 * const run = agent.run("Which files have a TODO?");
 * for await (const event of run) {
 *   if (event.type === "tool.start") console.log(event.tool, event.arguments);
 * }
 * const { answer, termination_reason, usage, trace_path } = await run;
 * console.log(answer, termination_reason, usage.rounds, trace_path);
 * ```
 */
export function createAgent<Output = unknown>(options: AgentOptions<Output>): Agent<Output> {
  return makeAgent(options, { manifest: manifestJson as Manifest, mainUrl: MAIN_URL });
}

/**
 * The tools of all sources in one object, behind the walls of {@linkcode createRunner}: the built-in ones, scripts, MCP
 * servers, files and functions of your own. A source that cannot be used is a warning, and the others go on. Names are trimmed, and a name
 * that is taken is refused at once. Sources are loaded with the first call. Close it with `await using` or `close()`.
 *
 * It throws `configuration` if two tools have one name, and `invalid_input` for a function that is no tool.
 *
 * @example
 * ```ts
 * import { Toolbox } from "./runtime/mod.ts";
 *
 * await using toolbox = new Toolbox({
 *   workspaceRoot: ".",
 *   callableTools: [{
 *     name: "add",
 *     description: "Add two integers.",
 *     input: { type: "object", properties: { a: { type: "integer" }, b: { type: "integer" } }, required: ["a", "b"] },
 *     run: (input) => ({ sum: (input as { a: number }).a + (input as { b: number }).b }),
 *   }],
 * });
 * const { sum } = await toolbox.invokeDict("add", { a: 1, b: 2 }, { requestId: "request-1" });
 * console.log(sum, (await toolbox.invoke("Read", { path: "missing.md" })).errorMessage);
 * ```
 */
export const Toolbox: new (options?: ToolboxOptions) => OpenedToolbox = class extends OpenToolbox {
  /** Opens it. */
  constructor(options: ToolboxOptions = {}) {
    super(options, { manifest: manifestJson as Manifest, mainUrl: MAIN_URL });
  }
};

/** An open toolbox. */
export type Toolbox = OpenedToolbox;
