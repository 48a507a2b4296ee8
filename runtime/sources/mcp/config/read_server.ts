import { ToolError } from "../../../../schemas/error.ts";
import { isObject } from "../../../../schemas/json/shape.ts";
import { givenSecrets } from "../../../text/secrets/redact.ts";
import { type Client, COMMON_FIELDS, type FieldMeaning } from "./clients.ts";
import { fillIn, type VariablePlaces } from "./fill_in.ts";
import type { McpGrants, McpServer, McpTransport } from "./mcp_server.ts";

/** What an entry is read with. */
export interface ServerPlaces extends VariablePlaces {
  path: string;
  client: Client;
  warn(message: string): void;
}

/** A field that was found: its name, its value, and what it means. */
interface Field {
  name: string;
  value: unknown;
}

/**
 * Reads the entry of one server. One that is switched off is not looked at closely: its variables may be unset.
 *
 * @returns `null` for a server that is switched off
 * @throws {ToolError} `configuration` that names the file, the server and the field
 */
export function readServer(name: string, entry: unknown, places: ServerPlaces): McpServer | null {
  const reader = new EntryReader(name, places);
  if (!isObject(entry)) throw reader.refuse(null, "it must be an object");
  if (name.trim() === "") throw reader.refuse(null, "a server needs a name");
  reader.take(entry);
  if (!(reader.flag("enabled") ?? !reader.flag("disabled"))) return null;
  const transport = transportOf(reader);
  const grants = grantsOf(reader);
  return {
    name,
    file: places.path,
    transport,
    timeouts: {
      startMs: reader.time("start_ms", 1) ?? reader.time("start_seconds", 1_000),
      callMs: reader.time("call_ms", 1) ?? reader.time("call_seconds", 1_000),
    },
    tools: { allow: reader.list("allow"), deny: reader.list("deny") ?? [] },
    grants,
    oauth: reader.filledObject("oauth"),
    secrets: [
      ...reader.secrets,
      ...givenSecrets(transport.kind === "stdio" ? transport.env : {}),
      ...givenSecrets(Object.fromEntries((grants?.env ?? []).map((name) => [name, places.env[name] ?? ""]))),
    ],
  };
}

/** Reads fields by what they mean. */
class EntryReader {
  readonly secrets: string[] = [];
  readonly #name: string;
  readonly #places: ServerPlaces;
  readonly #fields = new Map<FieldMeaning, Field>();

  constructor(name: string, places: ServerPlaces) {
    this.#name = name;
    this.#places = places;
  }

  take(entry: Record<string, unknown>): void {
    const { client, warn, path: file } = this.#places;
    const meanings: Readonly<Record<string, FieldMeaning>> = { ...COMMON_FIELDS, ...client.fields };
    // Older files of Zed have the whole command in one object.
    const { path: line, args, env, ...rest } = isObject(entry.command) ? entry.command : {};
    const flat = isObject(entry.command) ? { ...entry, ...rest, command: line, args, env } : entry;
    for (const [name, value] of Object.entries(flat)) {
      const meaning = Object.hasOwn(meanings, name) ? meanings[name]! : null;
      if (meaning === null) {
        warn(`file "${file}": server "${this.#name}": the field "${name}" is not known and passed over`);
      } else if (meaning === "refused") {
        throw this.refuse(
          name,
          `it is not supported: use ${name === "envFile" ? '"env"' : '"headers"'} instead`,
        );
      } else if (meaning !== "passed_over" && value !== null && value !== undefined) {
        const other = this.#fields.get(meaning);
        if (other) throw this.refuse(name, `"${other.name}" says the same: remove one of them`);
        this.#fields.set(meaning, { name, value });
      }
    }
  }

