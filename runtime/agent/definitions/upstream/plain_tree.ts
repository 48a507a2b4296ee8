import { ToolError } from "../../../../schemas/error.ts";
import { isObject } from "../../../../schemas/json/shape.ts";

/** Most values of a file, each use of an alias counted: aliases of aliases could multiply without end. */
const MOST_VALUES = 20_000;
/** Deepest nesting; a value may also hold itself by an alias. */
const MOST_LEVELS = 32;
/** The key of YAML by which a mapping takes the fields of others. */
const MERGE = "<<";

/** A value of JSON. */
export type PlainValue = null | boolean | number | string | readonly PlainValue[] | PlainObject;

/** An object of JSON; its fields are its own, whatever their names are. */
export interface PlainObject {
  readonly [field: string]: PlainValue;
}

/**
 * Returns what was read from YAML or JSON as plain JSON: aliases are copied, and `<<` is filled in.
 *
 * @param named What messages call the document
 * @throws {ToolError} `configuration` for more values or levels than a person writes, and for values that JSON has not
 */
export function plainTree(value: unknown, named: string): PlainValue {
  let left = MOST_VALUES;
  const copy = (value: unknown, path: readonly (string | number)[]): PlainValue => {
    if (left-- <= 0) throw refuse(named, `it has more than ${MOST_VALUES} values, its aliases filled in`);
    if (path.length > MOST_LEVELS) throw refuse(named, `it has more than ${MOST_LEVELS} levels`);
    if (value === null || typeof value === "boolean" || typeof value === "string") return value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    if (Array.isArray(value)) return value.map((item, at) => copy(item, [...path, at]));
    if (!isObject(value) || !isPlain(value)) {
      throw refuse(named, `${path.join(".") || "its value"} is ${kindOf(value)}, which JSON has not`);
    }
    const own: [string, PlainValue][] = [];
    const taken: [string, PlainValue][] = [];
    for (const [field, item] of Object.entries(value)) {
      const tree = copy(item, [...path, field]);
      if (field === MERGE) taken.push(...mergedFields(tree, named));
      else own.push([field, tree]);
    }
    return Object.fromEntries([...taken, ...own]);
  };
  return copy(value, []);
}

/** Of several mappings the first one that has a field counts. */
function mergedFields(tree: PlainValue, named: string): [string, PlainValue][] {
  const all = isList(tree) ? tree : [tree];
  return all.toReversed().flatMap((one) => {
    if (isPlainObject(one)) return Object.entries(one);
    throw refuse(named, `${MERGE} takes a mapping`);
  });
}

/** Says whether a value is an object. */
export function isPlainObject(tree: PlainValue | undefined): tree is PlainObject {
  return typeof tree === "object" && tree !== null && !Array.isArray(tree);
}

/** Says whether a value is a list. */
export function isList(tree: PlainValue | undefined): tree is readonly PlainValue[] {
  return Array.isArray(tree);
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function kindOf(value: unknown): string {
  return typeof value === "object" ? value?.constructor.name ?? "an object" : String(value);
}

function refuse(named: string, why: string): ToolError {
  return new ToolError("configuration", `Cannot use ${named}: ${why}`);
}
