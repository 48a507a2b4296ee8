import type { ResultResource, ToolResult } from "../../schemas/result.ts";
import { isObject } from "../../schemas/json/shape.ts";
import type { CallAnswer, ServedResource } from "./protocol.ts";

/** Most characters of a structured result as JSON: clients do not take longer messages. */
const MAX_STRUCTURED = 4 * 1024 * 1024;

/** What {@linkcode toAnswer} must know beside the result. */
export interface AnswerParts {
  /** The files of the call, as resources. */
  resources: readonly ServedResource[];
  /** The tool says what its results look like, so a structured one must come. */
  structured: boolean;
}

/** Turns a result into the protocol's form: text, pictures, sounds, documents, links to the files that the call left, structured content. */
export function toAnswer(result: ToolResult, { resources, structured }: AnswerParts): CallAnswer {
  const { ok, text, images, audio = [], warnings, error } = result;
  const links = resources.map((resource) => ({ type: "resource_link", ...resource }));
  const pictures = images.map(({ data, mime_type: mimeType }) => ({ type: "image", data, mimeType }));
  const sounds = audio.map(({ data, mime_type: mimeType }) => ({ type: "audio", data, mimeType }));
  const documents = (result.resources ?? []).map(toEmbedded);
  const value = ok && structured && isObject(result.result) ? result.result : null;
  if (value !== null && JSON.stringify(value).length > MAX_STRUCTURED) return tooLong(result.tool_name);
  const meta = {
    ...(warnings.length > 0 && { "bulkhead/warnings": warnings }),
    ...(error && { "bulkhead/error": error }),
  };
  return {
    content: [{ type: "text", text }, ...pictures, ...sounds, ...documents, ...links],
    ...(value !== null && { structuredContent: value }),
    isError: !ok,
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  };
}

function toEmbedded(
  { uri, mime_type: mimeType, ...held }: ResultResource,
): Readonly<Record<string, unknown>> {
  const content = "text" in held ? { text: held.text } : { blob: held.data };
  return { type: "resource", resource: { uri, ...(mimeType !== undefined && { mimeType }), ...content } };
}

function tooLong(toolName: string): CallAnswer {
  const text = `${toolName}: the result is too long for one answer, ask for less`;
  return { content: [{ type: "text", text }], isError: true };
}
