import { EXIT_CODES, ToolError } from "../error.ts";
import { isObject } from "../json/shape.ts";

/** How much is told of what was thrown, in characters. */
const MAX_SAID = 10_000;

/**
 * Returns what a tool threw as an error of the closed list. A tool may throw anything, also what cannot be looked at, and
 * a `ToolError` whose fields are wrong.
 */
export function thrownError(thrown: unknown): ToolError {
  if (!(thrown instanceof ToolError)) return internal(sayThrown(thrown), thrown);
  try {
    const { code, message, retryable, details } = thrown;
    if (!Object.hasOwn(EXIT_CODES, code)) {
      const codes = Object.keys(EXIT_CODES).join(", ");
      const said = `its ToolError has the code ${
        JSON.stringify(code)
      }, and the codes are ${codes}; it says: ${message}`;
      return internal(said.slice(0, MAX_SAID), thrown);
    }
    const facts = plainDetails(details);
    const isWhole = facts === details && typeof retryable === "boolean" && message.length <= MAX_SAID;
    if (isWhole) return thrown;
    return new ToolError(code, String(message).slice(0, MAX_SAID), {
      ...(typeof retryable === "boolean" && { retryable }),
      details: facts,
      cause: thrown,
    });
  } catch {
    return internal("a ToolError that cannot be looked at", thrown);
  }
}

/** Begins the paths of an author's files where a room tells where it is. */
export const OWN_SCHEME = "tool://";
/** How much of a stack is told, in characters. */
const MAX_STACK = 4_000;
/** A place in a file of an author, in a line of a stack. */
const PLACE = /(?:tool|file):\/\/([^\s()]+):(\d+):\d+/;

/** Returns where an exception comes from, and the whole stack; nothing for what has none. */
function placeOf(thrown: unknown): { place: string; stack: string } | null {
  if (!(thrown instanceof Error) || typeof thrown.stack !== "string") return null;
  const stack = thrown.stack.slice(0, MAX_STACK);
  // In a room, files of the program come as file://.
  const frames = stack.includes(OWN_SCHEME) ? stack.slice(stack.indexOf(OWN_SCHEME)) : stack;
  const [, path, line] = PLACE.exec(frames) ?? [];
  if (path === undefined) return null;
  return { place: `${path.split("/").at(-1)}:${line}`, stack: stack.replaceAll(OWN_SCHEME, "") };
}

/** Says in words what was thrown. */
export function sayThrown(thrown: unknown): string {
  try {
    return words(thrown).slice(0, MAX_SAID);
  } catch {
    return "something that cannot be shown";
  }
}

function words(thrown: unknown): string {
  if (thrown instanceof Error) return `${thrown.name}: ${thrown.message}`;
  if (typeof thrown !== "object" || thrown === null) return String(thrown);
  const { name, message } = thrown as { name?: unknown; message?: unknown };
  if (typeof message !== "string" || message === "") return JSON.stringify(thrown);
  return typeof name === "string" && name !== "" ? `${name}: ${message}` : message;
}

function internal(said: string, cause: unknown): ToolError {
  const found = safely(() => placeOf(cause));
  const where = found === null ? "" : ` (${found.place})`;
  return new ToolError("internal", `Tool execution error: ${said}${where}`, {
    cause,
    details: found === null ? {} : { stack: found.stack },
  });
}

/** What cannot be looked at tells nothing. */
function safely<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}

/** What crosses to main is JSON. */
function plainDetails(details: unknown): Record<string, unknown> {
  if (!isObject(details)) return {};
  try {
    JSON.stringify(details);
    return details;
  } catch {
    return {};
  }
}
