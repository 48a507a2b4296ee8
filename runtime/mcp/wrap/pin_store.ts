import { dirname, join } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import { readNamedText } from "../../walls/files/open_plain.ts";

/** The lists of a server that are pinned. Its resources change by their nature, and are not. */
export const LISTS = ["tools", "prompts"] as const;

/** The name of such a list. */
export type ListName = typeof LISTS[number];

/** What a server says of its tools or prompts, by their names. */
export type Listed = readonly (readonly [name: string, entry: unknown])[];

/** What a server says of itself, and in its lists; one that nobody asked for is missing. */
export interface Described extends Partial<Readonly<Record<ListName, Listed>>> {
  instructions: string | null;
}

/** What is kept of a server. */
export interface Pins {
  /** As the user accepted it. */
  pinned: Described;
  /** As it is now, if that is something else. */
  seen: Described | null;
}

/** Where the pins of one server are kept. */
export interface PinStore {
  /** @returns `null` for a server that was never used */
  read(): Pins | null;
  /** Keeps pins. A failure is told, and the relay goes on with those in memory. */
  write(pins: Pins): void;
}

/** Names of servers: they become names of files. */
const NAME = /^[A-Za-z0-9][\w.@-]{0,99}$/;

/**
 * Opens the place for the pins of a server in the user's state. Needs `read` and `write` of it.
 *
 * @throws {ToolError} `invalid_input` for a name that is none, `configuration` without a folder for state
 */
export function openPins(
  name: string,
  { state, warn }: { state: string | null; warn(message: string): void },
): PinStore {
  if (!NAME.test(name)) {
    throw new ToolError(
      "invalid_input",
      `Cannot name a server ${JSON.stringify(name)}: write letters, digits, and . _ - @, at most 100`,
    );
  }
  if (state === null) {
    throw new ToolError("configuration", "There is no folder to keep descriptions of tools in: set HOME");
  }
  const path = join(state, "mcp", "pins", `${name}.json`);
  return {
    read: () => readPins(path, name),
    write(pins) {
      try {
        writePins(path, pins);
      } catch (error) {
        warn(
          `What ${name} says of its tools could not be kept: ${
            error instanceof Error ? error.message : error
          }`,
        );
      }
    },
  };
}

function readPins(path: string, name: string): Pins | null {
  let text: string;
  try {
    text = readNamedText(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
  const pins = parsed(text);
  if (pins !== null) return pins;
  throw new ToolError(
    "configuration",
    `What was kept of the tools of ${name} cannot be read: look at "${path}", and remove it to accept them anew`,
  );
}

function parsed(text: string): Pins | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || value.v !== 1 || !isDescribed(value.pinned)) return null;
    return { pinned: value.pinned, seen: isDescribed(value.seen) ? value.seen : null };
  } catch {
    return null;
  }
}

function isDescribed(value: unknown): value is Described {
  return isObject(value) && LISTS.every((name) => value[name] === undefined || isListed(value[name]));
}

function isListed(value: unknown): boolean {
  return Array.isArray(value) &&
    value.every((entry) => Array.isArray(entry) && typeof entry[0] === "string");
}

/** Readers see the old pins or the new ones. */
function writePins(path: string, pins: Pins): void {
  Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    Deno.writeTextFileSync(temporary, `${JSON.stringify({ v: 1, ...pins })}\n`, {
      createNew: true,
      mode: 0o600,
    });
    Deno.renameSync(temporary, path);
  } catch (error) {
    try {
      Deno.removeSync(temporary);
    } catch {
      // It was not made.
    }
    throw error;
  }
}