  refuse(field: string | null, why: string): ToolError {
    const { path, client } = this.#places;
    const where = field === null ? "" : `: ${client.key}.${this.#name}.${field}`;
    return new ToolError(
      "configuration",
      `Cannot use the server "${this.#name}" of "${path}"${where}: ${why}`,
      {
        details: { file: path, server: this.#name, field },
      },
    );
  }

  has(meaning: FieldMeaning): boolean {
    return this.#fields.has(meaning);
  }

  /** The name of a field as it stands in the entry. */
  nameOf(meaning: FieldMeaning): string | null {
    return this.#fields.get(meaning)?.name ?? null;
  }

  raw(meaning: FieldMeaning): unknown {
    return this.#fields.get(meaning)?.value;
  }

  flag(meaning: FieldMeaning): boolean | null {
    return this.#typed(meaning, (value) => typeof value === "boolean", "true or false");
  }

  text(meaning: FieldMeaning): string | null {
    const value = this.#typed<string>(
      meaning,
      (value) => typeof value === "string" && value !== "",
      "a text",
    );
    return value === null ? null : this.filled(value, this.nameOf(meaning)!);
  }

  list(meaning: FieldMeaning): string[] | null {
    const found = this.#typed<string[]>(meaning, isTexts, "a list of texts");
    return found && found.map((text, at) => this.filled(text, `${this.nameOf(meaning)}.${at}`));
  }

  /** Texts by name; numbers and flags, which some write, become texts. */
  texts(meaning: FieldMeaning): Record<string, string> {
    const found = this.object(meaning) ?? {};
    return Object.fromEntries(
      Object.entries(found).map(([key, value]) => {
        const field = `${this.nameOf(meaning)}.${key}`;
        if (!["string", "number", "boolean"].includes(typeof value)) {
          throw this.refuse(field, "it must be a text");
        }
        return [key, this.filled(String(value), field)];
      }),
    );
  }

  object(meaning: FieldMeaning): Record<string, unknown> | null {
    return this.#typed(meaning, isObject, "an object");
  }

  /** Texts and lists of texts are filled in, all else is left as it is. */
  filledObject(meaning: FieldMeaning): Record<string, unknown> | null {
    const found = this.object(meaning);
    const fill = (value: unknown, field: string): unknown => {
      if (typeof value === "string") return this.filled(value, field);
      return Array.isArray(value) ? value.map((one, at) => fill(one, `${field}.${at}`)) : value;
    };
    return found && Object.fromEntries(
      Object.entries(found).map(([key, value]) => [key, fill(value, `${this.nameOf(meaning)}.${key}`)]),
    );
  }

  time(meaning: FieldMeaning, factor: number): number | null {
    const isTime = (value: unknown) => typeof value === "number" && value > 0 && Number.isFinite(value);
    const value = this.#typed<number>(meaning, isTime, "a number above 0");
    return value === null ? null : Math.round(value * factor);
  }

  isSet(name: string): boolean {
    return Object.hasOwn(this.#places.env, name);
  }

  /** The value of one of the user's variables. */
  variable(name: string, field: string): string {
    const { env } = this.#places;
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined) throw this.refuse(field, `the variable ${name} is not set: set it`);
    this.secrets.push(value);
    return value;
  }

  filled(text: string, field: string): string {
    const filled = fillIn(text, this.#places.client.variables, this.#places);
    if ("problem" in filled) throw this.refuse(field, filled.problem);
    this.secrets.push(...filled.values.filter((value) => value !== ""));
    return filled.text;
  }

  #typed<T>(meaning: FieldMeaning, isRight: (value: unknown) => boolean, wanted: string): T | null {
    const field = this.#fields.get(meaning);
    if (field === undefined) return null;
    if (!isRight(field.value)) throw this.refuse(field.name, `it must be ${wanted}`);
    return field.value as T;
  }
}

/** Names of transports, as clients write them. */
const KINDS: Readonly<Record<string, McpTransport["kind"]>> = {
  stdio: "stdio",
  local: "stdio",
  http: "http",
  "streamable-http": "http",
  streamableHttp: "http",
  streamable_http: "http",
  sse: "sse",
  remote: "either",
};

