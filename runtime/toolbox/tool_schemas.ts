import { exportTool, TOOL_FORMATS, type ToolFormat } from "../../schemas/json/export.ts";
import type { Manifest } from "../../schemas/manifest.ts";
import type { HereTool } from "../../schemas/own/here_tool.ts";
import { describedCatalog } from "../calls/catalog/catalog.ts";
import { chooseTools } from "../calls/catalog/choose_tools.ts";
import { typeTools } from "../host/config/response_types.ts";
import { checkOptions } from "../host/options/check_options.ts";
import { fieldsOf, RUNNER_FIELDS, TEXTS } from "../host/options/option_schema.ts";
import type { RunnerOptions } from "../host/runner_settings.ts";
import { describeHere, hereName } from "../sources/here/here_source.ts";

const SCHEMA_OPTIONS = fieldsOf({
  format: { enum: TOOL_FORMATS },
  toolsets: TEXTS,
  responseTypes: RUNNER_FIELDS.responseTypes!,
});

/** Options of {@linkcode toolSchemas}. */
export interface ToolSchemaOptions {
  /** The form that the client expects. @default "openai" */
  format?: ToolFormat;
  /** Whole toolsets. @default the default toolset, if no names are given */
  toolsets?: readonly string[];
  /** Types of results, as for a runner; the configuration is not read. @default each tool's own */
  responseTypes?: RunnerOptions["responseTypes"];
}

/**
 * Returns the schemas of tools; `toolSchemas` of `runtime/mod.ts` says the rest.
 *
 * @throws {TypeError} For names together with toolsets
 * @throws {ToolError} `invalid_input` for options that are not understood, and names that no tool has
 */
export function schemasOfTools(
  names: readonly (string | HereTool)[],
  options: ToolSchemaOptions,
  manifest: Manifest,
): Record<string, unknown>[] {
  const { format = "openai", toolsets = [], responseTypes } = checkOptions(
    "toolSchemas",
    SCHEMA_OPTIONS,
    options,
  );
  if (names.length > 0 && toolsets.length > 0) {
    throw new TypeError("Give names, or toolsets: names is the complete choice");
  }
  const tools = typeTools(manifest.tools, responseTypes).map(({ tool }) => tool);
  const here = names.filter((name) => typeof name !== "string");
  const catalog = describedCatalog({ ...manifest, tools: [...tools, ...describeHere(here)] });
  const chosen = names.map((name) => typeof name === "string" ? name : hereName(name));
  const offered = chooseTools(catalog, { tools: chosen, toolsets });
  return offered.map(({ entry, name }) => exportTool(entry.tool, format, { name }));
}
