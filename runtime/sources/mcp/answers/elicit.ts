import { ToolError } from "../../../../schemas/error.ts";
import { isObject } from "../../../../schemas/json/shape.ts";
import type { AskPerson } from "../../../calls/control.ts";
import { onOneLine } from "../../../text/strip_controls.ts";
import { orAborted } from "../../../wait/or_aborted.ts";

/** What a person is asked with. */
export interface ElicitParts {
  /** The server's name. */
  name: string;
  /** `null` if there is no person to ask. */
  ask: AskPerson | null;
  signal: AbortSignal;
}

/** Most fields of a form. */
const MAX_FIELDS = 20;
/** How often a person is asked for a field that they answer in a way that does not fit. */
const MAX_TRIES = 3;
/** Longest words of a server in a question. */
const MAX_WORDS = 1_000;

type Value = string | number | boolean | string[];

/** One field of a form, as a person is asked for it. */
interface Field {
  name: string;
  schema: Record<string, unknown>;
  isRequired: boolean;
}

/**
 * Takes a form of a server to a person, field by field; each answer is one line. A person declines by an empty line for what
 * the server must have.
 *
 * @throws {ToolError} For what is no form
 */
export async function elicit(
  params: unknown,
  { name, ask, signal }: ElicitParts,
): Promise<Readonly<Record<string, unknown>>> {
  const { message, mode = "form", requestedSchema } = isObject(params) ? params : {};
  if (mode !== "form") throw new ToolError("invalid_input", "only forms are taken to a person");
  if (ask === null) return { action: "cancel" };
  const { properties, required = [] } = isObject(requestedSchema) ? requestedSchema : {};
  const fields = Object.entries(isObject(properties) ? properties : {});
  if (fields.length > MAX_FIELDS) {
    throw new ToolError("limit_exceeded", `a form has at most ${MAX_FIELDS} fields`);
  }
  const about = `The server "${name}" asks: ${words(message)}`;
  const put = async (question: string): Promise<string | null> => {
    const tool = `mcp/${name}`;
    return await orAborted(ask({ tool, question: about, context: question }, { signal }), signal);
  };
  if (fields.length === 0) return await agree(put);
  const content: Record<string, Value> = {};
  for (const [field, schema] of fields) {
    const isRequired = Array.isArray(required) && required.includes(field);
    const value = await askField({ name: field, schema: isObject(schema) ? schema : {}, isRequired }, put);
    if (value === "cancel" || value === "decline") return { action: value };
    if (value !== null) content[field] = value.value;
  }
  return { action: "accept", content };
}

type Put = (question: string) => Promise<string | null>;

async function agree(put: Put): Promise<Readonly<Record<string, unknown>>> {
  const answer = await put('Answer "yes" to agree');
  if (answer === null) return { action: "cancel" };
  return /^y(?:es)?$/i.test(answer.trim()) ? { action: "accept", content: {} } : { action: "decline" };
}

/** Returns `null` for a field that is left out. */
async function askField(field: Field, put: Put): Promise<{ value: Value } | "cancel" | "decline" | null> {
  let problem = "";
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const line = await put(`${problem}${questionOf(field)}`);
    if (line === null) return "cancel";
    const text = line.trim();
    if (text === "") {
      const { default: usual } = field.schema;
      if (isValue(usual)) return { value: usual };
      return field.isRequired ? "decline" : null;
    }
    const read = readValue(text, field.schema);
    if ("value" in read) return read;
    problem = `"${onOneLine(text).slice(0, 100)}" does not fit: ${read.problem}. `;
  }
  return "decline";
}

function questionOf({ name, schema, isRequired }: Field): string {
  const { title, description, default: usual } = schema;
  const label = typeof title === "string" ? title : name;
  const choices = choicesOf(schema);
  const more = [
    ...typeof description === "string" ? [words(description)] : [],
    ...choices === null
      ? [kindOf(schema)]
      : [`${isList(schema) ? "some, with commas" : "one"} of ${choices.join(", ")}`],
    isValue(usual) ? `empty for ${String(usual)}` : isRequired ? "empty to decline" : "empty to leave it out",
  ];
  return `${words(label)} (${more.join("; ")})`;
}

function kindOf({ type }: Record<string, unknown>): string {
  if (type === "boolean") return "yes or no";
  return type === "integer" ? "a whole number" : type === "number" ? "a number" : "a text";
}

function readValue(text: string, schema: Record<string, unknown>): { value: Value } | { problem: string } {
  const { type, minimum, maximum, minLength, maxLength } = schema;
  const choices = choicesOf(schema);
  if (isList(schema)) {
    const some = text.split(",").map((one) => one.trim()).filter((one) => one !== "");
    const wrong = some.find((one) => choices !== null && !choices.includes(one));
    return wrong === undefined ? { value: some } : { problem: `"${wrong}" is none of the choices` };
  }
  if (choices !== null) {
    return choices.includes(text) ? { value: text } : { problem: "it is none of the choices" };
  }
  if (type === "boolean") {
    if (/^(?:y|yes|true)$/i.test(text)) return { value: true };
    return /^(?:n|no|false)$/i.test(text) ? { value: false } : { problem: "say yes or no" };
  }
  if (type === "number" || type === "integer") {
    const value = Number(text);
    if (!Number.isFinite(value) || (type === "integer" && !Number.isInteger(value))) {
      return { problem: `it is not ${kindOf(schema)}` };
    }
    if (typeof minimum === "number" && value < minimum) return { problem: `it is below ${minimum}` };
    return typeof maximum === "number" && value > maximum ? { problem: `it is above ${maximum}` } : { value };
  }
  if (typeof minLength === "number" && text.length < minLength) {
    return { problem: `it is shorter than ${minLength}` };
  }
  if (typeof maxLength === "number" && text.length > maxLength) {
    return { problem: `it is longer than ${maxLength}` };
  }
  return { value: text };
}

/** The values to choose from, in all forms in which the protocol has them; `null` if any will do. */
function choicesOf(schema: Record<string, unknown>): string[] | null {
  const { enum: plain, oneOf, anyOf } = isList(schema) && isObject(schema.items) ? schema.items : schema;
  const titled = [oneOf, anyOf].find(Array.isArray);
  const values = Array.isArray(plain) ? plain : titled?.map((one) => isObject(one) ? one.const : null);
  return values?.filter((value) => typeof value === "string").map(words) ?? null;
}

function isList({ type }: Record<string, unknown>): boolean {
  return type === "array";
}

function isValue(value: unknown): value is Value {
  return ["string", "number", "boolean"].includes(typeof value) ||
    (Array.isArray(value) && value.every((one) => typeof one === "string"));
}

/** What a server says, on one line. */
function words(text: unknown): string {
  return onOneLine(typeof text === "string" ? text : "").slice(0, MAX_WORDS);
}
