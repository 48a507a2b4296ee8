import type { z } from "zod";

import type { JsonSchema } from "../../../schemas/manifest.ts";
import { ToolError } from "../../../schemas/error.ts";
import { describeMismatch } from "../../../schemas/json/mismatch.ts";
import { propertiesOf } from "../../../schemas/json/shape.ts";
import { toSchema } from "../../rooms/inside/to_schema.ts";
import { isDeeper } from "../../text/json_depth.ts";
import type { ErrorForm } from "../api/operation.ts";
import { HttpFailure } from "./wire/http_failure.ts";
import type { Incoming } from "./wire/read_request.ts";

/** Deepest nesting of a body: readers of JSON walk it by recursion. */
const MAX_DEPTH = 200;
const JSON_TYPE = /^application\/json *(?:; *charset *= *"?utf-8"? *)?$/i;

/**
 * Makes sure that a body is JSON by its type, before it is read.
 *
 * @throws {HttpFailure} 415
 */
export function checkBodyType({ headers, length }: Incoming): void {
  const type = headers.get("content-type");
  if (length === 0 || JSON_TYPE.test(type ?? "")) return;
  const shown = type === undefined
    ? "no Content-Type"
    : `the Content-Type ${JSON.stringify(type.slice(0, 100))}`;
  throw HttpFailure.of(415, `The body has ${shown}: send JSON as application/json`);
}

/**
 * Reads a body; one of no bytes is an object without fields.
 *
 * @throws {HttpFailure} 400
 */
export function parseBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return {};
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw HttpFailure.of(400, "The body cannot be read: it is not UTF-8");
  }
  if (isDeeper(text, MAX_DEPTH)) {
    throw HttpFailure.of(400, `The body cannot be read: it is nested more than ${MAX_DEPTH} levels deep`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw HttpFailure.of(400, `The body is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * Reads the words behind `?`.
 *
 * @throws {HttpFailure} 400 for one that is given twice
 */
export function parseQuery(query: string): Record<string, string> {
  const words: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(query)) {
    if (name in words) {
      throw HttpFailure.of(400, `The query has ${JSON.stringify(name.slice(0, 100))} twice: give it once`);
    }
    words[name] = value;
  }
  return { ...words };
}

/**
 * Checks a value by a schema.
 *
 * @param form Clients of other systems know the words of their schemas
 * @returns What the schema makes of it
 * @throws {ToolError} `invalid_input` that names each field, why it is wrong, and what to write
 */
export function checkInput(
  schema: z.ZodType,
  value: unknown,
  what: "body" | "query",
  form: ErrorForm = "bulkhead",
): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  if (form !== "bulkhead") throw inOwnWords(parsed.error);
  const json = toSchema(schema, "input");
  const seen = what === "query" ? withNumbers(value as Record<string, string>, json) : value;
  const problems = describeMismatch(json, seen);
  const { issues } = parsed.error;
  const said = problems.length > 0
    ? problems
    : issues.map(({ path, message }) => path.length === 0 ? message : `${path.join(".")}: ${message}`);
  const [first] = issues;
  throw new ToolError("invalid_input", `The ${what} is wrong: ${[...new Set(said)].join("; ")}`, {
    details: {
      in: what,
      ...(first && first.path.length > 0 && { param: first.path.join(".") }),
      issues: issues.map(({ path, message }) => ({ path, message })),
    },
  });
}

/** A message that does not say where something is wrong gets the place in front. */
function inOwnWords({ issues }: z.ZodError): ToolError {
  const said = issues.map(({ path, message }) => {
    const name = path.findLast((part) => typeof part === "string");
    return name === undefined || message.includes(String(name)) ? message : `${path.join(".")}: ${message}`;
  });
  const param = issues[0]?.path.join(".") ?? "";
  return new ToolError("invalid_input", [...new Set(said)].join(" "), {
    details: { in: "body", ...param !== "" && { param } },
  });
}

/** Words of a query are texts, where a schema wants numbers. */
function withNumbers(words: Readonly<Record<string, string>>, schema: JsonSchema): Record<string, unknown> {
  const properties = propertiesOf(schema);
  return Object.fromEntries(
    Object.entries(words).map(([name, text]) => {
      const isNumber = /^(?:integer|number)$/.test(String(properties[name]?.["type"])) &&
        /^-?\d+(?:\.\d+)?$/.test(text);
      return [name, isNumber ? Number(text) : text];
    }),
  );
}
