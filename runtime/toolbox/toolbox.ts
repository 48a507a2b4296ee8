import { resolve } from "@std/path";

import type { Progress } from "../../schemas/context.ts";
import { ToolError } from "../../schemas/error.ts";
import { plainJson } from "../../schemas/json/plain_json.ts";
import { isObject } from "../../schemas/json/shape.ts";
import type { Manifest, ManifestEntry } from "../../schemas/manifest.ts";
import type { HereContext, HereTool } from "../../schemas/own/here_tool.ts";
import { listener, tellCall } from "../calls/call_events.ts";
import type { DescribedTool } from "../calls/catalog/catalog.ts";
import { noteOnName } from "../calls/catalog/find_tool.ts";
import { failedResult, toToolError } from "../calls/failed_result.ts";
import { type Host, openHost } from "../host/open_host.ts";
import { checkOptions } from "../host/options/check_options.ts";
import { type RunnerOptions, runnerSettings } from "../host/runner_settings.ts";
import { hereCarrier } from "../sources/here/here_carrier.ts";
import { HereSchemas } from "../sources/here/here_schemas.ts";
import { describeHere } from "../sources/here/here_source.ts";
import { readScript } from "../sources/script/describe_script.ts";
import type { SourceSettings, SourceState } from "../sources/source.ts";
import { INVOKE_OPTIONS, TOOL_PARTS, TOOLBOX_OPTIONS } from "./toolbox_option_schema.ts";
import { findPlain, refuseTaken } from "./tool_names.ts";
import { registryOf, type ToolRegistry } from "./tool_registry.ts";
import { type ToolboxResult, toolboxResult } from "./toolbox_result.ts";

export type { ToolRegistry } from "./tool_registry.ts";

/** Options of a toolbox. All have a usual value. */
export interface ToolboxOptions extends Omit<RunnerOptions, "workspace" | "here"> {
  /** The folder that the tools work in; a relative path starts at the current folder. @default "." */
  workspaceRoot?: string;
  /** The built-in tools are there. @default true */
  enableCoreTools?: boolean;
  /** Tools that are functions of this program. They run in this process: no wall stands around them. @default none */
  callableTools?: readonly HereTool[];
}

/** What a toolbox was made of. */
export interface ToolboxConfig {
  /** Absolute, real path. */
  readonly workspaceRoot: string;
  /** The built-in tools. */
  readonly coreTools: {
    /** The built-in tools are there. */
    readonly enabled: boolean;
  };
  /** Names of the functions that were given with the options. */
  readonly callableTools: readonly string[];
  /** Names of the scripts that were given with the options. */
  readonly scriptTools: readonly string[];
  /** Names of the MCP servers that were given with the options. */
  readonly mcpServers: readonly string[];
}

/** What goes with a call. */
export interface InvokeOptions {
  /** Names the request; functions get it in their context. @default none */
  requestId?: string;
  /** Values that functions get in their context. @default none */
  dependencies?: Readonly<Record<string, unknown>>;
  /** Ends the call as `cancelled`. */
  signal?: AbortSignal;
  /** Takes the progress of a long call, at most ten times a second. */
  onProgress?: (progress: Progress) => void;
}

/** What a tool is, without the function that does it. */
export type ToolSpec = Omit<HereTool, "run" | "text">;

/** Does the work of a registered tool. */
export type ToolHandler = (input: Record<string, unknown>, context: HereContext) => unknown;

/** What the program itself gives to a toolbox. */
export interface ToolboxProgram {
  manifest: Manifest;
  /** URL of `main.ts`: rooms are processes that run it. */
  mainUrl: string;
}

/**
 * The tools of all sources in one object, behind the walls of a runner: the built-in ones, files and functions of your own.
 * Close it with `await using` or `close()`.
 */
