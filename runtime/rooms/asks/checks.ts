import { LONGEST_MS } from "../../wait/longest.ts";
import { isObject } from "../../../schemas/json/shape.ts";

/** Most bytes of a program's output that main holds for one stream. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Says whether a field of a question is valid. */
export type Check = (value: unknown) => boolean;

/** What each kind of question of a service consists of, beside its kind. */
export type AskChecks<Ask extends { kind: string }> = {
  readonly [Kind in Ask["kind"]]: Readonly<Record<string, Check>>;
};

export const isText: Check = (value) => typeof value === "string";
export const isBytes: Check = (value) => value instanceof Uint8Array;
export const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
export const isTextByName: Check = (value) => isObject(value) && Object.values(value).every(isText);
export const isFlag: Check = (value) => typeof value === "boolean";
export const isTime = isNumber(-LONGEST_MS, LONGEST_MS);
export const isCount = isNumber(0, Number.MAX_SAFE_INTEGER);
export const isSize = isNumber(0, MAX_BYTES);

function isNumber(min: number, max: number): Check {
  return (value) => typeof value === "number" && value >= min && value <= max;
}

/** Makes the check of a field that may be absent. */
export function optional(check: Check): Check {
  const either: Check = (value) => value === undefined || check(value);
  OPTIONAL.add(either);
  return either;
}

/** Makes the check of an object: it has all fields that are not optional, and no other. */
export function object(fields: Readonly<Record<string, Check>>): Check {
  const required = Object.keys(fields).filter((name) => !OPTIONAL.has(fields[name]!));
  return (value) =>
    isObject(value) && required.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, field]) => Object.hasOwn(fields, name) && fields[name]!(field));
}

const OPTIONAL = new WeakSet<Check>();
