import { type ErrorCode, EXIT_CODES, ToolError } from "../../../schemas/error.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import type { ToolResult } from "../../../schemas/result.ts";
import { canonicalJson } from "../../text/canonical_json.ts";
import { openSchemaCheck } from "../json_schema/schema_check.ts";

/** A number within bounds, both included. */
interface Bounds {
  min?: number;
  max?: number;
}

/** What a batch's line expects of its call. */
export interface Expectation {
  /** The call must fail. @default false */
  fails: boolean;
  /** The code it must fail with; `null` for any. */
  error: ErrorCode | null;
  /** Patterns that the text of the result must hold. */
  patterns: readonly string[];
  /** Fields of the result by name or dotted path, with a value or bounds. */
  fields: readonly (readonly [path: string, expected: unknown])[];
}

/** A result, and whether it is what was wanted. */
export interface Judged {
  result: ToolResult;
  /** The call succeeded, or failed as expected. */
  met: boolean;
}

/** How much of what came is shown, in characters. */
const MAX_SHOWN = 80;

/**
 * Understands the `expect` of a line.
 *
 * @param refuse Makes the error of a wrong one from its reason
 */
export function readExpectation(value: unknown, refuse: (why: string) => ToolError): Expectation {
  if (!isObject(value) || Object.keys(value).length === 0) {
    throw refuse('"expect" must name what is expected: {"exit_code":0}');
  }
  const { ok, error, matches, text, ...fields } = value;
  if (ok !== undefined && typeof ok !== "boolean") throw refuse('"ok" in "expect" must be true or false');
  if (error !== undefined && (typeof error !== "string" || !Object.hasOwn(EXIT_CODES, error))) {
    const codes = Object.keys(EXIT_CODES).join(", ");
    throw refuse(`"error" in "expect" must be one of ${codes}`);
  }
  if (ok === true && error !== undefined) {
    throw refuse('"expect" wants a success and an error: remove "ok" or "error"');
  }
  const patterns = [readPattern("matches", matches, refuse), readPattern("text", text, refuse)];
  for (const [name, expected] of Object.entries(fields)) checkBounds(name, expected, refuse);
  return {
    fails: ok === false || error !== undefined,
    error: error === undefined ? null : error as ErrorCode,
    patterns: patterns.filter((pattern) => pattern !== null),
    fields: Object.entries(fields),
  };
}

/**
 * Judges the result of a call. One that is not as expected becomes a failure with the code `conflict`, and keeps its text
 * and fields; a call that failed by itself keeps its own error.
 *
 * @param wanted `expect` of the line; with `check`, a program that ends with a code other than 0 is a failure
 */
export async function judgeResult(
  result: ToolResult,
  wanted: { expect: Expectation | null; check: boolean },
): Promise<Judged> {
  const { expect, check } = wanted;
  const isProgramJudged = expect?.fails || expect?.fields.some(([path]) => path === "exit_code");
  const unmet = [
    ...expect === null ? [] : await unmetOf(result, expect),
    ...check && result.ok && !isProgramJudged ? failedPrograms(result) : [],
  ];
  if (unmet.length === 0) return { result, met: expect?.fails ? true : result.ok };
  const details = { ...result.error?.details, unmet };
  if (result.error !== null) {
    return { result: { ...result, error: { ...result.error, details } }, met: false };
  }
  const failure = new ToolError("conflict", unmet.join("; "), { details });
  return { result: { ...result, ok: false, error: failure.toInfo() }, met: false };
}

function readPattern(name: string, value: unknown, refuse: (why: string) => ToolError): string | null {
  if (value === undefined) return null;
  if (typeof value !== "string") throw refuse(`"${name}" in "expect" must be a pattern`);
  try {
    new RegExp(value, "u");
    return value;
  } catch (error) {
    throw refuse(`"${name}" in "expect" is no pattern: ${error instanceof Error ? error.message : error}`);
  }
}

function checkBounds(name: string, value: unknown, refuse: (why: string) => ToolError): void {
  if (!isBounds(value)) return;
  const { min = -Infinity, max = Infinity } = value;
  if (typeof min === "number" && typeof max === "number" && min <= max) return;
  throw refuse(`"${name}" in "expect" needs numbers as "min" and "max", the smaller one first`);
}

function isBounds(value: unknown): value is Bounds {
  return isObject(value) && Object.keys(value).length > 0 &&
    Object.keys(value).every((key) => key === "min" || key === "max");
}

async function unmetOf(result: ToolResult, expect: Expectation): Promise<string[]> {
  const { fails, error, patterns, fields } = expect;
  if (!fails && result.error !== null) return ["expected a success"];
  if (fails && result.error === null) return [`expected ${error ?? "a failure"}, but the call succeeded`];
  if (error !== null && result.error?.code !== error) return [`expected ${error}, got ${result.error?.code}`];
  const texts = await Promise.all(patterns.map((pattern) => unmatched(pattern, result.text)));
  return [
    ...fields.flatMap(([path, expected]) => unequal(path, expected, result.result)),
    ...texts.flat(),
  ];
}

/** A pattern may take any time: it is tried where it can be stopped. */
async function unmatched(pattern: string, text: string): Promise<string[]> {
  const shown = JSON.stringify(pattern);
  try {
    // ^ and $ stand for the ends of lines. A pattern that could take any time is refused here.
    using check = await openSchemaCheck({ type: "string", pattern: `(?m:${pattern})` }, "expect");
    const problems = await check.check(text);
    return problems.length === 0 ? [] : [`expected a text that matches ${shown}, got ${show(text)}`];
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return [`expected a text that matches ${shown}, which could not be tried: ${error.message}`];
  }
}

function unequal(path: string, expected: unknown, result: unknown): string[] {
  const found = valueAt(path, result);
  if (found === undefined) {
    const names = isObject(result) ? Object.keys(result) : [];
    const has = names.length === 0 ? "" : `: it has ${names.join(", ")}`;
    return [`expected ${path} ${describe(expected)}, but the result has no ${path}${has}`];
  }
  return fits(found.value, expected)
    ? []
    : [`expected ${path} ${describe(expected)}, got ${show(found.value)}`];
}

function fits(value: unknown, expected: unknown): boolean {
  if (!isBounds(expected)) return canonicalJson(value) === canonicalJson(expected);
  const { min = -Infinity, max = Infinity } = expected;
  return typeof value === "number" && value >= min && value <= max;
}

/** `result` stands for the whole result, if no field has that name. */
function valueAt(path: string, result: unknown): { value: unknown } | undefined {
  const own = (value: unknown, name: string) =>
    typeof value === "object" && value !== null && Object.hasOwn(value, name);
  if (own(result, path)) return { value: (result as Record<string, unknown>)[path] };
  const [first = "", ...rest] = path.split(".");
  let value = result;
  for (const name of first === "result" && !own(result, first) ? rest : [first, ...rest]) {
    if (!own(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return { value };
}

/** Tools that run programs tell the end in one of these fields. */
function failedPrograms({ result }: ToolResult): string[] {
  if (!isObject(result)) return [];
  const { exit_code, success } = result;
  if (typeof exit_code === "number" && exit_code !== 0) {
    return [`the program ended with exit code ${exit_code}`];
  }
  return success === false ? ["the program failed"] : [];
}

function describe(expected: unknown): string {
  if (!isBounds(expected)) return show(expected);
  const { min, max } = expected;
  if (min === undefined) return `of at most ${max}`;
  return max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
