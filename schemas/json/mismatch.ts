import type { JsonSchema } from "../manifest.ts";
import { isQuickPattern } from "./quick_pattern.ts";
import {
  branchesOf,
  hasType,
  isObject,
  type JsonType,
  propertiesOf,
  requiredOf,
  resolveRef,
  toSchema,
  typesOf,
} from "./shape.ts";

/** Most problems that are reported. */
const MAX_PROBLEMS = 10;

/** Most values that are checked: nested unions could multiply without end. */
const MAX_STEPS = 10_000;

/** A value, where it is, and the document that its schema belongs to. */
interface Check {
  value: unknown;
  path: string;
  root: JsonSchema;
  budget: { steps: number };
  hint?: Hint;
}

/**
 * Returns what stands behind a problem with a word that is not known, such as `, did you mean "deny"?`.
 *
 * @param known The words that are, or the fields that an object may have
 */
export type Hint = (word: string, known: readonly string[] | Readonly<Record<string, JsonSchema>>) => string;

/** Options of {@linkcode describeMismatch}. */
export interface MismatchOptions {
  /** Helps with words that are not known. The schema is our own then: all of the value is checked. @default no help */
  hint?: Hint;
}

/**
 * Says in words what is wrong with arguments, missing ones first: `Missing required parameter: path`,
 * `Parameter 'max_results' must be of type integer.` Knows the keywords that zod writes and ignores others.
 *
 * @returns At most 10 sentences; empty if nothing is wrong
 */
export function describeMismatch(
  schema: JsonSchema,
  value: unknown,
  { hint }: MismatchOptions = {},
): string[] {
  const budget = { steps: hint ? Infinity : MAX_STEPS };
  const problems = check(schema, { value, path: "", root: schema, budget, ...(hint && { hint }) });
  const missing = problems.filter((problem) => problem.startsWith(MISSING));
  const others = problems.filter((problem) => !problem.startsWith(MISSING));
  return [...new Set([...missing, ...others])].slice(0, MAX_PROBLEMS);
}

/** Says whether a value inside a document fits its schema, as far as {@linkcode describeMismatch} can tell. */
export function fits(schema: JsonSchema, value: unknown, root: JsonSchema): boolean {
  return check(schema, { value, path: "", root, budget: { steps: MAX_STEPS } }).length === 0;
}

/** Returns the path of a field inside the value at `path`. */
export function fieldPath(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

const MISSING = "Missing required parameter: ";

function check(schema: JsonSchema, at: Check): string[] {
  if (at.budget.steps-- <= 0) return [];
  const target = resolveRef(schema, at.root);
  const types = typesOf(target, at.root);
  if (isObject(target.not) && Object.keys(target.not).length === 0) return [`${named(at)} is not allowed.`];
  if (!hasType(at.value, types)) return [wrongType(types, at)];
  const problems = [...checkUnion(branchesOf(target), at), ...checkLiteral(target, at)];
  if (Array.isArray(target.allOf)) {
    problems.push(...target.allOf.flatMap((part) => check(toSchema(part), at)));
  }
  if (typeof at.value === "string") problems.push(...checkString(target, at.value, at));
  if (typeof at.value === "number") problems.push(...checkNumber(target, at.value, at));
  if (Array.isArray(at.value)) problems.push(...checkArray(target, at.value, at));
  if (isObject(at.value)) problems.push(...checkObject(target, at.value, at));
  return problems;
}

function named(at: Check): string {
  return at.path === "" ? "The arguments" : `Parameter '${at.path}'`;
}

function wrongType(types: ReadonlySet<JsonType>, at: Check): string {
  if (at.path === "" && types.has("object")) return "Parameters must decode to a JSON object.";
  return `${named(at)} must be of type ${[...types].join(" or ")}.`;
}

function checkLiteral(schema: JsonSchema, at: Check): string[] {
  const allowed = "const" in schema ? [schema.const] : schema.enum;
  if (!Array.isArray(allowed)) return [];
  const wanted = allowed.map((value) => JSON.stringify(value));
  if (wanted.includes(JSON.stringify(at.value))) return [];
  const texts = allowed.filter((one) => typeof one === "string");
  const hint = typeof at.value === "string" && at.hint?.(at.value, texts);
  return [
    `${named(at)} must be ${wanted.length === 1 ? wanted[0] : `one of ${wanted.join(", ")}`}${hint || "."}`,
  ];
}

function checkUnion(branches: readonly JsonSchema[], at: Check): string[] {
  if (branches.length === 0) return [];
  const tags = isObject(at.value) ? findTags(branches, at.root) : null;
  if (tags) return checkTagged(branches, tags, at);
  const problems = branches
    .filter((branch) => hasType(at.value, typesOf(branch, at.root)))
    .map((branch) => check(branch, at));
  // The branch with the fewest problems is the one that was meant.
  return problems.sort((a, b) => a.length - b.length)[0] ?? [];
}

/** The field whose constants tell the objects of a union apart, with the constant of each branch. */
interface Tags {
  key: string;
  values: unknown[];
}

function findTags(branches: readonly JsonSchema[], root: JsonSchema): Tags | null {
  const fields = branches.map((branch) => propertiesOf(resolveRef(branch, root)));
  for (const key of Object.keys(fields[0]!)) {
    const values = fields.map((properties) =>
      Object.hasOwn(properties, key) ? properties[key]!.const : undefined
    );
    if (!values.includes(undefined)) return { key, values };
  }
  return null;
}

function checkTagged(branches: readonly JsonSchema[], { key, values }: Tags, at: Check): string[] {
  const value = at.value as Record<string, unknown>;
  const path = fieldPath(at.path, key);
  if (!Object.hasOwn(value, key)) return [MISSING + path];
  const meant = branches.filter((_, index) => values[index] === value[key]);
  if (meant.length === 0) {
    return checkLiteral({ enum: [...new Set(values)] }, { ...at, value: value[key], path });
  }
  return meant.map((branch) => check(branch, at)).sort((a, b) => a.length - b.length)[0]!;
}

function checkString(schema: JsonSchema, value: string, at: Check): string[] {
  const { minLength, maxLength, pattern, format } = schema;
  const problems: string[] = [];
  if (typeof minLength === "number" && value.length < minLength) {
    problems.push(`${named(at)} must have at least ${minLength} character(s).`);
  }
  if (typeof maxLength === "number" && value.length > maxLength) {
    problems.push(`${named(at)} must have at most ${maxLength} character(s).`);
  }
  if (typeof pattern === "string" && !matches(pattern, value)) {
    const form = typeof format === "string" ? `be a valid ${format}` : `match the pattern ${pattern}`;
    problems.push(`${named(at)} must ${form}.`);
  }
  return problems;
}

/** The schema may be a stranger's, and nothing ends a pattern: the real validator decides about slow ones. */
function matches(pattern: string, value: string): boolean {
  if (!isQuickPattern(pattern, value.length)) return true;
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    // This engine cannot read the pattern; the real validator decides.
    return true;
  }
}

