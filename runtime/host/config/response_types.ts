import { ToolError } from "../../../schemas/error.ts";
import { isStandardSchema, problemsOf, type StandardSchema } from "../../../schemas/json/standard_schema.ts";
import { withResponseType } from "../../../schemas/json/typed_tool.ts";
import type { JsonSchema, ManifestEntry, ResponseType } from "../../../schemas/manifest.ts";
import { matchesPattern } from "../../walls/grants/permission.ts";
import type { LoadedConfig } from "./loaded_config.ts";
import { mostExact } from "./tool_rules.ts";
import { validateBy } from "../../../schemas/own/validate_by.ts";

/** Types of results by the full name of a tool, or with `*` for any part of it. */
export type ResponseTypes = Readonly<Record<string, string | JsonSchema | StandardSchema>>;

/** Says what is wrong with a value beyond its JSON Schema, a sentence each. */
export type Refine = (value: unknown) => string[] | Promise<string[]>;

/** A tool with the type of its result, and how values of the type are checked. */
export interface TypedTool {
  tool: ManifestEntry;
  /** Absent where the schema in the tool says all. */
  refine?: Refine;
}

/**
 * Returns the tools, each with the type that was chosen for its result: what is given wins over the configuration.
 *
 * @throws {ToolError} `configuration` for words that are no type, `invalid_input` for a name that means no such tool
 */
export function typeTools(
  tools: readonly ManifestEntry[],
  given: ResponseTypes = {},
  { config }: Pick<LoadedConfig, "config"> = { config: {} },
): TypedTool[] {
  const typed = tools.filter(({ typed_argument }) => typed_argument !== null);
  checkNames(Object.keys(given), typed.map(({ full_name }) => full_name));
  const entries = Object.fromEntries(Object.entries(given).map(([name, type]) => [name, { type }]));
  return tools.map((tool) => {
    if (tool.typed_argument === null) return { tool };
    const [own = mostExact(config.tools ?? {}, tool.full_name, "response_type")[0]] = mostExact(
      entries,
      tool.full_name,
      "type",
    );
    return own === undefined ? { tool } : typeTool(tool, own);
  });
}

function typeTool(tool: ManifestEntry, type: ResponseType | StandardSchema): TypedTool {
  if (typeof type === "string") return { tool: withResponseType(tool, type) };
  if (!isStandardSchema(type)) return { tool: withResponseType(tool, type), refine: () => [] };
  return {
    tool: withResponseType(tool, type["~standard"].jsonSchema.input({ target: "draft-2020-12" })),
    refine: async (value) => problemsOf((await validateBy(type, value)).issues ?? []),
  };
}

function checkNames(patterns: readonly string[], names: readonly string[]): void {
  for (const pattern of patterns) {
    if (names.some((name) => matchesPattern(pattern, name))) continue;
    throw new ToolError(
      "invalid_input",
      `Cannot set the response type of ${JSON.stringify(pattern)}: ${names.join(", ")} has one to set`,
    );
  }
}
