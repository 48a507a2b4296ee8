import { isObject } from "../../../schemas/json/shape.ts";
import type { JsonSchema } from "../../../schemas/manifest.ts";
import { compilePattern } from "./bounded_pattern.ts";
import { portablePattern } from "./portable_pattern.ts";
import type { SchemaProblem } from "./protocol.ts";

/** The drafts that are known, by the address in `$schema`. */
export const DIALECTS = {
  "4": "http://json-schema.org/draft-04/schema",
  "6": "http://json-schema.org/draft-06/schema",
  "7": "http://json-schema.org/draft-07/schema",
  "2019-09": "https://json-schema.org/draft/2019-09/schema",
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
} as const;

/** A schema in the form that the library takes. */
export interface PreparedSchema {
  schema: JsonSchema | boolean;
  /** The address of its draft, or of the known document that describes it. */
  dialect: string;
}

/** Drafts in which nothing beside a `$ref` counts. */
const OLD = ["4", "6", "7"] as const;

/** Values of these keywords are data and no schemas. */
const DATA: ReadonlySet<string> = new Set(["enum", "const", "default", "examples", "example"]);

/** Keywords whose values are schemas by name. */
const NAMED: ReadonlySet<string> = new Set([
  ...["properties", "patternProperties", "definitions", "$defs", "dependencies", "dependentSchemas"],
]);

/**
 * Makes what authors write into what the drafts want: the draft by its exact address, patterns that are readable with
 * the flag `u`, and in drafts 4 to 7 nothing beside a `$ref`, because it counts for nothing there.
 *
 * @param isKnown Tells whether an address is one of a known document; a foreign `$schema` is taken for 2020-12
 * @returns The schema, or the place of the first pattern that is none
 */
export function prepareSchema(
  schema: JsonSchema | boolean,
  isKnown: (address: string) => boolean,
): PreparedSchema | SchemaProblem {
  const dialect = dialectOf(schema, isKnown);
  const isOld = OLD.some((draft) => dialect === DIALECTS[draft]);
  try {
    const prepared = typeof schema === "boolean"
      ? schema
      : prepareObject(schema, { isOld, isNewest: dialect === DIALECTS["2020-12"], pointer: "#" });
    return { schema: prepared as JsonSchema | boolean, dialect };
  } catch (error) {
    if (error instanceof PatternError) return { pointer: error.pointer, message: error.message };
    throw error;
  }
}

class PatternError extends Error {
  readonly pointer: string;
  constructor(message: string, pointer: string) {
    super(message);
    this.pointer = pointer;
  }
}

/** Where the walk is. */
interface Place {
  isOld: boolean;
  /** The draft is 2020-12. */
  isNewest: boolean;
  pointer: string;
}

function dialectOf(schema: JsonSchema | boolean, isKnown: (address: string) => boolean): string {
  const named = typeof schema === "object" && typeof schema.$schema === "string" ? schema.$schema : "";
  if (isKnown(named)) return named;
  const [, draft = ""] = /draft[-/](0?[467]|2019-09|2020-12)\b/.exec(named) ?? [];
  return DIALECTS[draft.replace(/^0/, "") as keyof typeof DIALECTS] ?? DIALECTS["2020-12"];
}

function prepareObject(schema: Readonly<Record<string, unknown>>, place: Place): Record<string, unknown> {
  const isReference = place.isOld && typeof schema.$ref === "string";
  const entries = Object.entries(place.isOld ? schema : modernize(schema, place.isNewest)).filter(([name]) =>
    !isReference || !/^(?:\$?id|\$schema)$/.test(name)
  );
  return fromEntries(entries.map(([name, value]) => {
    const inner = { ...place, pointer: below(place.pointer, name) };
    if (name === "$schema" && place.pointer === "#") return [name, undefined] as const;
    if (name === "pattern" && typeof value === "string") return [name, checkedPattern(value, inner)] as const;
    if (DATA.has(name)) return [name, value] as const;
    if (NAMED.has(name) && isObject(value)) return [name, prepareNamed(name, value, inner)] as const;
    return [name, prepareValue(value, inner)] as const;
  }));
}

/**
 * Schemas of old drafts often do not name their draft: what newer ones write in another way is written so, where the old
 * way would mean nothing.
 */
function modernize(
  schema: Readonly<Record<string, unknown>>,
  isNewest: boolean,
): Readonly<Record<string, unknown>> {
  const { dependencies, items, additionalItems, ...rest } = schema;
  const newer: Record<string, unknown> = { ...rest };
  if (isObject(dependencies)) {
    const entries = Object.entries(dependencies);
    const needed = entries.filter(([, value]) => Array.isArray(value));
    const schemas = entries.filter(([, value]) => !Array.isArray(value));
    if (needed.length > 0) newer.dependentRequired ??= fromEntries(needed);
    if (schemas.length > 0) newer.dependentSchemas ??= fromEntries(schemas);
  }
  for (const [name, bound] of [["exclusiveMinimum", "minimum"], ["exclusiveMaximum", "maximum"]] as const) {
    if (typeof newer[name] !== "boolean") continue;
    if (newer[name] && typeof newer[bound] === "number") newer[name] = newer[bound];
    else delete newer[name];
  }
  if (isNewest && Array.isArray(items)) {
    return fromEntries(Object.entries({ ...newer, prefixItems: items, items: additionalItems }));
  }
  return fromEntries(Object.entries({ ...newer, items, additionalItems }));
}

function prepareNamed(
  keyword: string,
  schemas: Record<string, unknown>,
  place: Place,
): Record<string, unknown> {
  return fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const inner = { ...place, pointer: below(place.pointer, name) };
      const known = keyword === "patternProperties" ? checkedPattern(name, inner) : name;
      return [known, prepareValue(schema, inner)] as const;
    }),
  );
}

function prepareValue(value: unknown, place: Place): unknown {
  if (Array.isArray(value)) {
    return value.map((item, at) =>
      prepareValue(item, { ...place, pointer: below(place.pointer, String(at)) })
    );
  }
  return isObject(value) ? prepareObject(value, place) : value;
}

function checkedPattern(source: string, { pointer }: Place): string {
  try {
    compilePattern(source);
    return portablePattern(source);
  } catch (error) {
    throw new PatternError(error instanceof Error ? error.message : String(error), pointer);
  }
}

/** Also a name such as `__proto__` becomes a field. */
function fromEntries(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function below(pointer: string, name: string): string {
  return `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