function transportOf(reader: EntryReader): McpTransport {
  const type = reader.text("type");
  const named = type === null ? null : Object.hasOwn(KINDS, type) ? KINDS[type]! : undefined;
  if (named === undefined) {
    throw reader.refuse(reader.nameOf("type"), `"${type}" is no transport: write stdio, http or sse`);
  }
  const addresses = (["http_url", "url", "sse_url"] as const).filter((meaning) => reader.has(meaning));
  const [address] = addresses;
  if (reader.has("command") && address !== undefined) {
    throw reader.refuse(reader.nameOf(address), 'a server has a "command" or an address, not both');
  }
  if (address === undefined) {
    if (named !== null && named !== "stdio") throw reader.refuse(null, 'a remote server needs "url"');
    return stdioOf(reader);
  }
  if (named === "stdio") {
    throw reader.refuse(reader.nameOf("type"), "a server with an address is not of that type");
  }
  const kind = named ?? ({ http_url: "http", url: "either", sse_url: "sse" } as const)[address];
  return { kind, url: urlOf(reader, address), headers: headersOf(reader) };
}

/** Every program has these, with values of its own. */
const USUAL = ["PATH", "HOME", "USER", "LANG", "LC_ALL", "LC_CTYPE"];

function stdioOf(reader: EntryReader): McpTransport {
  if (!reader.has("command")) throw reader.refuse(null, 'it needs "command" or "url"');
  const { line, args } = commandOf(reader);
  const names = reader.list("env_names") ?? [];
  const passed = names.map((name) => [name, reader.variable(name, reader.nameOf("env_names")!)]);
  const allowed = (reader.list("env_allowed") ?? []).filter((name) =>
    !USUAL.includes(name) && reader.isSet(name)
  )
    .map((name) => [name, reader.variable(name, reader.nameOf("env_allowed")!)]);
  return {
    kind: "stdio",
    command: line,
    args,
    env: { ...Object.fromEntries([...allowed, ...passed]), ...reader.texts("env") },
    cwd: reader.text("cwd"),
  };
}

/** A text, or a list with the arguments behind the program. */
function commandOf(reader: EntryReader): { line: string; args: string[] } {
  const value = reader.raw("command");
  const more = reader.list("args") ?? [];
  if (typeof value === "string") return { line: reader.text("command")!, args: more };
  const [line, ...args] = Array.isArray(value) ? reader.list("command")! : [];
  if (line === undefined || line === "") {
    throw reader.refuse(reader.nameOf("command"), "it must name a program");
  }
  return { line, args: [...args, ...more] };
}

function urlOf(reader: EntryReader, meaning: FieldMeaning): string {
  const text = reader.text(meaning)!;
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return text;
  throw reader.refuse(reader.nameOf(meaning), "it must be an address that begins with https:// or http://");
}

function headersOf(reader: EntryReader): Record<string, string> {
  const headers = reader.texts("headers");
  for (const [header, variable] of Object.entries(reader.texts("header_names"))) {
    headers[header] = reader.variable(variable, `${reader.nameOf("header_names")}.${header}`);
  }
  const bearer = reader.text("bearer_name");
  if (bearer !== null) {
    headers.Authorization = `Bearer ${reader.variable(bearer, reader.nameOf("bearer_name")!)}`;
  }
  return headers;
}

function grantsOf(reader: EntryReader): McpGrants | null {
  const given = reader.object("grants");
  if (given === null) return null;
  const { read = [], write = [], net = [], env = [], ...unknown } = given;
  const [other] = Object.keys(unknown);
  // What permits is not guessed: a field of a wrong name could have narrowed.
  if (other !== undefined) {
    throw reader.refuse(`bulkhead.${other}`, "there are only read, write, net and env");
  }
  const lists = Object.entries({ read, write, net }).map(([kind, value]) => {
    if (value === false) return [kind, []];
    if (value !== true && !isTexts(value)) {
      throw reader.refuse(`bulkhead.${kind}`, "it must be true or a list of texts");
    }
    const fill = (text: string, at: number) => reader.filled(text, `bulkhead.${kind}.${at}`);
    return [kind, value === true ? true : value.map(fill)];
  });
  if (!isTexts(env)) throw reader.refuse("bulkhead.env", "it must be a list of names");
  return { ...Object.fromEntries(lists), env } as McpGrants;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}
