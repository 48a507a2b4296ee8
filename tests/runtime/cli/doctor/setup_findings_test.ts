import { assertEquals, assertStringIncludes } from "@std/assert";

import { browserFinding } from "../../../../runtime/cli/doctor/setup_findings.ts";

Deno.test("doctor says which browser is used, and what helps without one", () => {
  const sh = (name: string) => name === "chromium" ? "/bin/sh" : null;
  assertEquals(browserFinding({}, sh), { check: "browser", state: "ok", detail: "/bin/sh" });
  const named = browserFinding({ BULKHEAD_CHROMIUM: "/nowhere/chrome" }, sh);
  assertEquals(named.state, "warn");
  assertStringIncludes(named.detail, "BULKHEAD_CHROMIUM names /nowhere/chrome, which is not there");
  assertStringIncludes(browserFinding({}, () => null).detail, "install chromium");
});
