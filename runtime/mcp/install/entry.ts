import { parse as parseToml } from "@std/toml";

import { ToolError } from "../../../schemas/error.ts";
import { parseJsonc } from "../../../schemas/json/jsonc.ts";
import { canonicalJson } from "../../text/canonical_json.ts";
import type { ClientForm, StartedServer } from "./clients.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import { expectedJson, removeFromJson, setInJson, withoutValue, withValue } from "./edit_json.ts";
import { removeFromToml, setInToml } from "./edit_toml.ts";

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
  return setServer(text, form, { name: NAME, entry: form.entry(server) }, path);
}

/** The part of a form that says where the entries of servers stand. */
type FileForm = Pick<ClientForm, "format" | "key">;

/**
 * Returns the text of a configuration with the entry of a server in it; all else stays as it is.
 *
 * @throws {ToolError} `configuration` if the file is not understood, so that it stays as it is
 */
export function setServer(
  text: string,
  form: FileForm,
  { name, entry }: { name: string; entry: Record<string, unknown> },
  path: string,
): string {
  const keys = [form.key, name];
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

/**
 * Returns the text of a configuration without the entry of a server, by default that of this program; `null` if it has none.
 *
 * @throws {ToolError} `configuration` if the file is not understood, so that it stays as it is
 */
export function removeServer(text: string, form: FileForm, path: string, name = NAME): string | null {
  if (text.trim() === "" || !hasServer(text, form, path, name)) return null;
  const keys = [form.key, name];
  const cut = form.format === "json" ? removeFromJson(text, keys) : removeFromToml(text, keys);
  const wanted = withoutValue(read(text, form, path), keys);
  // A table of which nothing is left is gone from a text of TOML.
  const isLast = form.format === "toml" && isObject(wanted) && isSame(wanted[form.key], {});
  const found = cut === null ? undefined : read(cut, form, path);
  if (cut !== null && (isSame(found, wanted) || isLast && isSame(found, withoutValue(wanted, [form.key])))) {
    return cut;
  }
  throw new ToolError("configuration", `Cannot take the entry "${name}" out of "${path}": do it by hand`);
}

/** Says whether a configuration names a server. */
export function hasServer(text: string, form: FileForm, path: string, name: string): boolean {
  if (text.trim() === "") return false;
  const document = read(text, form, path);
  const servers = isObject(document) ? document[form.key] : undefined;
  return isObject(servers) && Object.hasOwn(servers, name);
}

/** Throws for a text that is not of its format, before it is looked at by places. */
function parsable(text: string, path: string, form: FileForm): string {
  if (text.trim() !== "") read(text, form, path);
  return text;
}

function read(text: string, { format }: FileForm, path: string): unknown {
  try {
    return format === "json" ? parseJsonc(text.replace(/^\ufeff/, ""), `"${path}"`) : parseToml(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ToolError("configuration", `Cannot change "${path}": ${why}`, { cause: error });
  }
}

function expected(
  text: string,
  keys: readonly string[],
  { entry, form, path }: { entry: unknown; form: FileForm; path: string },
): unknown {
  if (form.format === "json") return expectedJson(text, keys, entry, `"${path}"`);
  return withValue(read(text, form, path), keys, entry);
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}
