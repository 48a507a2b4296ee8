import { ToolError } from "../../../schemas/error.ts";
import { isObject } from "../../../schemas/json/shape.ts";

/**
 * Checks a value from a file and returns it typed, without unknown fields.
 *
 * @param at Where it stands, for the message
 * @throws {ToolError} `invalid_input`
 */
export type Decode<T> = (value: unknown, at: string) => T;

/** How each field is checked; one that may be absent says so. */
export type Fields<T> = {
  [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? { optional: Decode<Exclude<T[K], undefined>> }
    : Decode<T[K]>;
};

/** A text. */
export const text: Decode<string> = (value, at) => typeof value === "string" ? value : refuse(at, "a text");

/** `true` or `false`. */
export const flag: Decode<boolean> = (value, at) =>
  typeof value === "boolean" ? value : refuse(at, "true or false");

/** A number that is not below zero. */
export const amount: Decode<number> = (value, at) =>
  typeof value === "number" && Number.isFinite(value) && value >= 0
    ? value
    : refuse(at, "a number from 0 upwards");

/** Any JSON. */
export const anyJson: Decode<unknown> = (value) => value;

/** An objectOf with any fields, save the one that could become its prototype. */
export const anyObject: Decode<Record<string, unknown>> = (value, at) =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => name !== "__proto__"))
    : refuse(at, "an object");

/** One of some words. */
export function oneOf<const Word extends string>(words: readonly Word[]): Decode<Word> {
  return (value, at) =>
    words.find((word) => word === value) ??
      refuse(at, `one of ${words.map((word) => `"${word}"`).join(", ")}`);
}

/** The one value that is known. */
export function exactly<const Value extends string | number>(wanted: Value): Decode<Value> {
  return (value, at) => value === wanted ? wanted : refuse(at, JSON.stringify(wanted));
}

/** `null`, or what `inner` takes. */
export function nullable<T>(inner: Decode<T>): Decode<T | null> {
  return (value, at) => value === null ? null : inner(value, at);
}

/** A list. */
export function listOf<T>(item: Decode<T>): Decode<T[]> {
  return (value, at) =>
    Array.isArray(value) ? value.map((one, index) => item(one, `${at}[${index}]`)) : refuse(at, "a list");
}

/** An objectOf of known fields. */
export function objectOf<T>(fields: Fields<T>): Decode<T> {
  return (value, at) => {
    if (!isObject(value)) return refuse(at, "an object");
    const found: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(fields) as [string, Decode<unknown> | Optional][]) {
      const given = Object.hasOwn(value, name) ? value[name] : undefined;
      if (typeof field === "function") found[name] = field(given, `${at}.${name}`);
      else if (given !== undefined) found[name] = field.optional(given, `${at}.${name}`);
    }
    return found as T;
  };
}

/** An objectOf whose kind is told by the text in one of its fields. */
export function byTag<T>(tag: string, kinds: Readonly<Record<string, Decode<T>>>): Decode<T> {
  const known = oneOf(Object.keys(kinds));
  return (value, at) => {
    if (!isObject(value)) return refuse(at, "an object");
    return kinds[known(Object.hasOwn(value, tag) ? value[tag] : undefined, `${at}.${tag}`)]!(value, at);
  };
}

interface Optional {
  optional: Decode<unknown>;
}

function refuse(at: string, wanted: string): never {
  throw new ToolError("invalid_input", `${at} must be ${wanted}`);
}
