import type { ToolCall } from "../../../schemas/agent/chat.ts";
import type { ReplyForm } from "../../../schemas/agent/model.ts";
import type { JsonSchema } from "../../../schemas/manifest.ts";
import { isObject, propertiesOf, requiredOf } from "../../../schemas/json/shape.ts";
import { repairInput } from "../../../schemas/json/repair.ts";
import type { AgentTool } from "../loop/parts.ts";
import { findObject } from "./find_object.ts";

/** The field that says which tool is meant; it stands first, so that the model decides before it writes arguments. */
const CHOICE = "tool_name_discriminator";
/** The field that holds the chosen tool. */
const NEXT = "function";
/** Other names under which models write the tool and its arguments. */
const NAMES = [CHOICE, "tool_name", "tool", "name", "function_name"];
const INPUTS = ["arguments", "parameters", "input", "args"];
/** Longest reason that is told back, in characters. */
const SHOWN = 300;

/** What a reply in the form says. */
export interface ReadNextStep {
  call: ToolCall;
  reasoning: Record<string, unknown>;
  /** What was repaired of the reasoning, a sentence each. */
  notes: string[];
}

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

/** Reads a reply in the form. @returns What is wrong with it, as a sentence, if it cannot be read */
export function readNextStep(text: string, reasoning: JsonSchema): ReadNextStep | string {
  const value = findObject(text);
  if (typeof value === "string") return value.slice(0, SHOWN);
  const { [NEXT]: next, ...rest } = value;
  const chosen = chosenOf(isObject(next) ? next : nameOf(value) === null ? null : value, next);
  if (chosen === null) return `it has no "${NEXT}" that names a tool in "${CHOICE}"`;
  const fields = Object.keys(propertiesOf(reasoning));
  const said = Object.fromEntries(Object.entries(rest).filter(([name]) => fields.includes(name)));
  const { value: repaired, warnings } = repairInput(reasoning, said, { cuts: true });
  const missing = fields.filter((name) => !Object.hasOwn(said, name) && requiredOf(reasoning).has(name));
  const few = [...missing.map((name) => `Field '${name}' is missing in what you said of the work`)];
  return {
    call: { id: "", name: chosen.name, arguments: JSON.stringify(chosen.input) },
    reasoning: isObject(repaired) ? repaired : said,
    notes: [...warnings, ...few],
  };
}

function nameOf(value: Record<string, unknown>): string | null {
  const name = NAMES.map((field) => value[field]).find((said) => typeof said === "string");
  return typeof name === "string" && name.trim() !== "" ? name : null;
}

/** The tool and its arguments: beside its name, or in a field of their own, or under the name itself. */
function chosenOf(
  value: Record<string, unknown> | null,
  next: unknown,
): { name: string; input: Record<string, unknown> } | null {
  if (value === null) {
    return typeof next === "string" && next.trim() !== "" ? { name: next, input: {} } : null;
  }
  const name = nameOf(value);
  if (name === null) {
    const [only, ...others] = Object.entries(value);
    return only && others.length === 0 && isObject(only[1]) ? { name: only[0], input: only[1] } : null;
  }
  const inner = INPUTS.map((field) => value[field]).find(isObject);
  if (inner && !Object.hasOwn(value, CHOICE)) return { name, input: inner };
  const named = NAMES.find((field) => value[field] === name);
  const { [named!]: _, ...input } = value;
  return { name, input };
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
