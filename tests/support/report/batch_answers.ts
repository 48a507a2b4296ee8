import type { BatchAnswer } from "../../../runtime/cli/report/batch_call.ts";
import type { ErrorCode } from "../../../schemas/error.ts";

/** A text with everything that a report must escape. */
export const ODD = "a\0b\x1b[31m\ud800 <&>\"' ]]> | `x` \u2028 100%,\r\nnext";

/** Returns the answer to a call; without a code it succeeded. */
export function call(
  id: string | number,
  code: ErrorCode | null = null,
  changes: Partial<BatchAnswer> = {},
): BatchAnswer {
  const message = `Cannot: ${ODD}`;
  const error = code === null ? null : { code, message, retryable: false, details: {} };
  const result = {
    ...{
      tool_name: "set/Tool",
      ok: code === null,
      result: null,
      text: code === null ? "found 3" : ODD,
      images: [],
    },
    ...{ artifacts: [], warnings: [], error, metadata: { duration_ms: 1500, place: "none" as const } },
  };
  return { id, line: 1, toolName: "set/Tool", input: { path: ODD }, result, met: code === null, ...changes };
}

/** Returns the answer to a call that flags would allow. */
export const refused = (id: string, ...flags: string[]) => {
  const one = call(id, "permission_denied");
  one.result.error!.details = flags[0]?.startsWith("--deny-") ? { flag: flags[0], flags: [] } : { flags };
  return one;
};

/** A call of each kind. */
export const CALLS = [
  call(1),
  call(ODD, "conflict"),
  call("x", "not_found", { line: 9 }),
  call("y", "cancelled"),
  call("expected", "not_found", { met: true }),
  refused("r", "--allow-secrets=/a b/.env"),
];
