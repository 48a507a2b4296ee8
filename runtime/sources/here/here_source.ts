import type { HereTool } from "../../../schemas/own/here_tool.ts";
import { ToolError } from "../../../schemas/error.ts";
import { sayThrown } from "../../../schemas/own/thrown_error.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import { isStandardSchema, JSON_TYPE_REMEDY } from "../../../schemas/json/standard_schema.ts";
import type { JsonSchema, ManifestEntry } from "../../../schemas/manifest.ts";
import { readDescription } from "../own/read_description.ts";
import type { MakeSource } from "../source.ts";
import { hereCarrier } from "./here_carrier.ts";
import { HereSchemas } from "./here_schemas.ts";

/** The toolset of tools that run in the embedding program's own process. */
const TOOLSET = "here";
/** Some of them mean something in a room alone. */
const FUNCTIONS = ["run", "text", "targets", "summary", "preview", "errorText"];

/** Makes a source of functions of the embedding program. */
export function hereSource(tools: readonly HereTool[]): MakeSource {
  return ({ machine }) => {
    const schemas = new HereSchemas();
    const carrierOf = (tool: HereTool) => hereCarrier(tool, machine, schemas);
    return {
      name: "the functions of this program",
      isRequired: true,
      load: () =>
        Promise.resolve(describeHere(tools).map((tool, at) => ({ tool, carrier: carrierOf(tools[at]!) }))),
      [Symbol.asyncDispose]: () => Promise.resolve(schemas[Symbol.dispose]()),
    };
  };
}

/**
 * Returns what is known of functions that are tools.
 *
 * @throws {ToolError} `invalid_input` that names each tool, each wrong field, and what to write there
 */
export function describeHere(tools: readonly HereTool[]): ManifestEntry[] {
  const read = tools.map((tool, at) => {
    if (!isObject(tool)) return { problems: [`tools[${at}] is no tool: write { name, description, run }`] };
    const { input, output, ...rest } = tool;
    const functions = FUNCTIONS.filter((name) => typeof rest[name as keyof typeof rest] === "function");
    const fields = Object.fromEntries(Object.entries(rest).filter(([name]) => !functions.includes(name)));
    const schemas = { ...schemaOf("input", input), ...schemaOf("output", output) };
    // A schema of a library decides by itself what becomes of other fields.
    const open_input = !(isObject(input) && isStandardSchema(input));
    const description = { exported: `tools[${at}]`, functions, fields, open_input, ...schemas };
    return readDescription(description, { toolset: TOOLSET });
  });
  const problems = read.flatMap((one) => "problems" in one ? one.problems : []);
  if (problems.length > 0) {
    throw new ToolError("invalid_input", problems.join("; "), { details: { problems } });
  }
  return read.flatMap((one) => "tool" in one ? [{ ...one.tool, killable: false }] : []);
}

/** Returns the full name of a function that is a tool. */
export function hereName({ name }: HereTool): string {
  return `${TOOLSET}/${name.trim()}`;
}

function schemaOf(io: "input" | "output", schema: HereTool["input"]): Record<string, unknown> {
  if (schema === undefined) {
    return {
      [`${io}_schema`]: io === "input" ? { type: "object", properties: {}, additionalProperties: {} } : {},
    };
  }
  if (typeof schema !== "object" || schema === null) {
    return { [`${io}_problem`]: "must be a schema of zod, or a JSON Schema" };
  }
  try {
    return { [`${io}_schema`]: requireJson(jsonSchemaOf(schema)) };
  } catch (error) {
    return {
      [`${io}_problem`]: `has no JSON Schema: ${sayThrown(error).split("\n", 1)[0]}; ` +
        JSON_TYPE_REMEDY,
    };
  }
}

/** @throws {Error} For a schema that contains itself */
function requireJson(schema: JsonSchema): JsonSchema {
  JSON.stringify(schema);
  return schema;
}

function jsonSchemaOf(schema: NonNullable<HereTool["input"]>): JsonSchema {
  if (!isStandardSchema(schema)) return schema as JsonSchema;
  return schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
}
