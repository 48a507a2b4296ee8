import type { ToolCall } from "../../../schemas/agent/chat.ts";
import { repairInput } from "../../../schemas/json/repair.ts";
import { describeMismatch } from "../../../schemas/json/mismatch.ts";
import { isObject, propertiesOf } from "../../../schemas/json/shape.ts";
import type { JsonSchema } from "../../../schemas/manifest.ts";
import { unwrapJson } from "../conversation/unwrap_json.ts";
import { offeredName } from "../loop/offered_name.ts";
import type { AgentTool } from "../loop/parts.ts";
import { findObjects } from "./find_object.ts";

/** The field that says which tool is meant; it stands first, so that the model decides before it writes arguments. */
export const CHOICE = "tool_name_discriminator";
/** The field that holds the chosen tool. */
export const NEXT = "function";
/** Other names under which models write the tool, its arguments, and a list of tools. */
const NAMES = [CHOICE, "tool_name", "tool", "name", "function_name", "function_name_choice", "action"];
const INPUTS = ["arguments", "parameters", "input", "args", "action_input"];
const LISTS = ["tool_calls", "functions", "calls"];
/** Longest reason that is told back, in characters. */
const SHOWN = 300;

/** What a text says that is read as a step. */
export interface ReadStep {
  call: ToolCall;
  /** The fields of the reasoning, repaired; empty if it has none. */
  reasoning: Record<string, unknown>;
  /** What was repaired or left out, a sentence each. */
  notes: string[];
}

/** What a step is read with. */
export interface StepReading {
  /** The form of what the model says of the work. */
  reasoning: JsonSchema;
  /** The tools that may be meant. */
  tools: readonly AgentTool[];
}

/**
 * Reads a text as a step: what the model says of the work, and one tool with its arguments. Of several tools, in a list or
 * in several objects, the first one counts.
 *
 * @returns What is wrong with it, as a part of a sentence, if it cannot be read
 */
export function readStep(text: string, { reasoning, tools }: StepReading): ReadStep | string {
  const found = findObjects(text);
  if (typeof found === "string") return found.slice(0, SHOWN);
  const fields = Object.keys(propertiesOf(reasoning));
  const steps = found.map(openWrapper).map((value) => ({
    value,
    chosen: choicesIn(value, { fields, tools }),
  }));
  const first = steps.find(({ chosen }) => chosen.length > 0);
  const [chosen] = first?.chosen ?? [];
  if (!first || !chosen) return `it has no "${NEXT}" that names a tool in "${CHOICE}"`;
  const names = steps.flatMap(({ chosen }) => chosen).slice(1).map(({ name }) => name);
  const { value, notes } = thoughtIn(first.value, reasoning);
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  const name = offeredName(chosen.name, known) ?? chosen.name;
  return {
    call: { id: "", name, arguments: JSON.stringify(chosen.input) },
    reasoning: value,
    notes: [
      ...names.length > 0 ? [`A step is one tool: ${names.join(", ")} of the same reply was not run`] : [],
      ...notes,
    ],
  };
}

/** Some models put the whole object into a field that is named after its form. */
function openWrapper(value: Record<string, unknown>): Record<string, unknown> {
  const [only, ...others] = Object.values(value);
  return others.length === 0 && isObject(only) && Object.hasOwn(only, NEXT) ? only : value;
}

/** What an object says of the work, and what was repaired of it or is wrong with it. */
function thoughtIn(
  value: Record<string, unknown>,
  reasoning: JsonSchema,
): { value: Record<string, unknown>; notes: string[] } {
  const fields = Object.keys(propertiesOf(reasoning));
  const has = (one: unknown): one is Record<string, unknown> =>
    isObject(one) && fields.some((name) => Object.hasOwn(one, name));
  const place = has(value) ? value : Object.values(value).find(has) ?? {};
  const said = Object.fromEntries(Object.entries(place).filter(([name]) => fields.includes(name)));
  const { value: repaired, warnings } = repairInput(reasoning, said, { cuts: true });
  const problems = describeMismatch(reasoning, repaired);
  return { value: isObject(repaired) ? repaired : said, notes: [...warnings, ...problems] };
}

/** A tool that is meant, as it was said. */
interface Chosen {
  name: string;
  input: Record<string, unknown>;
}

interface Choosing {
  /** The fields of the reasoning. */
  fields: readonly string[];
  tools: readonly AgentTool[];
}

/** The tools that an object names: in the field for it, in a list, or beside what it says of the work. */
function choicesIn(value: Record<string, unknown>, { fields, tools }: Choosing): Chosen[] {
  const { [NEXT]: said, ...rest } = value;
  const beside = Object.fromEntries(Object.entries(rest).filter(([name]) => !fields.includes(name)));
  const next = objectOf(said) ?? said;
  if (typeof next === "string" && next.trim() !== "") {
    return [{ name: next, input: INPUTS.map((field) => objectOf(beside[field])).find(isObject) ?? beside }];
  }
  const list = [next, ...LISTS.map((field) => value[field])].find(Array.isArray);
  if (list) return list.flatMap((one) => isObject(one) ? choicesIn(one, { fields: [], tools }) : []);
  const one = isObject(next)
    ? choiceOf(next, tools)
    : nameOf(beside) === null
    ? null
    : choiceOf(beside, tools);
  return one === null ? [] : [one];
}

/** The tool and its arguments: beside its name, or in a field of their own, or under the name itself. */
function choiceOf(value: Record<string, unknown>, tools: readonly AgentTool[]): Chosen | null {
  const named = nameOf(value);
  if (named === null) {
    const [only, ...others] = Object.entries(value);
    return only && others.length === 0 && isObject(only[1]) ? { name: only[0], input: only[1] } : null;
  }
  const { [named]: name, ...input } = value;
  const takes = tools.find((tool) => tool.name === name)?.parameters ?? {};
  const within = INPUTS.find((field) =>
    objectOf(input[field]) !== null && !Object.hasOwn(propertiesOf(takes), field)
  );
  return { name: name as string, input: within === undefined ? input : objectOf(input[within])! };
}

/** The field that names a tool. */
function nameOf(value: Record<string, unknown>): string | null {
  return NAMES.find((field) => {
    const said = value[field];
    return typeof said === "string" && said.trim() !== "";
  }) ?? null;
}

/** An object, also one that is written as a text. */
function objectOf(value: unknown): Record<string, unknown> | null {
  if (isObject(value)) return value;
  const text = typeof value === "string" && value.includes("{") ? unwrapJson(value)?.text : undefined;
  const read: unknown = text === undefined ? null : JSON.parse(text);
  return isObject(read) ? read : null;
}
