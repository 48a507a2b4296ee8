import { ToolError } from "../../schemas/error.ts";

/** Returns the error of what the package on Node cannot do. */
export function onlyOnDeno(what: string): ToolError {
  return new ToolError(
    "unavailable",
    `Only on Deno: ${what}. On Node there is createRunner, without functions of yours`,
  );
}

/** On Deno, the agent for TypeScript. On Node, run `bulkhead run --events` instead. */
export function noAgent(_options?: unknown): never {
  throw onlyOnDeno("createAgent; run the program with run --events or run --json instead");
}

/** On Deno, the tools of all sources in one object. */
export class NoToolbox {
  /**
   * Makes none.
   *
   * @throws {ToolError} Always
   */
  constructor(_options?: unknown) {
    throw onlyOnDeno("Toolbox");
  }
}

/** On Deno, tools in the form of OpenManus. */
export function noToolCollection(..._given: unknown[]): never {
  throw onlyOnDeno("toToolCollection");
}

/** On Deno, a result in the form of OpenManus. */
export function noManusResult(..._given: unknown[]): never {
  throw onlyOnDeno("toManusResult");
}

/** On Deno, schemas of tools without a runner. */
export function noToolSchemas(..._given: unknown[]): never {
  throw onlyOnDeno("toolSchemas without a runner; here a runner has toolSchemas()");
}
