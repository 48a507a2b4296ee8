import { parse as parseToml } from "@std/toml";

import { ToolError } from "../../../schemas/error.ts";
import { parseJsonc } from "../../../schemas/json/jsonc.ts";
import { canonicalJson } from "../../text/canonical_json.ts";
import type { ClientForm, StartedServer } from "./clients.ts";
import { expectedJson, setInJson, withValue } from "./edit_json.ts";
import { setInToml } from "./edit_toml.ts";

/** What the entry is called in every client. */
const NAME = "bulkhead";

/** Returns what a new configuration with nothing but the entry looks like. */
export function showEntry(form: ClientForm, server: StartedServer): string {
  return addEntry("", form, server, "");
}

/**
 * Returns the text of a configuration with the entry in it; all else stays as it is.
 *
 * @param path Names the file in messages
 * @throws {ToolError} `configuration` if the file is not understood, so that it stays as it is
 */
export function addEntry(text: string, form: ClientForm, server: StartedServer, path: string): string {
  const entry = form.entry(server);
  const keys = [form.key, NAME];
  const added = form.format === "json"
    ? setInJson(parsable(text, path, form), keys, entry)
    : setInToml(text, keys, entry as Record<string, string | readonly string[]>);
  const wanted = expected(text, keys, { entry, form, path });
  if (added !== null && isSame(read(added, form, path), wanted)) return added;
  throw new ToolError(
    "configuration",
    `Cannot add the entry to "${path}": something of another kind stands at "${form.key}", add it by hand`,
  );
}

/** Throws for a text that is not of its format, before it is looked at by places. */
function parsable(text: string, path: string, form: ClientForm): string {
  if (text.trim() !== "") read(text, form, path);
  return text;
}

function read(text: string, { format }: ClientForm, path: string): unknown {
  try {
    return format === "json" ? parseJsonc(text.replace(/^\ufeff/, ""), `"${path}"`) : parseToml(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ToolError("configuration", `Cannot add the entry to "${path}": ${why}`, { cause: error });
  }
}

function expected(
  text: string,
  keys: readonly string[],
  { entry, form, path }: { entry: unknown; form: ClientForm; path: string },
): unknown {
  if (form.format === "json") return expectedJson(text, keys, entry, `"${path}"`);
  return withValue(read(text, form, path), keys, entry);
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}
