import { isObject } from "../../../../../schemas/json/shape.ts";
import { UNKNOWN_PART } from "../../tools/unknown_part.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Brings the result of a request into the form that the protocol gives it, as far as it can be understood: the library
 * would refuse the whole for one part. A part of an unknown kind becomes an empty text that says its kind.
 *
 * @param method What was asked
 */
export function mendResult(method: string, result: Fields): Fields {
  switch (method) {
    case "initialize":
      return mendGreeting(result);
    case "tools/call":
      return { ...result, content: partsOf(result.content) };
    case "prompts/get":
      return { ...result, messages: listOf(result.messages).filter(isObject).map(mendMessage) };
    case "resources/read":
      return { ...result, contents: listOf(result.contents).filter(isObject).map(mendContent) };
    default:
      return withoutEmptyCursor(result);
  }
}

/** Some servers do not say who they are, or what they can. */
function mendGreeting(result: Fields): Fields {
  const { serverInfo, capabilities, instructions } = result;
  const { name, version } = isObject(serverInfo) ? serverInfo : {};
  return {
    ...result,
    capabilities: isObject(capabilities) ? capabilities : {},
    serverInfo: { ...isObject(serverInfo) && serverInfo, name: textOf(name), version: textOf(version) },
    ...instructions !== undefined && { instructions: textOf(instructions) },
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}

function partsOf(content: unknown): Fields[] {
  return listOf(content).map(mendPart);
}

/** A prompt's message has one part; several were allowed once. */
function mendMessage({ role, content, ...message }: Fields): Fields {
  return {
    ...message,
    role: role === "assistant" ? "assistant" : "user",
    content: mendPart(Array.isArray(content) && content.length === 1 ? content[0] : content),
  };
}

function mendContent(content: Fields): Fields {
  const uri = textOf(content.uri);
  const isKnown = typeof content.text === "string" || typeof content.blob === "string";
  return { ...content, uri, ...!isKnown && { text: "", _meta: { [UNKNOWN_PART]: "resource" } } };
}

function mendPart(part: unknown): Fields {
  if (typeof part === "string") return { type: "text", text: part };
  if (!isObject(part)) return unknownPart(part === null ? "null" : typeof part);
  const { type, text, data, mimeType, uri, name, resource, annotations, ...rest } = part;
  const noted = isObject(annotations) ? { annotations } : {};
  if (type === "text" && typeof text === "string") return { ...rest, ...noted, type, text };
  if ((type === "image" || type === "audio") && typeof data === "string") {
    return { ...rest, ...noted, type, data, mimeType: textOf(mimeType) };
  }
  if (type === "resource_link" && typeof uri === "string") {
    return {
      ...rest,
      ...noted,
      type,
      uri,
      name: textOf(name),
      ...mimeType !== undefined && { mimeType: textOf(mimeType) },
    };
  }
  if (type === "resource" && isObject(resource)) {
    return { ...rest, ...noted, type, resource: mendContent(resource) };
  }
  return unknownPart(typeof type === "string" ? type : "nothing said");
}

function unknownPart(kind: string): Fields {
  return { type: "text", text: "", _meta: { [UNKNOWN_PART]: kind.slice(0, 100) } };
}

/** An empty cursor leads nowhere. */
function withoutEmptyCursor(result: Fields): Fields {
  const { nextCursor, ...rest } = result;
  return typeof nextCursor === "string" && nextCursor !== "" ? result : rest;
}
