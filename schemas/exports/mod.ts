/**
 * The data of bulkhead, as types, with the few constants and functions that belong to them: tools and their results, errors
 * and exit codes, permissions, configuration, events. It imports no library and touches nothing, so it runs wherever
 * JavaScript does.
 *
 * @module
 */
export type * from "../access.ts";
export type * from "../agent/agent.ts";
export type * from "../agent/chat.ts";
export type * from "../agent/ending.ts";
export type * from "../agent/events.ts";
export type * from "../agent/model.ts";
export type * from "../step/sources.ts";
export type * from "../step/agent_definition.ts";
export type * from "../step/step.ts";
export type * from "../step/plan.ts";
export type * from "../step/thinking.ts";
export type * from "../audit.ts";
export type * from "../browser/browser.ts";
export type * from "../browser/page.ts";
export type * from "../command.ts";
export type * from "../config.ts";
export type * from "../context.ts";
export type * from "../desktop/desktop.ts";
export type { ErrorCode, ErrorInfo, ToolErrorOptions } from "../error.ts";
export type { Grants, PolicyName, Scope } from "../grants.ts";
export type { DeclaredTool } from "./declare_tools.ts";
export type { ExportOptions, ToolFormat } from "../json/export.ts";
export type { StandardAnswer, StandardIssue, StandardSchema } from "../json/standard_schema.ts";
export type * from "../manifest.ts";
export type * from "../net.ts";
export type { HereContext, HereTool } from "../own/here_tool.ts";
export type { OwnTool } from "../own/own_tool.ts";
export type * from "../permission.ts";
export type * from "../program.ts";
export type * from "../result.ts";

export { ACCESS_KINDS } from "../access.ts";
export { AGENT_LIMITS, AGENT_TERMINATIONS } from "../agent/agent.ts";
export { PROGRAM_LIMITS } from "../config.ts";
export { EXIT_CODES, exitCodeOf, ToolError } from "../error.ts";
export { POLICY_NAMES } from "../grants.ts";
export { declareTools } from "./declare_tools.ts";
export { exportTool, TOOL_FORMATS } from "../json/export.ts";
export { defineTool } from "../own/define_tool.ts";
