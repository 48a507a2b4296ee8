/**
 * bulkhead for programs that run on Node: what defines tools, and a runner that lets the installed program do the work. The
 * other types are those of `bulkhead/schemas`.
 *
 * @module
 */
export type { ToolContext } from "../../schemas/context.ts";
export { EXIT_CODES, ToolError } from "../../schemas/error.ts";
export type { ErrorCode, ErrorInfo, ToolErrorOptions } from "../../schemas/error.ts";
export type { ToolFormat } from "../../schemas/json/export.ts";
export { defineTool } from "../../schemas/own/define_tool.ts";
export type { HereContext, HereTool } from "../../schemas/own/here_tool.ts";
export type { OwnTool } from "../../schemas/own/own_tool.ts";
export type { ToolResult } from "../../schemas/result.ts";
export { AGENT_LIMITS, AGENT_TERMINATIONS } from "../../schemas/agent/agent.ts";
export {
  noAgent as createAgent,
  noManusResult as toManusResult,
  NoToolbox as Toolbox,
  noToolCollection as toToolCollection,
  noToolSchemas as availableToolSchemas,
  noToolSchemas as toolSchemas,
} from "./only_on_deno.ts";
export type { CarriedOption, ProgramFlags } from "./program_flags.ts";
export { createProgramRunner as createRunner } from "./program_runner.ts";
export type { KnownTool, NoCallOptions, ProgramRunner, ProgramRunnerOptions } from "./program_runner.ts";
