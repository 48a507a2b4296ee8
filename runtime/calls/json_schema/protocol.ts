import type { JsonSchema } from "../../../schemas/manifest.ts";

/** Other schemas by their addresses: what references may lead to, as nothing is fetched. */
export type KnownDocuments = Readonly<Record<string, JsonSchema | boolean>>;

/** A schema as the worker gets it. */
export interface SchemaJob {
  /** The schema's name in the worker. */
  id: number;
  schema: JsonSchema | boolean;
  documents: KnownDocuments;
  /** Every known `format` is checked; otherwise only where the schema's draft says so. */
  assertFormats: boolean;
}

/** What the worker is asked: to take a schema, to forget it, or to check a value against it. */
export type SchemaQuestion =
  | { n: number; take: SchemaJob }
  | { n: number; forget: number }
  | { n: number; check: number; value: unknown };

/** Something wrong with a value, or with a schema. */
export interface SchemaProblem {
  /** Where, as a JSON Pointer in a fragment: `#/items/0/name`, `#` for all of it. */
  pointer: string;
  /** What is wrong there, as a part of a sentence that follows the pointer. */
  message: string;
}

/**
 * What it answers: what is wrong with the value, or why the question cannot be answered. `left` counts the
 * problems that are not told.
 */
export type SchemaAnswer =
  | { n: number; problems: SchemaProblem[]; left: number }
  | { n: number; failure: SchemaProblem };
