import { removeUriSchemePlugin, RetrievalError } from "@hyperjump/browser";
import "@hyperjump/json-schema/draft-04";
import "@hyperjump/json-schema/draft-06";
import "@hyperjump/json-schema/draft-07";
import "@hyperjump/json-schema/draft-2019-09";
import {
  InvalidSchemaError,
  registerSchema,
  setMetaSchemaOutputFormat,
  setShouldValidateFormat,
  unregisterSchema,
  validate,
} from "@hyperjump/json-schema/draft-2020-12";
import type { SchemaObject, Validator } from "@hyperjump/json-schema/draft-2020-12";
import "@hyperjump/json-schema/formats";

import type { JsonSchema } from "../../../schemas/manifest.ts";
import { makeCollector } from "./collect_problems.ts";
import { boundPatterns } from "./pattern_keywords.ts";
import { prepareSchema } from "./prepare_schema.ts";
import type { SchemaJob, SchemaProblem } from "./protocol.ts";

/** A schema that is ready. */
export interface CompiledSchema {
  /** Says all that is wrong with a value; nothing if it fits. */
  check(value: unknown): SchemaProblem[];
}

/** Where a schema lies while it is compiled. */
const OWN_ADDRESS = "bulkhead:/schema";

// Nothing is fetched: an address that is not known is an error.
for (const scheme of ["http", "https", "file"]) removeUriSchemePlugin(scheme);
setMetaSchemaOutputFormat("BASIC");
boundPatterns();

/**
 * Makes a schema of any draft from 4 to 2020-12 ready, without making code of text. Schemas are compiled one after
 * another: the library keeps what it knows in one place.
 *
 * @returns What checks values, or why the schema cannot be used
 */
export async function compileSchema(job: Omit<SchemaJob, "id">): Promise<CompiledSchema | SchemaProblem> {
  const registered: string[] = [];
  try {
    const validator = await register(job, registered);
    if ("pointer" in validator) return validator;
    return { check: (value) => check(validator, value, job.assertFormats) };
  } catch (error) {
    return toProblem(error);
  } finally {
    for (const address of registered) unregisterSchema(address);
  }
}

async function register(
  { schema, documents }: Omit<SchemaJob, "id">,
  registered: string[],
): Promise<Validator | SchemaProblem> {
  const isKnown = (address: string) => Object.hasOwn(documents, address);
  for (const [address, document] of [...Object.entries(documents), [OWN_ADDRESS, schema] as const]) {
    const prepared = prepareSchema(document as JsonSchema | boolean, isKnown);
    if ("pointer" in prepared) return prepared;
    registerSchema(prepared.schema as SchemaObject | boolean, address, prepared.dialect);
    registered.push(address);
  }
  const validator = await validate(OWN_ADDRESS);
  // References that lead only to each other never end, whatever the value is.
  validator(null);
  return validator;
}

function check(validator: Validator, value: unknown, assertFormats: boolean): SchemaProblem[] {
  // Without an answer the library follows each draft.
  setShouldValidateFormat(assertFormats ? true : undefined);
  if (validator(value as SchemaObject).valid) return [];
  const collector = makeCollector();
  validator(value as SchemaObject, { plugins: [collector.plugin] });
  return collector.problems();
}

function toProblem(error: unknown): SchemaProblem {
  if (error instanceof InvalidSchemaError) {
    const [first] = error.output.errors ?? [];
    const pointer = first === undefined ? "#" : `#${first.instanceLocation.split("#")[1] ?? ""}`;
    const keyword = first?.absoluteKeywordLocation.split("/").at(-1);
    return { pointer, message: `it is no JSON Schema there ("${keyword}" of its draft)` };
  }
  if (error instanceof RetrievalError) return { pointer: "#", message: unknownAddress(error) };
  if (error instanceof RangeError) {
    return { pointer: "#", message: "its references lead into each other without an end" };
  }
  return { pointer: "#", message: error instanceof Error ? error.message : String(error) };
}

function unknownAddress(error: RetrievalError): string {
  const [, address = "?"] = /'([^']*)'/.exec(error.message) ?? [];
  return `it refers to "${address}", which is not known, and nothing is fetched: put that schema ` +
    'under "$defs" and refer to it there';
}
