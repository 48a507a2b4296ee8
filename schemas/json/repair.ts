import type { JsonSchema } from "../manifest.ts";
import { describeMismatch, fieldPath, fits } from "./mismatch.ts";
import { didYouMean, likelyMeant, sharesWord } from "../nearest.ts";
import {
  branchesOf,
  hasType,
  isClosed,
  isObject,
  propertiesOf,
  requiredOf,
  resolveRef,
  toSchema,
  typeOf,
  typesOf,
} from "./shape.ts";

export { describeMismatch };

/** Arguments after {@linkcode repairInput}. */
export interface Repaired {
  value: unknown;
  /** One sentence for each repair, with the parameter's name; at most 20. */
  warnings: string[];
}

const MAX_WARNINGS = 20;
const MAX_DEPTH = 64;
const MAX_NESTED_UNIONS = 4;
/** How often JSON may be wrapped in a string of JSON. */
const MAX_ENCODINGS = 3;
const MAX_SHOWN = 40;

/** Where in the arguments a value is, and the document that its schema belongs to. */
interface Place {
  root: JsonSchema;
  path: string;
  depth: number;
  unions: number;
  /** Long texts and lists are cut. */
  cuts: boolean;
  /** Objects are as open as JSON Schema means them. */
  isOpen: boolean;
  warnings: string[];
}

/**
 * Repairs the harmless slips of models: a number or boolean as a string, `null` for an optional parameter,
 * JSON in a string, one value for a list of them, another spelling of a known name, a name such as `file_path` for the
 * only required parameter that is missing, an unknown parameter. It leaves what it cannot repair to validation and does
 * not touch valid values.
 *
 * @param options `cuts`: texts and lists that are longer than the schema allows are cut to what it allows. `isOpen`: the
 * schema is somebody else's, so that an object which does not say `additionalProperties: false` keeps all its fields
 */
export function repairInput(
  schema: JsonSchema,
  value: unknown,
  { cuts = false, isOpen = false }: { cuts?: boolean; isOpen?: boolean } = {},
): Repaired {
  const place: Place = { root: schema, path: "", depth: 0, unions: 0, cuts, isOpen, warnings: [] };
  const repaired = repair(schema, openArguments(value, place.warnings), place);
  const more = place.warnings.length - MAX_WARNINGS;
  const warnings = place.warnings.slice(0, MAX_WARNINGS);
  if (more > 0) warnings.push(`${more} more repairs of the arguments`);
  return { value: repaired, warnings };
}

/** Says which parameters a tool does not know, and which ones were likely meant: a sentence each. */
export function describeUnknown(schema: JsonSchema, value: unknown): string[] {
  const target = resolveRef(schema, schema);
  const input = openArguments(value, []);
  if (!isObject(input) || !isClosed(target)) return [];
  const names = Object.keys(propertiesOf(target));
  const absent = names.filter((name) => !Object.hasOwn(input, name));
  return Object.keys(input)
    .filter((key) => input[key] !== undefined && !names.includes(key) && !spelledLike(key, absent))
    .slice(0, MAX_WARNINGS)
    .map((key) => `Unknown parameter ${quote(key)}${didYouMean(likelyMeant(key, absent))}`);
}

/** Models sometimes send nothing or a string instead of the object of all arguments. */
function openArguments(value: unknown, warnings: string[]): unknown {
  if (value === undefined) return {};
  if (value === null || value === "") {
    warnings.push("The arguments were empty and were read as {}");
    return {};
  }
  const decoded = typeof value === "string" ? decode(value, "object") : undefined;
  if (decoded === undefined) return value;
  warnings.push("The arguments were a JSON string and were read as an object");
  return decoded;
}