function checkNumber(schema: JsonSchema, value: number, at: Check): string[] {
  const bounds: [string, string, (bound: number) => boolean][] = [
    ["minimum", "at least", (bound) => value >= bound],
    ["exclusiveMinimum", "greater than", (bound) => value > bound],
    ["maximum", "at most", (bound) => value <= bound],
    ["exclusiveMaximum", "less than", (bound) => value < bound],
    ["multipleOf", "a multiple of", (bound) => Math.abs(value / bound - Math.round(value / bound)) < 1e-9],
  ];
  return bounds.flatMap(([keyword, words, holds]) => {
    const bound = schema[keyword];
    return typeof bound !== "number" || holds(bound) ? [] : [`${named(at)} must be ${words} ${bound}.`];
  });
}

function checkArray(schema: JsonSchema, value: readonly unknown[], at: Check): string[] {
  const { minItems, maxItems } = schema;
  const problems: string[] = [];
  if (typeof minItems === "number" && value.length < minItems) {
    problems.push(`${named(at)} must contain at least ${minItems} item(s).`);
  }
  if (typeof maxItems === "number" && value.length > maxItems) {
    problems.push(`${named(at)} must contain at most ${maxItems} item(s).`);
  }
  const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  for (const [index, item] of value.entries()) {
    if (problems.length >= MAX_PROBLEMS || at.budget.steps <= 0) break;
    if (index >= first.length && !isObject(schema.items)) break;
    const inner = toSchema(index < first.length ? first[index] : schema.items);
    problems.push(...check(inner, { ...at, value: item, path: `${at.path}[${index}]` }));
  }
  return problems;
}

function checkObject(schema: JsonSchema, value: Record<string, unknown>, at: Check): string[] {
  const properties = propertiesOf(schema);
  const isThere = (key: string) => Object.hasOwn(value, key) && value[key] !== undefined;
  const problems = [...requiredOf(schema)]
    .filter((key) => !isThere(key))
    .map((key) => MISSING + fieldPath(at.path, key));
  // Nothing is a word as any other where people choose the names: it says nothing that could be followed.
  const isSaid = (key: string) =>
    isThere(key) ||
    (at.hint !== undefined && isObject(schema.additionalProperties) && !Object.hasOwn(properties, key));
  for (const key of Object.keys(value).filter(isSaid)) {
    if (problems.length >= MAX_PROBLEMS || at.budget.steps <= 0) break;
    const field = { ...at, value: value[key], path: fieldPath(at.path, key) };
    if (Object.hasOwn(properties, key)) problems.push(...check(properties[key]!, field));
    else if (schema.patternProperties !== undefined) continue;
    else if (schema.additionalProperties === false) {
      problems.push(`Unknown parameter: ${field.path}${at.hint?.(key, properties) ?? ""}`);
    } else if (isObject(schema.additionalProperties)) {
      problems.push(...check(schema.additionalProperties, field));
    }
  }
  return problems;
}
