import { isObject } from "../../schemas/json/shape.ts";
import type { ToolResult } from "../../schemas/result.ts";

/** A result with its parts in the forms that callers often want. As JSON it is the result alone. */
export interface ToolboxResult extends ToolResult {
  /** Paths of the files that the call left, in their order. */
  readonly artifactPaths: readonly string[];
  /** Why the call failed; `null` if it succeeded. */
  readonly errorMessage: string | null;
  /** Returns a copy of the output if it is an object, else `{}`. */
  resultDict(): Record<string, unknown>;
  /** Returns a copy of the output if it is a list, else `[]`. */
  resultList(): unknown[];
}

/** Gives a result the forms of its parts. */
export function toolboxResult(result: ToolResult): ToolboxResult {
  return Object.defineProperties({ ...result }, {
    artifactPaths: { get: () => result.artifacts.map(({ path }) => path) },
    errorMessage: { get: () => result.error?.message ?? null },
    resultDict: { value: () => isObject(result.result) ? { ...result.result } : {} },
    resultList: { value: () => Array.isArray(result.result) ? [...result.result] : [] },
  }) as ToolboxResult;
}
