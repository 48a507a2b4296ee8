import type { JsonSchema } from "../../../schemas/manifest.ts";
import type { SchemaCheck } from "../../calls/json_schema/schema_check.ts";
import type { SchemaChecker } from "../../calls/json_schema/schema_checker.ts";

/**
 * Checks against the JSON Schemas of functions of the embedding program, all in one worker, which starts with the first
 * check and stays. A schema is taken once. Close it with `using`.
 */
export class HereSchemas implements Disposable {
  #checker: SchemaChecker | undefined;
  readonly #checks = new WeakMap<JsonSchema, Promise<SchemaCheck>>();
  #isClosed = false;

  /**
   * Says what is wrong with a value, a sentence each; empty if it fits. Needs `read` of the program's own files.
   *
   * @param name The schema's name in errors
   * @throws {ToolError} `invalid_input` for a schema that cannot be used; `cancelled` after the end
   */
  async check(schema: JsonSchema, name: string, value: unknown): Promise<string[]> {
    const opening = this.#checks.get(schema) ?? this.#take(schema, name);
    this.#checks.set(schema, opening);
    return await (await opening).check(value);
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#checker?.[Symbol.dispose]();
  }

  async #take(schema: JsonSchema, name: string): Promise<SchemaCheck> {
    const { SchemaChecker } = await import("../../calls/json_schema/schema_checker.ts");
    const { takeCheck } = await import("../../calls/json_schema/schema_check.ts");
    const checker = this.#checker ??= new SchemaChecker();
    // It says by itself that the run is over.
    if (this.#isClosed) checker[Symbol.dispose]();
    return await takeCheck(checker, schema, name);
  }
}