function decode(text: string, wanted: "object" | "array"): unknown {
  let value: unknown = text;
  for (let turn = 0; turn < MAX_ENCODINGS && typeof value === "string"; turn++) {
    if (!/^\s*["[{]/.test(value)) return undefined;
    try {
      value = JSON.parse(value);
    } catch {
      // The string is not JSON.
      return undefined;
    }
  }
  return typeOf(value) === wanted ? value : undefined;
}

function repair(schema: JsonSchema, value: unknown, place: Place): unknown {
  if (place.depth > MAX_DEPTH) return value;
  const target = resolveRef(schema, place.root);
  const branches = branchesOf(target);
  if (branches.length > 0 && !isObject(target.properties)) return repairUnion(branches, value, place);
  const typed = cut(target, repairType(target, value, place), place);
  if (isObject(typed)) return repairObject(target, typed, place);
  return Array.isArray(typed) ? repairArray(target, typed, place) : typed;
}

/** Repairs the value if exactly one way to read it is valid; otherwise the value stays as it is. */
function repairUnion(branches: readonly JsonSchema[], value: unknown, place: Place): unknown {
  if (place.unions >= MAX_NESTED_UNIONS) return value;
  if (branches.some((branch) => fits(branch, value, place.root))) return value;
  const attempts = branches.map((branch) => {
    const warnings: string[] = [];
    const repaired = repair(branch, value, { ...place, unions: place.unions + 1, warnings });
    return { branch, repaired, warnings };
  });
  const valid = attempts.filter(({ branch, repaired }) => fits(branch, repaired, place.root));
  const meant = valid.length > 0
    ? valid
    : attempts.filter(({ branch }) => hasType(value, typesOf(branch, place.root)));
  if (new Set(meant.map(({ repaired }) => JSON.stringify(repaired))).size !== 1) return value;
  place.warnings.push(...meant[0]!.warnings);
  return meant[0]!.repaired;
}

function repairType(schema: JsonSchema, value: unknown, place: Place): unknown {
  const types = typesOf(schema, place.root);
  if (value === null || hasType(value, types)) return value;
  const name = `Parameter '${place.path}'`;
  if (typeof value === "string") {
    const readings: unknown[] = [];
    if (types.has("integer") || types.has("number")) readings.push(readNumber(value, types.has("number")));
    if (types.has("boolean")) readings.push(readBoolean(value));
    if (types.has("object")) readings.push(decode(value, "object"));
    if (types.has("array")) readings.push(decodeList(schema, value, place));
    const found = readings.filter((reading) => reading !== undefined);
    if (found.length === 1) {
      place.warnings.push(`${name}: the string ${show(value)} was read as ${describe(found[0])}`);
      return found[0];
    }
  }
  if (!types.has("array") || schema.prefixItems !== undefined || place.path === "") return value;
  const items = toSchema(schema.items);
  const item = repairType(resolveRef(items, place.root), value, {
    ...place,
    path: `${place.path}[0]`,
    warnings: [],
  });
  if (!hasType(item, typesOf(items, place.root))) return value;
  place.warnings.push(`${name}: a single value was read as a list of one`);
  return [value];
}

/** Cuts a text or a list to the longest that the schema allows, and tells. */
function cut(schema: JsonSchema, value: unknown, { cuts, path, warnings }: Place): unknown {
  const most = typeof value === "string" ? schema.maxLength : Array.isArray(value) ? schema.maxItems : null;
  if (!cuts || typeof most !== "number") return value;
  const long = value as string | unknown[];
  if (long.length <= most) return value;
  const what = typeof long === "string" ? "characters" : "items";
  warnings.push(
    `Parameter '${path}' has ${long.length} ${what} and was cut to ${most}, the most that it may have`,
  );
  // Half of a sign would be left of a pair.
  return typeof long === "string" ? long.slice(0, most).replace(/[\ud800-\udbff]$/, "") : long.slice(0, most);
}

function readNumber(text: string, fraction: boolean): number | undefined {
  const trimmed = text.trim();
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed)) return undefined;
  const number = Number(trimmed);
  if (Number.isSafeInteger(number)) return number;
  return fraction && Number.isFinite(number) && !Number.isInteger(number) ? number : undefined;
}

function readBoolean(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  return word === "true" ? true : word === "false" ? false : undefined;
}

/** A string that is valid JSON may also be meant as the only item of a list of strings. */
function decodeList(schema: JsonSchema, text: string, place: Place): unknown {
  const list = decode(text, "array");
  if (
    list === undefined || schema.prefixItems !== undefined ||
    !hasType(text, typesOf(toSchema(schema.items), place.root))
  ) {
    return list;
  }
  return fits({ items: schema.items }, list, place.root) ? list : undefined;
}

