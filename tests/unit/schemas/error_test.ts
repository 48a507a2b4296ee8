import { assertEquals } from "@std/assert";

import { EXIT_CODES, exitCodeOf, ToolError } from "../../../schemas/error.ts";

Deno.test("exitCodeOf() is what scripts of users rely on", () => {
  const codes = Object.keys(EXIT_CODES) as (keyof typeof EXIT_CODES)[];
  assertEquals(Object.fromEntries(codes.map((code) => [code, exitCodeOf(code)])), {
    not_found: 1,
    conflict: 1,
    unavailable: 1,
    internal: 1,
    invalid_input: 2,
    permission_denied: 3,
    denied_by_policy: 3,
    unauthenticated: 4,
    external_failure: 5,
    rate_limited: 5,
    configuration: 6,
    limit_exceeded: 7,
    output_invalid: 8,
    timeout: 124,
    cancelled: 130,
  });
});

Deno.test("new ToolError() may be tried again only where nothing has to change for that", () => {
  const codes = Object.keys(EXIT_CODES) as (keyof typeof EXIT_CODES)[];
  const retryable = codes.filter((code) => new ToolError(code, "x").retryable);
  assertEquals(retryable, ["external_failure", "rate_limited", "timeout"]);
  assertEquals(new ToolError("conflict", "x", { retryable: true }).toInfo(), {
    code: "conflict",
    message: "x",
    retryable: true,
    details: {},
  });
});