export interface OpenedToolbox extends AsyncDisposable, Disposable {
  /** What it was made of. */
  readonly config: ToolboxConfig;
  /** Where its tools come from. */
  readonly registry: ToolRegistry;
  /**
   * Runs one call. Every end, also an unknown name, a refusal and a bug, is a result.
   *
   * @param toolName Full or bare name; blanks around it do not count
   */
  invoke(toolName: string, input?: unknown, options?: InvokeOptions): Promise<ToolboxResult>;
  /**
   * Runs one call whose output must be an object, or a text that is JSON of one, and returns that.
   *
   * @throws {ToolError} The call's own error, or `output_invalid` if its output is no object
   */
  invokeDict(toolName: string, input?: unknown, options?: InvokeOptions): Promise<Record<string, unknown>>;
  /**
   * Returns all tools, once the sources are loaded. One that cannot be used is a warning, and the others are there.
   *
   * @throws {ToolError} `configuration` if two tools have one name
   */
  listTools(): Promise<readonly ManifestEntry[]>;
  /**
   * Adds a tool that is a function of this program, by what it is and what does it.
   *
   * @throws {ToolError} `invalid_input` that names the tool, each wrong field and what to write there, `configuration` if
   * another tool has its name
   */
  registerTool(tool: { spec: ToolSpec; handler: ToolHandler }): void;
  /** Adds a tool that is a function of this program. Throws as `registerTool` does. */
  registerCallableTool(tool: HereTool): void;
  /** Ends all rooms and programs. A call after it fails with `unavailable`. May be called again. */
  close(): Promise<void>;
  /** Begins to close, for `using`; only `await using` and `close()` wait for the end. */
  [Symbol.dispose](): void;
}

/** A toolbox of this program; `Toolbox` of `runtime/mod.ts` says the rest. */
export class OpenToolbox implements OpenedToolbox {
  readonly config: ToolboxConfig;
  readonly registry: ToolRegistry;
  readonly #host: Host;
  readonly #schemas = new HereSchemas();
  readonly #emit: ReturnType<typeof listener>;
  /** What was given by name, loaded or not. */
  readonly #announced: DescribedTool[] = [];
  #states: readonly SourceState[] = [];
  #calls = 0;
  #closing: Promise<void> | undefined;

