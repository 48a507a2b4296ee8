import { ToolError } from "../../../schemas/error.ts";
import { parseJson } from "../../../schemas/json/json_text.ts";
import type { JsonSchema } from "../../../schemas/manifest.ts";
import { didYouMean, nearest } from "../../../schemas/nearest.ts";
import {
  branchesOf,
  isObject,
  type JsonType,
  propertiesOf,
  resolveRef,
  toSchema,
  typeOf,
  typesOf,
} from "../../../schemas/json/shape.ts";
import { argumentObject } from "./argument_fields.ts";
import { type ArgumentPlace, type ArgumentValue, shownWord, sortWords } from "./argument_words.ts";

/** Where the first word says that the JSON of the arguments is. */
export type ArgumentSource = { kind: "json"; text: string } | { kind: "file"; path: string } | {
  kind: "stdin";
};

/**
 * Says whether a word holds or names the JSON of all arguments: `{…}` itself, `@FILE`, or `-` for stdin.
 *
 * @returns `null` for any other word, such as `key=value`
 * @throws {ToolError} `invalid_input` for `@` without a name
 */
export function sourceOf(word: string): ArgumentSource | null {
  if (word === "-") return { kind: "stdin" };
  if (word === "@") throw new ToolError("invalid_input", 'No file named after "@": write @FILE');
  if (word.startsWith("@")) return { kind: "file", path: word.slice(1) };
  return /^\s*[{[]/.test(word) ? { kind: "json", text: word } : null;
}

/**
 * Makes the arguments of a call from the words after the tool's name. Pairs win over the JSON; the schema alone says
 * how a value is converted, so that `pattern=12` stays a text.
 *
 * @param jsonText What the file or stdin holds that the first word names (see {@linkcode sourceOf})
 * @throws {ToolError} `invalid_input` for broken JSON, unknown names, values of the wrong type
 */
export function parseCallArguments(
  words: readonly string[],
  schema: JsonSchema,
  jsonText?: string,
): Record<string, unknown> {
  const source = words[0] === undefined ? null : sourceOf(words[0]);
  const fields = new Map(source ? Object.entries(readSource(source, jsonText)) : []);
  const place: ArgumentPlace = { schema: argumentObject(schema), root: schema };
  const rest = source ? words.slice(1) : words;
  for (const [key, pairs] of sortWords(rest, place, new Set(fields.keys()))) {
    fields.set(key, readField(key, pairs, place));
  }
  return Object.fromEntries(fields);
}

function readSource(source: ArgumentSource, jsonText: string | undefined): Record<string, unknown> {
  const what = source.kind === "file"
    ? `arguments file "${source.path}"`
    : `the arguments${source.kind === "stdin" ? " on stdin" : ""}`;
  const text = source.kind === "json" ? source.text : jsonText;
  if (text === undefined) throw new TypeError(`The text of ${what} was not handed over`);
  const value = parseJson(text, what);
  if (isObject(value)) return value;
  throw new ToolError(
    "invalid_input",
    `Cannot use ${what}: expected a JSON object, got ${article(typeOf(value))}`,
  );
}

function readField(key: string, pairs: readonly ArgumentValue[], place: ArgumentPlace): unknown {
  const target = { field: fieldOf(key, place), place };
  const { text, isJson } = pairs[0]!;
  if (pairs.length === 1) return isJson ? parseJson(text, `argument "${key}"`) : readText(key, text, target);
  if (!typesOf(target.field, place.root).has("array") || pairs.some((pair) => pair.isJson)) {
    throw new ToolError(
      "invalid_input",
      `Argument "${key}" is given ${pairs.length} times and takes one value`,
    );
  }
  return pairs.map((pair) => readItem(key, pair.text, target));
}

function fieldOf(key: string, { schema }: ArgumentPlace): JsonSchema {
  const fields = propertiesOf(schema);
  if (Object.hasOwn(fields, key)) return fields[key]!;
  const isOpen = isObject(schema.additionalProperties) ||
    (schema.additionalProperties !== false && schema.properties === undefined);
  if (isOpen && key !== "__proto__") return toSchema(schema.additionalProperties);
  const names = Object.keys(fields);
  const candidates = nearest(key, names);
  const known = names.length > 0
    ? `: there ${names.length === 1 ? "is" : "are"} ${names.join(", ")}`
    : ": this tool takes none";
  throw new ToolError(
    "invalid_input",
    `Unknown argument "${key}"${candidates.length > 0 ? didYouMean(candidates) : known}`,
    { details: { candidates } },
  );
}

interface Target {
  field: JsonSchema;
  place: ArgumentPlace;
}

function readText(key: string, text: string, target: Target): unknown {
  const types = typesOf(target.field, target.place.root);
  const scalar = readScalar(text, types);
  if (scalar !== undefined) return scalar;
  if (types.has("array")) return readList(text) ?? [readItem(key, text, target)];
  if (types.has("object")) return readObject(key, text);
  throw wrongValue(key, text, types);
}

function readScalar(
  text: string,
  types: ReadonlySet<JsonType>,
): string | number | boolean | null | undefined {
  if (types.size === 0 || types.has("string")) return text;
  if (types.has("null") && text === "null") return null;
  if (types.has("boolean") && (text === "true" || text === "false")) return text === "true";
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return undefined;
  const number = Number(text);
  if (types.has("number")) return Number.isFinite(number) ? number : undefined;
  return types.has("integer") && Number.isSafeInteger(number) ? number : undefined;
}

/** A text that is a JSON array as a whole; any other is an item, so that `paths=[id].ts` names a file. */
function readList(text: string): unknown[] | undefined {
  if (!/^\s*\[/.test(text)) return undefined;
  try {
    return parseJson(text, "a list") as unknown[];
  } catch {
    return undefined;
  }
}

function readItem(key: string, text: string, { field, place }: Target): unknown {
  const items = toSchema(listOf(field, place.root).items);
  const types = typesOf(items, place.root);
  if (!types.has("array")) return readText(key, text, { field: items, place });
  const item = readScalar(text, types) ?? readList(text);
  if (item === undefined) throw wrongValue(key, text, types);
  return item;
}

/** The branch of a union that is a list, or the schema itself. */
function listOf(field: JsonSchema, root: JsonSchema): JsonSchema {
  const schema = resolveRef(field, root);
  const branches = branchesOf(schema).map((branch) => resolveRef(branch, root));
  return branches.find((branch) => typesOf(branch, root).has("array")) ?? schema;
}

function readObject(key: string, text: string): Record<string, unknown> {
  const value = parseJson(text, `argument "${key}"`);
  if (isObject(value)) return value;
  throw new ToolError("invalid_input", `Argument "${key}" must be an object, not ${article(typeOf(value))}`);
}

function wrongValue(key: string, text: string, types: ReadonlySet<JsonType>): ToolError {
  return new ToolError(
    "invalid_input",
    `Argument "${key}" must be ${[...types].map(article).join(" or ")}, not ${shownWord(text)}`,
  );
}

function article(type: JsonType): string {
  if (type === "null") return "null";
  return `${/^[aio]/.test(type) ? "an" : "a"} ${type}`;
}
