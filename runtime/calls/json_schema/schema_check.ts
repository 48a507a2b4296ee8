import { ToolError } from "../../../schemas/error.ts";
import type { JsonSchema } from "../../../schemas/manifest.ts";
import { entryUrl } from "../../self/entry_urls.ts";
import { requireWorkerOptions } from "../../self/worker_options.ts";

/** What the worker is asked: to take a schema, or to check a value against it. */
export type SchemaQuestion = { schema: JsonSchema } | { value: unknown };

/** What it answers; `failure` is for a schema that cannot be used. */
export type SchemaAnswer = { problems: string[] } | { failure: string };

/** Checks values against a schema. Close it with `using`. */
export interface SchemaCheck extends Disposable {
  schema: JsonSchema;
  /** Says what is wrong with a value, a sentence each; empty if it fits. */
  check(value: unknown): Promise<string[]>;
}

/** Longest check, in milliseconds: a pattern of the schema may never end. */
const CHECK_MS = 10_000;

/**
 * Opens a check of values against a JSON Schema, in a worker without permissions. Needs `read` of the program's own
 * files.
 *
 * @param name The schema's name in errors
 * @throws {ToolError} `invalid_input` for a schema that cannot be used
 */
export async function openSchemaCheck(schema: JsonSchema, name: string): Promise<SchemaCheck> {
  requireWorkerOptions();
  const worker = new Worker(entryUrl("schema_check"), { type: "module", deno: { permissions: "none" } });
  const ask = questioner(worker);
  const taken = await ask({ schema });
  if ("failure" in taken) {
    worker.terminate();
    throw new ToolError("invalid_input", `Cannot use the schema "${name}": ${taken.failure}`);
  }
  return {
    schema,
    async check(value) {
      const answer = await ask({ value });
      if ("problems" in answer) return answer.problems;
      throw new ToolError("internal", `Cannot check the answer against "${name}": ${answer.failure}`);
    },
    [Symbol.dispose]: () => worker.terminate(),
  };
}

function questioner(worker: Worker): (question: SchemaQuestion) => Promise<SchemaAnswer> {
  return async (question) => {
    const { promise, resolve } = Promise.withResolvers<SchemaAnswer>();
    const timer = setTimeout(() => resolve({ failure: `it took longer than ${CHECK_MS} ms` }), CHECK_MS);
    worker.onmessage = ({ data }: MessageEvent<SchemaAnswer>) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault();
      resolve({ failure: event.message });
    };
    worker.postMessage(question);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  };
}