  constructor(options: ToolboxOptions, { manifest, mainUrl }: ToolboxProgram) {
    const { workspaceRoot = ".", enableCoreTools = true, callableTools = [], ...rest } = checkOptions(
      "Toolbox",
      TOOLBOX_OPTIONS,
      options,
    );
    const { scriptTools = [], mcpServers = {} } = rest;
    const settings = runnerSettings({ ...rest, workspace: resolve(workspaceRoot) }, manifest, mainUrl);
    // The settings have seen that nothing is wrong with them.
    const scripts = scriptTools.map((said, at) => readScript(said, `scriptTools[${at}]`))
      .flatMap((one) => "tool" in one ? [one.tool] : []);
    this.#host = openHost({
      ...settings,
      tools: {
        ...settings.tools,
        builtIn: enableCoreTools,
        sources: withoutRequired(settings.tools?.sources ?? {}),
      },
    }, { manifest });
    this.#emit = listener(options.onEvent);
    for (const tool of callableTools) this.registerCallableTool(tool);
    for (const tool of scripts) this.#announce({ tool });
    this.config = Object.freeze({
      workspaceRoot: this.#host.grants.workspace,
      coreTools: Object.freeze({ enabled: enableCoreTools }),
      callableTools: Object.freeze(callableTools.map(({ name }) => name.trim())),
      scriptTools: Object.freeze(scripts.map(({ name }) => name)),
      mcpServers: Object.freeze(namesOf(mcpServers)),
    });
    this.registry = registryOf(this.#host.catalog, () => this.#states);
  }

  async invoke(toolName: string, input: unknown = {}, options: InvokeOptions = {}): Promise<ToolboxResult> {
    const name = String(toolName).trim();
    try {
      await this.#ready();
      const { catalog } = this.#host;
      const entry = findPlain(catalog, name);
      const { requestId = null, dependencies = {}, ...rest } = checkOptions(
        "invoke()",
        INVOKE_OPTIONS,
        options ?? {},
      );
      const result = await tellCall(entry, plainJson(input), {
        ...rest,
        request: { id: requestId, dependencies },
        ...{ machine: this.#host, id: ++this.#calls, emit: this.#emit },
      });
      const note = noteOnName(catalog, name, entry);
      if (note !== null) result.warnings.unshift(note);
      return toolboxResult(result);
    } catch (error) {
      return toolboxResult(failedResult({ full_name: name, error_lead: "" }, toToolError(error).toInfo()));
    }
  }

  async invokeDict(
    toolName: string,
    input: unknown = {},
    options: InvokeOptions = {},
  ): Promise<Record<string, unknown>> {
    const { tool_name, ok, result, error } = await this.invoke(toolName, input, options);
    if (error !== null) throw new ToolError(error.code, `${tool_name} failed: ${error.message}`, error);
    if (ok && isObject(result)) return result;
    const said = ok && typeof result === "string" ? objectIn(result) : null;
    if (said !== null) return said;
    const type = result === null ? "null" : Array.isArray(result) ? "a list" : `a ${typeof result}`;
    throw new ToolError("output_invalid", `${tool_name} gave ${type}, not an object: call it with invoke()`);
  }

  async listTools(): Promise<readonly ManifestEntry[]> {
    await this.#ready();
    return this.registry.tools;
  }

  registerTool(given: { spec: ToolSpec; handler: ToolHandler }): void {
    const { spec, handler } = given ?? {};
    requireHandler(spec, handler);
    checkOptions("registerTool()", TOOL_PARTS, given);
    this.registerCallableTool({
      ...spec,
      run: (input, context) => handler(input as Record<string, unknown>, context),
    });
  }

  registerCallableTool(given: HereTool): void {
    this.#requireOpen();
    const [tool] = describeHere([given]);
    const { catalog } = this.#host;
    const entry = { tool: tool!, carrier: hereCarrier(given, this.#host, this.#schemas) };
    this.#announce(entry);
    catalog.entries = [...catalog.entries, entry];
    catalog.addedToolsets = [...new Set([...catalog.addedToolsets ?? [], tool!.toolset])];
  }

  /** Takes a name, also for a tool that is not loaded yet. */
  #announce(tool: DescribedTool): void {
    refuseTaken(tool, this.#host.catalog, this.#announced);
    this.#announced.push(tool);
  }

  close(): Promise<void> {
    return this.#closing ??= (async () => {
      this.#schemas[Symbol.dispose]();
      await this.#host[Symbol.asyncDispose]();
    })();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  [Symbol.dispose](): void {
    this.close().catch(() => {});
  }

  async #ready(): Promise<void> {
    this.#requireOpen();
    this.#states = await this.#host.ready();
    this.#requireOpen();
  }

  #requireOpen(): void {
    if (this.#closing === undefined) return;
    throw new ToolError("unavailable", "The toolbox is closed: make another one");
  }
}

function requireHandler(spec: unknown, handler: unknown): void {
  if (typeof handler === "function") return;
  const name = isObject(spec) && typeof spec.name === "string"
    ? ` of ${JSON.stringify(spec.name.trim())}`
    : "";
  throw new ToolError(
    "invalid_input",
    `The handler${name} must be a function: write { spec, handler: (input) => … }`,
  );
}

/** No source takes the others down. */
function withoutRequired({ files = [], scripts = [], ...others }: SourceSettings): SourceSettings {
  return {
    ...others,
    files: files.map((file) => ({ ...file, isRequired: false })),
    scripts: scripts.map((script) => ({ ...script, isRequired: false })),
  };
}

function namesOf(servers: NonNullable<ToolboxOptions["mcpServers"]>): string[] {
  return Array.isArray(servers) ? servers.map(({ id, name }) => String(id ?? name)) : Object.keys(servers);
}

/** Servers of others often give objects as texts. */
function objectIn(text: string): Record<string, unknown> | null {
  if (!text.trimStart().startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
