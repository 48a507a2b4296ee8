import { assertEquals, assertStringIncludes } from "@std/assert";

import { browserFinding, desktopFinding } from "../../../../../runtime/cli/doctor/setup_findings.ts";

Deno.test("doctor says which browser is used, and what helps without one", () => {
  const sh = (name: string) => name === "chromium" ? "/bin/sh" : null;
  assertEquals(browserFinding({}, sh), { check: "browser", state: "ok", detail: "/bin/sh" });
  const named = browserFinding({ BULKHEAD_CHROMIUM: "/nowhere/chrome" }, sh);
  assertEquals(named.state, "warn");
  assertStringIncludes(named.detail, "BULKHEAD_CHROMIUM names /nowhere/chrome, which is not there");
  assertStringIncludes(browserFinding({}, () => null).detail, "install chromium");
});

Deno.test("doctor says what makes the desktop and what its menu offers, or what to install", () => {
  const all = ["Xvfb", "openbox", "xterm", "gedit"];
  const among = (names: readonly string[]) => (name: string) =>
    names.includes(name) ? `/usr/bin/${name}` : null;
  const found = desktopFinding(among(all), { isRoot: false });
  assertEquals(found.state, "ok");
  assertEquals(found.detail, "/usr/bin/Xvfb and /usr/bin/openbox; its menu offers xterm, gedit");
  // It starts nothing for root.
  assertStringIncludes(desktopFinding(among(all), { isRoot: true }).detail, "offers gedit");
  const empty = desktopFinding(among(["Xvfb", "openbox"]), { isRoot: false });
  assertEquals(empty.state, "warn");
  assertStringIncludes(empty.detail, "its menu is empty: install a terminal");
  const half = desktopFinding(among(["Xvfb"]), { isRoot: false });
  assertEquals([half.state, half.detail], [
    "warn",
    "no desktop: install it with: apt-get install openbox",
  ]);
});
