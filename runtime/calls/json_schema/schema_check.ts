import type { JsonSchema } from "../../../schemas/manifest.ts";
import { SchemaChecker } from "./schema_checker.ts";

/** Checks values against a schema. Close it with `using`. */
export interface SchemaCheck extends Disposable {
  schema: JsonSchema;
  /** Says what is wrong with a value, a sentence each; empty if it fits. */
  check(value: unknown): Promise<string[]>;
}

/**
 * Opens a check of values against one JSON Schema, in a worker of its own without permissions. Needs `read` of the
 * program's own files.
 *
 * @param name The schema's name in errors
 * @throws {ToolError} `invalid_input` for a schema that cannot be used
 */
export async function openSchemaCheck(schema: JsonSchema, name: string): Promise<SchemaCheck> {
  const checker = new SchemaChecker();
  try {
    const check = await takeCheck(checker, schema, name);
    return { ...check, [Symbol.dispose]: () => checker[Symbol.dispose]() };
  } catch (error) {
    checker[Symbol.dispose]();
    throw error;
  }
}

/**
 * Makes a check of values against one JSON Schema, in the worker of a checker that belongs to the caller.
 *
 * @param name The schema's name in errors
 * @throws {ToolError} `invalid_input` for a schema that cannot be used
 */
export async function takeCheck(
  checker: SchemaChecker,
  schema: JsonSchema,
  name: string,
): Promise<SchemaCheck> {
  const taken = await checker.take(schema, { name });
  return {
    schema,
    async check(value) {
      const { problems, left } = await taken.check(value);
      const more = left > 0 ? [`and ${left} more`] : [];
      return [...problems.map(({ pointer, message }) => `${pointer}: ${message}`), ...more];
    },
    [Symbol.dispose]: () => taken[Symbol.dispose](),
  };
}
