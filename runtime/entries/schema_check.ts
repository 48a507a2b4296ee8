// Checks values against a foreign schema, in a worker without any permission: patterns of it may be of any kind.
import { Validator } from "@cfworker/json-schema";

import type { SchemaAnswer, SchemaQuestion } from "../calls/json_schema/schema_check.ts";

/** How many problems are worth telling. */
const MAX_PROBLEMS = 10;

let validator: Validator | undefined;

self.addEventListener("message", (event) => {
  const { data } = event as MessageEvent<SchemaQuestion>;
  answer(ask(data));
});

function ask(question: SchemaQuestion): SchemaAnswer {
  try {
    if ("schema" in question) {
      validator = new Validator(question.schema as object, draftOf(question.schema), false);
      // Whether its references lead anywhere shows when it is used.
      validator.validate(null);
      return { problems: [] };
    }
    const { errors } = validator!.validate(question.value);
    // What stands above a wrong value only says that something below is wrong.
    const leaves = errors.filter(({ keyword }) => !OUTER.has(keyword));
    const told = (leaves.length > 0 ? leaves : errors).map(({ instanceLocation, error }) =>
      `${instanceLocation}: ${error}`
    );
    return { problems: [...new Set(told)].slice(0, MAX_PROBLEMS) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

/** Keywords that pass on what other keywords found. */
const OUTER = new Set(["properties", "items", "prefixItems", "$ref", "allOf", "additionalProperties"]);

function draftOf(schema: unknown): "4" | "7" | "2019-09" | "2020-12" {
  const named = typeof schema === "object" && schema !== null
    ? (schema as { $schema?: unknown }).$schema
    : "";
  const [, draft = ""] = /draft[-/](0?[467]|2019-09|2020-12)\b/.exec(String(named)) ?? [];
  if (draft === "04" || draft === "4") return "4";
  if (draft === "06" || draft === "07" || draft === "7") return "7";
  return draft === "2019-09" ? draft : "2020-12";
}

function answer(message: SchemaAnswer): void {
  (self as unknown as { postMessage(message: SchemaAnswer): void }).postMessage(message);
}
