import { assertEquals } from "@std/assert";

import { findChromium } from "../../../../runtime/browser/find_chromium.ts";

const installed = (...names: string[]) => (name: string) => names.includes(name) ? `/usr/bin/${name}` : null;

Deno.test("the browser that the user names wins, and is not replaced by another one", () => {
  const find = installed("chromium", "brave");
  const named = (BULKHEAD_CHROMIUM: string) => findChromium({ BULKHEAD_CHROMIUM }, find);
  assertEquals(named("/opt/chrome/chrome"), { path: "/opt/chrome/chrome", named: true });
  assertEquals(named("brave"), { path: "/usr/bin/brave", named: true });
  assertEquals(named("missing"), null);
  assertEquals(named(" "), { path: "/usr/bin/chromium", named: false });
});

Deno.test("without a name the usual ones are looked for, in order", () => {
  assertEquals(findChromium({}, installed("google-chrome", "chromium"))?.path, "/usr/bin/chromium");
  assertEquals(findChromium({}, installed("google-chrome"))?.path, "/usr/bin/google-chrome");
  assertEquals(findChromium({}, installed("firefox")), null);
});