function show(value: string): string {
  return JSON.stringify(value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value);
}

function describe(value: unknown): string {
  if (isObject(value)) return "an object";
  return Array.isArray(value) ? "a list" : String(value);
}

function repairArray(schema: JsonSchema, value: readonly unknown[], place: Place): unknown[] {
  const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  return value.map((item, index) => {
    const inner = toSchema(index < first.length ? first[index] : schema.items);
    return repair(inner, item, { ...place, depth: place.depth + 1, path: `${place.path}[${index}]` });
  });
}

function repairObject(schema: JsonSchema, value: Record<string, unknown>, place: Place): unknown {
  const properties = propertiesOf(schema);
  const required = requiredOf(schema);
  const fields = new Map<string, unknown>();
  const put = (key: string, field: unknown) => {
    const path = fieldPath(place.path, key);
    const inner = properties[key]!;
    if (field === null && !required.has(key) && !fits(inner, null, place.root)) {
      place.warnings.push(`Parameter '${path}': null was left out`);
    } else fields.set(key, repair(inner, field, { ...place, depth: place.depth + 1, path }));
  };
  const isKnown = (key: string) => Object.hasOwn(properties, key);
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  for (const key of keys.filter(isKnown)) put(key, value[key]);
  const drops = place.isOpen ? schema.additionalProperties === false && isClosed(schema) : isClosed(schema);
  // Without a required field the call would fail: an open object has it under another spelling.
  const names = drops ? Object.keys(properties) : [...required].filter((name) => value[name] === undefined);
  const repairs = drops || place.isOpen && isClosed(schema);
  const only = repairs ? onlyMissing(schema, value, place) : undefined;
  for (const key of keys.filter((key) => !isKnown(key))) {
    const meant = repairs ? spelledLike(key, names) ?? only : undefined;
    if (key !== "__proto__" && !drops && (meant === undefined || fields.has(meant))) {
      fields.set(key, repairExtra(schema, value[key], { ...place, path: fieldPath(place.path, key) }));
    } else if (meant !== undefined && !fields.has(meant)) {
      place.warnings.push(
        `Parameter ${quote(fieldPath(place.path, key))} was read as '${fieldPath(place.path, meant)}'`,
      );
      put(meant, value[key]);
    } else {
      const absent = Object.keys(properties).filter((name) => !fields.has(name));
      const hint = didYouMean(likelyMeant(key, absent));
      place.warnings.push(`Unknown parameter ${quote(fieldPath(place.path, key))} was left out${hint}`);
    }
  }
  // Unlike an assignment, this makes a plain field of every key.
  return Object.fromEntries(fields);
}

function repairExtra(schema: JsonSchema, value: unknown, place: Place): unknown {
  if (!isObject(schema.additionalProperties)) return value;
  return repair(schema.additionalProperties, value, { ...place, depth: place.depth + 1 });
}

/**
 * Finds the required parameter that the only unknown one stands for: no other is missing, the value has its type, and
 * the names have a word in common.
 */
function onlyMissing(
  schema: JsonSchema,
  value: Record<string, unknown>,
  { root }: Place,
): string | undefined {
  const properties = propertiesOf(schema);
  const names = Object.keys(properties);
  const unknown = Object.keys(value).filter((key) => value[key] !== undefined && !names.includes(key));
  const missing = [...requiredOf(schema)].filter((name) => value[name] === undefined);
  const [key] = unknown;
  const [name] = missing;
  if (unknown.length !== 1 || missing.length !== 1 || key === "__proto__") return undefined;
  const isMeant = sharesWord(key!, name!) && hasType(value[key!], typesOf(properties[name!] ?? {}, root));
  return isMeant ? name : undefined;
}

/** Finds the one name that differs only in case and in `_` and `-`: `maxResults` for `max_results`. */
function spelledLike(key: string, names: readonly string[]): string | undefined {
  const plain = (name: string) => name.replace(/[_-]/g, "").toLowerCase();
  const found = key === "__proto__" ? [] : names.filter((name) => plain(name) === plain(key));
  return found.length === 1 ? found[0] : undefined;
}

function quote(name: string): string {
  return `'${name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name}'`;
}
