import { ToolError } from "../error.ts";
import type { JsonSchema, ManifestEntry, ResponseType } from "../manifest.ts";
import { isObject, mapSubschemas, propertiesOf, resolveRef } from "./shape.ts";
import { readType, schemaOfType } from "./type_words.ts";

/** Says what is wrong with a type; `null` if it can be used. */
export function typeProblem(type: ResponseType): string | null {
  if (typeof type !== "string") return null;
  const read = readType(type);
  return "problem" in read ? read.problem : null;
}

/**
 * Returns a tool whose arguments and result follow a type. An object with fields of its own takes the place of the
 * arguments; any other type is that of the one argument that the tool gives back.
 *
 * @throws {ToolError} `configuration` for words that are no type, or a tool that gives back nothing of its arguments
 */
export function withResponseType(tool: ManifestEntry, type: ResponseType): ManifestEntry {
  const argument = tool.typed_argument;
  const problem = argument === null ? "its result has one type" : typeProblem(type);
  if (argument === null || problem !== null) {
    throw new ToolError("configuration", `Cannot set the response type of ${tool.full_name}: ${problem}`);
  }
  // By these words, each call gives the text itself.
  if (typeof type === "string" && isText(type)) return tool;
  const schema = typeof type === "string" ? ownSchema(type) : withoutDialect(type);
  const object = asObject(schema);
  // Its examples give values of its own type.
  const base = { ...tool, examples: [] };
  if (object) {
    return {
      ...base,
      input_schema: object,
      output_schema: object,
      chosen_type: { argument, whole: true },
    };
  }
  const { $defs, definitions, ...value } = movedInto(schema, `#/properties/${argument}`);
  const shared = { ...($defs !== undefined && { $defs }), ...(definitions !== undefined && { definitions }) };
  return {
    ...base,
    input_schema: { type: "object", properties: { [argument]: value }, required: [argument], ...shared },
    output_schema: schema,
    chosen_type: { argument, whole: false },
  };
}

function isText(type: string): boolean {
  const read = readType(type);
  return "name" in read && read.name === "str";
}

/** A type that stands alone says so; parts of a type say that they are values. */
function ownSchema(words: string): JsonSchema {
  const read = readType(words);
  if ("problem" in read) throw new TypeError(read.problem);
  const schema = schemaOfType(read);
  return schema.description === undefined
    ? schema
    : { ...schema, description: `Response of type ${read.name}` };
}

function withoutDialect({ $schema: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** An object that names its fields, with the definitions that they refer to; `null` for any other type. */
function asObject(schema: JsonSchema): JsonSchema | null {
  const { $ref: _, ...beside } = schema;
  const target = resolveRef(schema, schema);
  if (target.type !== "object" || Object.keys(propertiesOf(target)).length === 0) return null;
  return target === schema ? schema : { ...beside, ...target };
}

/** References to the document itself go on to lead to what they named. */
function movedInto(schema: JsonSchema, place: string): JsonSchema {
  const move = (inner: JsonSchema): JsonSchema => {
    const { $ref } = inner;
    const isOwn = typeof $ref === "string" && /^#(?!\/(?:\$defs|definitions)\/)/.test($ref);
    const moved = isOwn ? { ...inner, $ref: `${place}${$ref.slice(1)}` } : inner;
    return mapSubschemas(moved, move);
  };
  return isObject(schema) ? move(schema) : schema;
}
