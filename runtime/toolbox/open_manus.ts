import { exportTool } from "../../schemas/json/export.ts";
import type { HereTool } from "../../schemas/own/here_tool.ts";
import type { ToolResult } from "../../schemas/result.ts";
import type { DescribedTool } from "../calls/catalog/catalog.ts";
import { chooseTools, type OfferedTool, type ToolChoice } from "../calls/catalog/choose_tools.ts";
import { ToolError } from "../../schemas/error.ts";
import type { InvokeOptions, OpenedToolbox } from "./toolbox.ts";

/** A result as OpenManus has it: what is not there is `null`. */
export interface ManusResult {
  /** What the call gave. */
  output: unknown;
  /** Why it failed. */
  error: string | null;
  /** Its first picture. */
  base64_image: string | null;
  /** A remark of the system, beside the output. */
  system: string | null;
}

/** Tools under the names by which a model calls them, as OpenManus holds them. */
export interface ToolCollection {
  /** The names, in their order. */
  readonly names: readonly string[];
  /** Returns the tools as OpenAI's API takes them. */
  toParams(): Record<string, unknown>[];
  /** Runs one call. Every end is a result, also for an unknown name. */
  execute(name: string, input?: unknown, options?: InvokeOptions): Promise<ManusResult>;
  /**
   * Adds functions of this program, also to the toolbox.
   *
   * @throws {ToolError} `invalid_input` for a tool that is not right, `configuration` for a name that is taken
   */
  add(...tools: readonly HereTool[]): ToolCollection;
  /**
   * Returns a collection with the tools of both.
   *
   * @throws {ToolError} `configuration` if both have a tool of one name
   */
  merge(other: ToolCollection): ToolCollection;
}

/** Returns a result in the form of OpenManus. */
export function toManusResult({ ok, result, images, error, system }: ToolResult): ManusResult {
  return {
    output: ok ? result : null,
    error: error?.message ?? null,
    base64_image: images[0]?.data ?? null,
    system: system ?? null,
  };
}

/**
 * Returns tools of a toolbox in the form of OpenManus.
 *
 * @param names Full or bare names, `NAME=ALIAS` for another one. @default what a model gets: the default toolset and the
 * tools of all sources
 * @throws {ToolError} `invalid_input` if there is no such tool, or two would have one name
 */
export async function toToolCollection(
  toolbox: OpenedToolbox,
  names?: readonly string[],
): Promise<ToolCollection> {
  const tools = await toolbox.listTools();
  const toolsets = toolbox.registry.toolsets.filter((set) => tools.some(({ toolset }) => toolset === set));
  const offered = (names ?? toolsets).length === 0
    ? []
    : choose(toolbox, names ? { tools: names } : { toolsets });
  return collectionOf(offered.map((tool) => [tool.name, memberOf(toolbox, tool)]), toolbox);
}

function choose(
  { registry: { tools, toolsets } }: OpenedToolbox,
  choice: ToolChoice,
): OfferedTool<DescribedTool>[] {
  const [defaultToolset = "", ...addedToolsets] = toolsets;
  return chooseTools({ entries: tools.map((tool) => ({ tool })), defaultToolset, addedToolsets }, choice);
}

/** A tool of a collection. */
interface Member {
  param: Record<string, unknown>;
  execute(input: unknown, options?: InvokeOptions): Promise<ManusResult>;
}

/** Each collection knows its own members, so that collections can be merged. */
const membersOf = new WeakMap<ToolCollection, ReadonlyMap<string, Member>>();

function collectionOf(given: Iterable<readonly [string, Member]>, toolbox: OpenedToolbox): ToolCollection {
  const members = new Map(given);
  const collection: ToolCollection = {
    get names() {
      return [...members.keys()];
    },
    toParams: () => [...members.values()].map(({ param }) => param),
    async execute(name, input = {}, options = {}) {
      const member = members.get(String(name).trim());
      if (member) return await member.execute(input, options);
      const error = `Tool '${name}' not found: there are ${[...members.keys()].join(", ") || "none"}`;
      return { output: null, error, base64_image: null, system: null };
    },
    add(...tools) {
      for (const [at, { name }] of tools.entries()) {
        const isTwice = tools.slice(0, at).some((other) => other.name.trim() === name.trim());
        if (isTwice) throw taken(name.trim());
        refuseTwice(members, name.trim());
      }
      for (const tool of tools) {
        toolbox.registerCallableTool(tool);
        const [offered] = choose(toolbox, { tools: [tool.name.trim()] });
        members.set(offered!.name, memberOf(toolbox, offered!));
      }
      return collection;
    },
    merge(other) {
      const others = membersOf.get(other) ?? new Map<string, Member>();
      for (const name of others.keys()) refuseTwice(members, name);
      return collectionOf([...members, ...others], toolbox);
    },
  };
  membersOf.set(collection, members);
  return collection;
}

function memberOf(toolbox: OpenedToolbox, { entry: { tool }, name }: OfferedTool<DescribedTool>): Member {
  return {
    param: exportTool(tool, "openai", { name }),
    execute: async (input, options) =>
      toManusResult(await toolbox.invoke(tool.full_name, input, options ?? {})),
  };
}

function refuseTwice(members: ReadonlyMap<string, Member>, name: string): void {
  if (members.has(name)) throw taken(name);
}

function taken(name: string): ToolError {
  return new ToolError(
    "configuration",
    `The collection has a tool named ${name} already: rename one of them`,
    { details: { tool: name } },
  );
}
