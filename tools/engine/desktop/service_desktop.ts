import { Buffer } from "node:buffer";

import type { ToolContext } from "../../../schemas/context.ts";
import type {
  Desktop,
  DesktopAction,
  DesktopAnswer,
  ScreenPicture,
  ScreenPlace,
} from "../../../schemas/desktop/desktop.ts";
import { ToolError } from "../../../schemas/error.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import { imageReading } from "../image/reading.ts";

/** Variable with the address of a service that has a desktop. */
export const SERVICE_VARIABLE = "COMPUTER_USE_URL";

/** Longest time of a request, in milliseconds, beside what typing itself takes. */
const REQUEST_MS = 30_000;
/** Most bytes of an answer: a picture in base64. */
const MAX_BYTES = 24 * 1024 * 1024;
/** Time that the service takes between two keys, in seconds. */
const KEY_SECONDS = 0.01;
const DRAG_SECONDS = 0.3;
/** Longest time for reading a picture, in milliseconds. */
const READER_MS = 20_000;
/** Bounds of a picture for a model. */
const PICTURE = { maxEdge: 1568, maxBytes: 3_500_000, quality: 90 };
/** Longest part of the service's own words that a message repeats. */
const MAX_WORDS = 300;
/** Key of the session's state: where the service's pointer is. */
const POINTER = "desktop_pointer";

/** What a service needs of a call. */
export type ServiceContext = Pick<ToolContext, "web" | "documents" | "session" | "settings">;

/** A request to the service: the end of its path, and its body. */
interface Asked {
  path: string;
  body?: Record<string, unknown>;
}

/**
 * Returns the address of the service without a slash at its end, `null` if none is named.
 *
 * @throws {ToolError} `configuration` if it is no address
 */
export function serviceAddress(settings: ToolContext["settings"]): string | null {
  const named = settings[SERVICE_VARIABLE]?.trim() ?? "";
  if (named === "") return null;
  const url = URL.parse(named);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === "";
  if (isPlain) return url.href.replace(/\/+$/, "");
  throw new ToolError(
    "configuration",
    `${SERVICE_VARIABLE} must be an address such as https://desktop.example.com, not ${
      JSON.stringify(named)
    }`,
    { details: { variable: SERVICE_VARIABLE } },
  );
}

/** Returns the desktop of a service. Its pointer is where it was sent last: the service does not tell. */
export function serviceDesktop(address: string, context: ServiceContext): Desktop {
  return {
    async act(action): Promise<DesktopAnswer> {
      const before = await pointerOf(context);
      const { at, asked } = requestOf(action, before);
      const answer = await ask(`${address}/api/automation/${asked.path}`, asked.body, context);
      await context.session.set(POINTER, at);
      const known = { screen: null, before, pointer: at, happened: [] };
      return action.do === "look" ? { ...known, ...await pictureOf(answer, context) } : known;
    },
  };
}

function requestOf(action: DesktopAction, pointer: ScreenPlace): { at: ScreenPlace; asked: Asked } {
  const at = action.do === "drag" ? action.to : "at" in action ? action.at ?? pointer : pointer;
  const { x, y } = at;
  switch (action.do) {
    case "look":
      return { at, asked: { path: "screenshot" } };
    case "move":
      return { at, asked: { path: "mouse/move", body: { x, y } } };
    case "click":
      return {
        at,
        asked: { path: "mouse/click", body: { x, y, clicks: action.times, button: action.button } },
      };
    case "scroll":
      return { at, asked: { path: "mouse/scroll", body: { clicks: action.steps, x, y } } };
    case "down":
    case "up":
      return { at, asked: { path: `mouse/${action.do}`, body: { x, y, button: action.button } } };
    case "drag":
      return {
        at,
        asked: { path: "mouse/drag", body: { x, y, duration: DRAG_SECONDS, button: "left" } },
      };
    case "type":
      return {
        at,
        asked: { path: "keyboard/write", body: { message: action.text, interval: KEY_SECONDS } },
      };
    case "press":
      return { at, asked: keysRequest(action.keys) };
  }
}

/** The service presses keys together with another request than a single one. */
function keysRequest(keys: readonly string[]): Asked {
  return keys.length === 1
    ? { path: "keyboard/press", body: { keys: keys[0], presses: 1 } }
    : { path: "keyboard/hotkey", body: { keys, interval: KEY_SECONDS } };
}

async function ask(
  url: string,
  body: Asked["body"],
  { web }: ServiceContext,
): Promise<Record<string, unknown>> {
  const typed = typeof body?.message === "string" ? body.message.length * KEY_SECONDS * 1000 : 0;
  const timeoutMs = REQUEST_MS + typed;
  const answer = await web.request({
    url,
    method: "POST",
    headers: { accept: "application/json", ...body && { "content-type": "application/json" } },
    ...body && { body: JSON.stringify(body) },
    ...{ maxBytes: MAX_BYTES, maxRedirects: 0, firstByteMs: timeoutMs, timeoutMs },
  });
  const text = new TextDecoder().decode(answer.body);
  const value = jsonOrNull(text);
  const isGood = answer.status >= 200 && answer.status < 300;
  if (!isGood) {
    const words = saidBy(value) ?? text;
    throw failed(`it answers HTTP ${answer.status}${words === "" ? "" : `: ${shortened(words)}`}`);
  }
  if (answer.truncated) throw failed(`its answer is longer than ${MAX_BYTES} bytes`);
  if (!isObject(value)) throw failed("its answer is not JSON");
  const isDone = value.success === true || (value.success === undefined && typeof value.image === "string");
  if (!isDone) throw failed(shortened(saidBy(value) ?? "Unknown error"));
  return value;
}

/** The picture is foreign: a reader that holds nothing else takes it apart. */
async function pictureOf(
  { image }: Record<string, unknown>,
  { documents }: ServiceContext,
): Promise<{ screen: DesktopAnswer["screen"]; picture: ScreenPicture }> {
  const text = typeof image === "string" ? image.replace(/^data:[\w/+.-]+;base64,/, "") : "";
  const bytes = new Uint8Array(Buffer.from(text, "base64"));
  if (bytes.length === 0) throw failed("its answer holds no picture");
  const read = await documents.read("image", bytes, { input: PICTURE, timeoutMs: READER_MS });
  const { width, height, attachment } = imageReading.parse(read);
  return {
    screen: { width, height },
    picture: {
      base64: attachment.bytes,
      mimeType: `image/${attachment.format.toLowerCase()}`,
      width: attachment.width,
      height: attachment.height,
    },
  };
}

async function pointerOf({ session }: ServiceContext): Promise<ScreenPlace> {
  const kept = await session.get(POINTER);
  const { x, y } = isObject(kept) ? kept : {};
  return typeof x === "number" && typeof y === "number" ? { x, y } : { x: 0, y: 0 };
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The words for what went wrong, as services have them. */
function saidBy(value: unknown): string | null {
  if (!isObject(value)) return null;
  const said = value.error ?? value.detail ?? value.message;
  return typeof said === "string" && said !== "" ? said : null;
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS)}…` : line;
}

function failed(why: string): ToolError {
  return new ToolError("external_failure", why, { details: { variable: SERVICE_VARIABLE } });
}
