import { type ErrorInfo, ToolError } from "../../schemas/error.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import type { Carrier } from "../calls/catalog/carrier.ts";
import { failedResult, toToolError } from "../calls/failed_result.ts";
import type { Refine } from "./config/response_types.ts";

/**
 * Makes a carrier that checks the arguments of a tool whose schema is foreign, with all that the schema says, before
 * the call. What rooms find wrong themselves they say in their own words.
 */
export function checkedCarrier(carrier: Carrier, refine: Refine): Carrier {
  return {
    async call(tool, input, options) {
      const started = performance.now();
      const error = await findError(tool, { input, refine });
      if (error === null) return await carrier.call(tool, input, options);
      const result = failedResult(tool, error, { durationMs: Math.round(performance.now() - started) });
      return { result, facts: { targets: [], analyses: [], programs: [], connections: [] } };
    },
    async explain(tool, input, options) {
      const error = await findError(tool, { input, refine });
      if (error === null) return await carrier.explain(tool, input, options);
      return { targets: [], analyses: [], warnings: [], preview: null, error };
    },
  };
}

async function findError(
  tool: ManifestEntry,
  call: { input: unknown; refine: Refine },
): Promise<ErrorInfo | null> {
  try {
    await checkArguments(tool, call);
    return null;
  } catch (error) {
    return toToolError(error).toInfo();
  }
}

/** Both modules come when they are needed, as few tools have a foreign schema. */
async function checkArguments(
  tool: ManifestEntry,
  { input, refine }: { input: unknown; refine: Refine },
): Promise<void> {
  const { describeMismatch, repairInput } = await import("../../schemas/json/repair.ts");
  const { value } = repairInput(tool.input_schema, input, { cuts: tool.cuts_long === true });
  if (describeMismatch(tool.input_schema, value).length > 0) return;
  const { openSchemaCheck } = await import("../calls/json_schema/schema_check.ts");
  using check = await openSchemaCheck(tool.input_schema, `response type of ${tool.full_name}`);
  const problems = await check.check(value);
  if (problems.length === 0) problems.push(...await refine(typedValue(tool, value)));
  if (problems.length > 0) throw new ToolError("invalid_input", problems.join("; "));
}

function typedValue({ chosen_type: chosen }: ManifestEntry, value: unknown): unknown {
  return chosen?.whole === false ? (value as Record<string, unknown>)[chosen.argument] : value;
}
