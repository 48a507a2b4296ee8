import { ToolError } from "../../../../schemas/error.ts";
import { isObject } from "../../../../schemas/json/shape.ts";
import type { JsonSchema } from "../../../../schemas/manifest.ts";
import { onOneLine } from "../../../text/strip_controls.ts";
import type { ServerAsk } from "../wire/protocol.ts";
import { readCallResult, readPromptResult, readResourceResult, type ReadResult } from "./read_result.ts";
import type { ListedTool } from "./read_tools.ts";
import type { ToolWords } from "./describe_tool.ts";

/** How calls of one tool become requests to its server. */
export interface McpAction {
  /**
   * What the server is asked, one after the other; the answers are read together.
   *
   * @throws {ToolError} `invalid_input`
   */
  asks(input: Record<string, unknown>): readonly ServerAsk[];
  read(answers: readonly unknown[]): ReadResult;
  /** Results must fit the output schema. */
  isTyped: boolean;
}

/** A tool that a server offers, or that asks it for what else it has. */
export interface ServerAction extends McpAction {
  /** The server's own name for it, or the name of what it asks for. */
  own: string;
  words: Omit<ToolWords, "name" | "own">;
}

const NOTHING: JsonSchema = { type: "object", properties: {} };
const TEXT: JsonSchema = { type: "string" };
/** Longest URI that a server is asked for. */
const MAX_URI = 4_000;

/** Returns what can be called of a server: its tools, and tools that read its resources and prompts. */
export function listActions(
  tools: readonly ListedTool[],
  { name, has }: { name: string; has: { resources: boolean; prompts: boolean } },
): ServerAction[] {
  return [
    ...tools.map(ofTool),
    ...has.resources ? resourceActions(name) : [],
    ...has.prompts ? promptActions(name) : [],
  ];
}

function ofTool({ name, description, input, output, readOnly }: ListedTool): ServerAction {
  return {
    own: name,
    words: { description, readOnly, optional: false, input, output: output ?? {} },
    asks: (input) => [{ method: "tools/call", name, input }],
    read: ([answer]) => readCallResult(answer),
    isTyped: output !== null,
  };
}

function resourceActions(server: string): ServerAction[] {
  const about = { readOnly: true, optional: false, output: {} };
  return [
    {
      own: "list_resources",
      words: {
        ...about,
        description: `List the documents that the server "${server}" offers.`,
        input: NOTHING,
      },
      asks: () => [{ method: "resources/list" }, { method: "resources/templates/list" }],
      read: ([resources, templates]) =>
        listed({
          resources: entriesOf(resources, ["uri", "name", "title", "description", "mimeType", "size"]),
          templates: entriesOf(templates, ["uriTemplate", "name", "title", "description", "mimeType"]),
        }),
      isTyped: false,
    },
    {
      own: "read_resource",
      words: {
        ...about,
        description: `Read a document of the server "${server}" by its URI.`,
        input: { type: "object", properties: { uri: TEXT }, required: ["uri"] },
      },
      asks: ({ uri }) => [{ method: "resources/read", uri: checkedUri(uri) }],
      read: ([answer]) => readResourceResult(answer),
      isTyped: false,
    },
  ];
}

function promptActions(server: string): ServerAction[] {
  const about = { readOnly: true, optional: true, output: {} };
  return [
    {
      own: "list_prompts",
      words: {
        ...about,
        description: `List the prompts that the server "${server}" offers.`,
        input: NOTHING,
      },
      asks: () => [{ method: "prompts/list" }],
      read: ([prompts]) =>
        listed({ prompts: entriesOf(prompts, ["name", "title", "description", "arguments"]) }),
      isTyped: false,
    },
    {
      own: "get_prompt",
      words: {
        ...about,
        description: `Get a prompt of the server "${server}", filled in with arguments.`,
        input: {
          type: "object",
          properties: { name: TEXT, arguments: { type: "object", additionalProperties: TEXT } },
          required: ["name"],
        },
      },
      asks: ({ name, arguments: input }) => [{
        method: "prompts/get",
        name: String(name),
        input: isObject(input) ? input as Record<string, string> : {},
      }],
      read: ([answer]) => readPromptResult(answer),
      isTyped: false,
    },
  ];
}

/** A URI is the server's word for a document. It never becomes a path here. */
function checkedUri(uri: unknown): string {
  const text = String(uri);
  if (text.length <= MAX_URI && /^[a-z][a-z0-9+.-]*:[^\s\p{Cc}]*$/iu.test(text)) return text;
  throw new ToolError(
    "invalid_input",
    `Cannot read ${
      JSON.stringify(onOneLine(text.slice(0, 100)))
    }: it is no URI; the tool that lists the documents has them`,
  );
}

/** The known fields of a list's items. */
function entriesOf(answer: unknown, fields: readonly string[]): Record<string, unknown>[] {
  const { items } = isObject(answer) ? answer : {};
  return (Array.isArray(items) ? items.filter(isObject) : []).map((item) =>
    Object.fromEntries(fields.flatMap((field) => item[field] === undefined ? [] : [[field, item[field]]]))
  );
}

function listed(structured: Record<string, unknown>): ReadResult {
  const text = JSON.stringify(structured, null, 1);
  return { text, structured, images: [], audio: [], resources: [], warnings: [], isError: false };
}
