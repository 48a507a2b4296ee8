import type { ReplyForm } from "../../../schemas/agent/model.ts";
import type { JsonSchema } from "../../../schemas/manifest.ts";
import { isObject, propertiesOf } from "../../../schemas/json/shape.ts";
import type { AgentTool } from "../loop/parts.ts";
import { CHOICE, NEXT } from "./read_step.ts";

/** Makes the form of a step: the fields of the reasoning, then one of the tools with its arguments. */
export function nextStepForm(reasoning: JsonSchema, tools: readonly AgentTool[]): ReplyForm {
  const defs: Record<string, JsonSchema> = { ...definitionsOf(reasoning) };
  const variants = tools.map((tool, at) => variantOf(tool, { prefix: `tool${at}_`, defs }));
  const required = Array.isArray(reasoning.required) ? reasoning.required : [];
  const choice = variants.length === 1 ? variants[0]! : { anyOf: variants };
  const schema: JsonSchema = {
    type: "object",
    properties: {
      ...propertiesOf(reasoning),
      [NEXT]: { description: "The one tool that does the next step, with its arguments.", ...choice },
    },
    required: [...required, NEXT],
    ...(Object.keys(defs).length > 0 && { $defs: defs }),
  };
  return { name: "next_step", schema };
}

interface Hoisting {
  prefix: string;
  /** Takes the definitions of all tools. */
  defs: Record<string, JsonSchema>;
}

function variantOf({ name, description, parameters }: AgentTool, { prefix, defs }: Hoisting): JsonSchema {
  const moved = Object.keys(definitionsOf(parameters)).length > 0
    ? JSON.parse(
      JSON.stringify(parameters).replaceAll(/"#\/(?:\$defs|definitions)\//g, `"#/$defs/${prefix}`),
    ) as JsonSchema
    : parameters;
  for (const [key, schema] of Object.entries(definitionsOf(moved))) defs[`${prefix}${key}`] = schema;
  const { $defs: _, definitions: __, properties: ___, required = [], ...rest } = moved as Record<
    string,
    unknown
  >;
  return {
    ...rest,
    type: "object",
    description,
    properties: { [CHOICE]: { const: name, type: "string" }, ...propertiesOf(moved) },
    required: [CHOICE, ...Array.isArray(required) ? required : []],
  } as JsonSchema;
}

function definitionsOf(schema: JsonSchema): Record<string, JsonSchema> {
  const { $defs, definitions } = schema as Record<string, unknown>;
  return { ...(isObject(definitions) && definitions), ...(isObject($defs) && $defs) } as Record<
    string,
    JsonSchema
  >;
}
