import { assertEquals } from "@std/assert";

import { OPTIONS } from "../../../runtime/cli/args/options/option_table.ts";
import { ACCESS_KINDS } from "../../../schemas/access.ts";
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

Deno.test("ACCESS_KINDS are the four kinds of grants, each with flags of its own", () => {
  assertEquals(ACCESS_KINDS, ["read", "write", "net", "run"]);
  const flags = Object.keys(OPTIONS);
  for (const kind of ["Read", "Write", "Net", "Run"]) {
    assertEquals([`allow${kind}`, `deny${kind}`].filter((flag) => !flags.includes(flag)), []);
  }
});
