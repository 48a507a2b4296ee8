import { ToolError } from "../error.ts";
import type { JsonSchema, ManifestEntry } from "../manifest.ts";
import {
  branchesOf,
  isObject,
  mapSubschemas,
  propertiesOf,
  requiredOf,
  resolveRef,
  toSchema,
} from "./shape.ts";

/** Formats in which a tool can be exported. */
export type ToolFormat = "json-schema" | "openai" | "mcp" | "anthropic";

/** All formats, in the order of help. */
export const TOOL_FORMATS: readonly ToolFormat[] = ["json-schema", "openai", "mcp", "anthropic"];

const DRAFT = "https://json-schema.org/draft/2020-12/schema";

/** Options of {@linkcode exportTool}. */
export interface ExportOptions {
  /** The name for the model. @default the tool's bare name */
  name?: string;
}

/**
 * Exports a tool in the form that a client expects. `json-schema` is the schema of the arguments as it is;
 * the other formats carry a cleaned one (see {@linkcode cleanSchema}) whose root is an object.
 *
 * @throws {ToolError} `invalid_input` if the name is not 1 to 64 letters, digits, `_` or `-`
 */
export function exportTool(
  entry: ManifestEntry,
  format: ToolFormat,
  options: ExportOptions = {},
): Record<string, unknown> {
  const { name = entry.name } = options;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw new ToolError(
      "invalid_input",
      `Cannot export ${entry.full_name} as "${name}": a name for a model is 1 to 64 letters, digits, "_" or "-"`,
    );
  }
  const { description } = entry;
  if (format === "json-schema") {
    const { $schema = DRAFT, title: _title, description: _description, ...schema } = entry.input_schema;
    return { $schema, title: name, description, ...schema };
  }
  const parameters = asObjectSchema(cleanSchema(entry.input_schema)) ?? { type: "object", properties: {} };
  if (format === "openai") return { type: "function", function: { name, description, parameters } };
  if (format === "anthropic") return { name, description, input_schema: parameters };
  // MCP accepts only objects here; a tool with another output answers only in text.
  const outputSchema = asObjectSchema(cleanSchema(entry.output_schema));
  return {
    name,
    description,
    inputSchema: parameters,
    ...(outputSchema ? { outputSchema } : {}),
    annotations: annotationsOf(entry),
  };
}

/**
 * Returns a schema without the parts that model providers refuse or that only cost tokens: `$schema`, a
 * `$ref` at the root, the patterns behind a `format`, and keywords that allow
 * everything.
 */
export function cleanSchema(schema: JsonSchema): JsonSchema {
  const { $schema: _, ...root } = schema;
  const { $defs, ...body } = typeof root.$ref === "string"
    ? { ...resolveRef(root, schema), $defs: root.$defs }
    : root as JsonSchema;
  const cleaned = cleanKeywords(body);
  if (!isObject($defs) || !JSON.stringify([cleaned, $defs]).includes('"$ref"')) return cleaned;
  const referenced = Object.entries($defs).map(([name, inner]) => [name, cleanKeywords(toSchema(inner))]);
  return { ...cleaned, $defs: Object.fromEntries(referenced) };
}

function cleanKeywords(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([key, value]) => {
    if (key === "pattern") return typeof schema.format !== "string";
    if (key === "additionalProperties") return !(isObject(value) && Object.keys(value).length === 0);
    if (key === "propertyNames") return JSON.stringify(value) !== '{"type":"string"}';
    return true;
  });
  return mapSubschemas(Object.fromEntries(kept), cleanKeywords);
}

/** Merges the objects of a root union into one object that accepts each: providers refuse such a union. */
function asObjectSchema(schema: JsonSchema): JsonSchema | null {
  const all = Array.isArray(schema.allOf) ? schema.allOf.map(toSchema) : [];
  const parts = [...branchesOf(schema), ...all].map((part) => resolveRef(part, schema));
  if (parts.length === 0) {
    if (schema.type !== "object") return null;
    return { ...schema, properties: schema.properties ?? {} };
  }
  if (!parts.every((part) => isObject(part.properties))) return null;
  const { anyOf: _any, oneOf: _one, allOf: _all, ...rest } = schema;
  const properties = mergeProperties([rest, ...parts].map(propertiesOf));
  const required = Object.keys(properties).filter((key) =>
    requiredOf(rest).has(key) || all.some((part) => requiredOf(resolveRef(part, schema)).has(key)) ||
    (all.length === 0 && parts.every((part) => requiredOf(part).has(key)))
  );
  return { ...rest, type: "object", properties, ...(required.length > 0 ? { required } : {}) };
}

function mergeProperties(parts: readonly Record<string, JsonSchema>[]): Record<string, JsonSchema> {
  const found = new Map<string, JsonSchema[]>();
  for (const [key, schema] of parts.flatMap((part) => Object.entries(part))) {
    const known = found.get(key) ?? [];
    if (!known.some((other) => JSON.stringify(other) === JSON.stringify(schema))) known.push(schema);
    found.set(key, known);
  }
  return Object.fromEntries([...found].map(([key, schemas]) => [key, mergeField(schemas)]));
}

function mergeField(schemas: JsonSchema[]): JsonSchema {
  if (schemas.length === 1) return schemas[0]!;
  const isConstant = schemas.every(({ type, const: value }) =>
    type === "string" && typeof value === "string"
  );
  return isConstant ? { type: "string", enum: schemas.map((schema) => schema.const) } : { anyOf: schemas };
}

function annotationsOf({ read_only, idempotent, needs }: ManifestEntry): Record<string, boolean> {
  const touches = (kind: "write" | "net" | "run") => needs[kind] !== undefined && needs[kind].length > 0;
  return {
    readOnlyHint: read_only,
    // A program may do everything that its walls allow.
    destructiveHint: !read_only && (touches("write") || touches("run")),
    idempotentHint: read_only || idempotent === true,
    openWorldHint: touches("net") || touches("run"),
  };
}
