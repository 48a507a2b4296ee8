import { isObject } from "../../../../schemas/json/shape.ts";
import type { JsonSchema } from "../../../../schemas/manifest.ts";
import { canonicalJson } from "../../../text/canonical_json.ts";
import { foldBlanks, showHidden } from "../../../text/visible.ts";
import { stripControls } from "../../../text/strip_controls.ts";

/** A tool as its server describes it. */
export interface ListedTool {
  /** The server's own name for it. */
  name: string;
  /** What a model reads, without what nobody would see. */
  description: string;
  input: JsonSchema;
  /** `null` if the server does not say what results look like. */
  output: JsonSchema | null;
  /** The server says that it changes nothing. */
  readOnly: boolean;
  /** Two descriptions are the same if their marks are. */
  mark: string;
}

/** Most tools of one server. */
export const MAX_TOOLS = 500;
/** Longest name of a tool. */
const MAX_NAME = 256;
/** A model reads it with each request. */
const MAX_DESCRIPTION = 4_000;
/** Longest schema, as JSON. */
const MAX_SCHEMA = 100_000;

/** Reads the list of a server's tools. What cannot be offered is left out, and why is told, a sentence each. */
export function readTools(answer: unknown): { tools: ListedTool[]; problems: string[] } {
  const { items, isCut } = isObject(answer) ? answer : {};
  const tools = new Map<string, ListedTool>();
  const problems: string[] = [];
  for (const item of Array.isArray(items) ? items : []) {
    const tool = readTool(item);
    if (typeof tool === "string") problems.push(tool);
    else if (tools.has(tool.name)) {
      problems.push(`two of its tools are named ${shown(tool.name)}: the first one counts`);
    } else if (tools.size < MAX_TOOLS) tools.set(tool.name, tool);
    else {
      problems.push(`only ${MAX_TOOLS} of its tools are taken: name those that you want in its entry`);
      break;
    }
  }
  if (isCut === true) problems.push("its list of tools has no end: the first ones are taken");
  const more = problems.length - 10;
  return {
    tools: [...tools.values()],
    problems: more > 0 ? [...problems.slice(0, 10), `and ${more} more`] : problems,
  };
}

function readTool(item: unknown): ListedTool | string {
  const { name, description = "", title, inputSchema, outputSchema = null, annotations } = isObject(item)
    ? item
    : {};
  if (typeof name !== "string" || name.trim() === "" || name.length > MAX_NAME) {
    return `a tool without a usable name (${shown(name)}) is left out`;
  }
  const text = typeof description === "string" && description.trim() !== "" ? description : title ?? name;
  for (const [what, schema] of [["inputSchema", inputSchema], ["outputSchema", outputSchema]] as const) {
    if (schema === null && what === "outputSchema") continue;
    if (!isObject(schema)) return `its tool ${shown(name)} is left out: its ${what} is no object`;
    const length = JSON.stringify(schema).length;
    if (length > MAX_SCHEMA) {
      return `its tool ${
        shown(name)
      } is left out: its ${what} has ${length} characters, more than ${MAX_SCHEMA}`;
    }
  }
  const input = inputSchema as JsonSchema;
  if (input.type !== undefined && input.type !== "object") {
    return `its tool ${shown(name)} is left out: its arguments are no object`;
  }
  return {
    name,
    description: readable(String(text)),
    input: cleaned({ ...input, type: "object" }),
    output: outputSchema as JsonSchema | null,
    readOnly: isObject(annotations) && annotations.readOnlyHint === true,
    mark: canonicalJson({ description, title, inputSchema, outputSchema, annotations }),
  };
}

/** What a person would not see, a model shall see as its code. */
function readable(text: string): string {
  const lines = foldBlanks(stripControls(text).replaceAll("\r\n", "\n").trim()).split("\n").map(showHidden);
  const whole = lines.join("\n");
  return whole.length > MAX_DESCRIPTION ? `${whole.slice(0, MAX_DESCRIPTION)}…` : whole;
}

const REMARKS: readonly string[] = ["description", "title", "$comment"];

/** Remarks are for the model; all else means something to the schema. */
function cleaned<T>(value: T): T {
  if (Array.isArray(value)) return value.map(cleaned) as T;
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      REMARKS.includes(key) && typeof inner === "string" ? readable(inner) : cleaned(inner),
    ]),
  ) as T;
}

function shown(name: unknown): string {
  return JSON.stringify(showHidden(String(name).slice(0, 80)));
}
