import { Buffer } from "node:buffer";

import { isObject } from "../../../../schemas/json/shape.ts";
import type { ResultAudio, ResultImage, ResultResource } from "../../../../schemas/result.ts";
import { plural } from "../../../text/plural.ts";
import { onOneLine, stripControls } from "../../../text/strip_controls.ts";
import { UNKNOWN_PART } from "./unknown_part.ts";

/** What a server gave, in the form of a result. */
export interface ReadResult {
  text: string;
  /** What it gave as structured content; `undefined` if nothing. */
  structured: unknown;
  images: ResultImage[];
  audio: ResultAudio[];
  resources: ResultResource[];
  warnings: string[];
  /** The server says that the call failed. */
  isError: boolean;
}

/** Most parts of one result that are not text. */
const MAX_PARTS = 100;
/** Most kinds of parts that are named. */
const MAX_KINDS = 5;
const NUL_SIGN = "\u2400";
/** Most characters of a text of a link. */
const MAX_LINK = 500;
const MIME = /^[\w.+-]{1,100}\/[\w.+-]{1,100}(?:;[\w .=+-]{1,100})?$/;

/** Reads the answer to a call: its texts together, and what is no text. */
export function readCallResult(answer: unknown): ReadResult {
  const { content, structuredContent, isError } = isObject(answer) ? answer : {};
  const read = readParts(Array.isArray(content) ? content : []);
  if (read.text === "" && structuredContent !== undefined) read.text = JSON.stringify(structuredContent);
  return { ...read, structured: structuredContent, isError: isError === true };
}

/** Reads the answer to the reading of a resource: its texts, and what is no text. */
export function readResourceResult(answer: unknown): ReadResult {
  const { contents } = isObject(answer) ? answer : {};
  const parts = Array.isArray(contents) ? contents.map((resource) => ({ type: "resource", resource })) : [];
  const read = readParts(parts);
  // What the resource says was asked for: it need not come twice.
  return {
    ...read,
    resources: read.resources.filter((one) => "data" in one),
    structured: undefined,
    isError: false,
  };
}

/** Reads the answer to a prompt: what it says, in the order of its messages, each with who says it. */
export function readPromptResult(answer: unknown): ReadResult {
  const { messages, description } = isObject(answer) ? answer : {};
  const list = Array.isArray(messages) ? messages.filter(isObject) : [];
  const parts = list.flatMap(({ role, content }) => [
    { type: "text", text: `[${role === "assistant" ? "assistant" : "user"}]` },
    ...Array.isArray(content) ? content : [content],
  ]);
  const start = typeof description === "string" && description !== ""
    ? [{ type: "text", text: description }]
    : [];
  return { ...readParts([...start, ...parts]), structured: undefined, isError: false };
}

function readParts(parts: readonly unknown[]): Omit<ReadResult, "structured" | "isError"> {
  const texts: string[] = [];
  const read = {
    images: [] as ResultImage[],
    audio: [] as ResultAudio[],
    resources: [] as ResultResource[],
    warnings: [] as string[],
  };
  let others = 0;
  const unknown: string[] = [];
  for (const part of parts) {
    const { type, text } = isObject(part) ? part : {};
    const kind = unknownKind(part);
    if (kind !== null) unknown.push(kind);
    else if (type === "text") texts.push(typeof text === "string" ? text : "");
    else if (others++ < MAX_PARTS) texts.push(...readOther(part, read));
  }
  if (others > MAX_PARTS) {
    read.warnings.push(`${others - MAX_PARTS} pictures, sounds and documents were left out`);
  }
  const joined = texts.join("\n");
  const nuls = joined.split("\0").length - 1;
  if (nuls > 0) read.warnings.push(`NUL bytes shown as ${NUL_SIGN}: ${nuls}`);
  const line = unknown.length === 0 ? [] : [unknownLine(unknown)];
  const text = [...joined === "" && line.length > 0 ? [] : [joined], ...line].join("\n");
  return { text: stripControls(text.replaceAll("\0", NUL_SIGN)), ...read };
}

/** The kind of a part that nobody here knows; `null` for the others. */
function unknownKind(part: unknown): string | null {
  const { _meta, resource } = isObject(part) ? part : {};
  const meta = isObject(_meta) ? _meta : isObject(resource) && isObject(resource._meta) ? resource._meta : {};
  const kind = meta[UNKNOWN_PART];
  return typeof kind === "string" ? kind : null;
}

function unknownLine(kinds: readonly string[]): string {
  const named = [...new Set(kinds)].slice(0, MAX_KINDS).map((kind) => JSON.stringify(onOneLine(kind))).join(
    ", ",
  );
  return `[${plural(kinds.length, "part")} of a kind that is not known here, left out: ${named}]`;
}

/** Returns what stands for it in the text. */
function readOther(part: unknown, read: Omit<ReadResult, "structured" | "isError" | "text">): string[] {
  const { type, data, mimeType, resource } = isObject(part) ? part : {};
  if (type === "image" || type === "audio") {
    const media = { mime_type: mimeOf(mimeType), data: base64Of(data) };
    if (media.data === null || media.mime_type === undefined) {
      read.warnings.push(
        `a part of the result is no ${type === "image" ? "picture" : "sound"}, and was left out`,
      );
    } else read[type === "image" ? "images" : "audio"].push(media as ResultImage);
    return [];
  }
  if (type === "resource_link") return [linkText(part)];
  if (type === "resource" && isObject(resource)) {
    const { uri, text, blob, mimeType: mime } = resource;
    const about = { uri: onOneLine(String(uri)).slice(0, MAX_LINK), ...mimeField(mime) };
    if (typeof text === "string") {
      read.resources.push({ ...about, text: stripControls(text) });
      return [text];
    }
    const bytes = base64Of(blob);
    if (bytes !== null) {
      read.resources.push({ ...about, data: bytes });
      return [`[document ${about.uri}]`];
    }
  }
  read.warnings.push("a part of the result is of an unknown kind, and was left out");
  return [];
}

function linkText(part: unknown): string {
  const { uri, name, title, description } = isObject(part) ? part : {};
  const words = [title ?? name, description].filter((word) => typeof word === "string" && word !== "");
  const about = words.length === 0 ? "" : `: ${words.join(", ")}`;
  return onOneLine(`[resource ${String(uri)}${about}]`).slice(0, MAX_LINK);
}

function mimeOf(mime: unknown): string | undefined {
  return typeof mime === "string" && MIME.test(mime) ? mime : undefined;
}

function mimeField(mime: unknown): { mime_type?: string } {
  const known = mimeOf(mime);
  return known === undefined ? {} : { mime_type: known };
}

/** Returns base64 in its usual form, `null` for anything else. */
function base64Of(data: unknown): string | null {
  if (typeof data !== "string" || !/^[A-Za-z0-9+/_-]*={0,2}\s*$/.test(data)) return null;
  return Buffer.from(data, "base64").toString("base64");
}
