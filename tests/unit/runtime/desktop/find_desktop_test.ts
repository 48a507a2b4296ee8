import { assertEquals } from "@std/assert";

import { findDesktop, menuEntries } from "../../../../runtime/desktop/find_desktop.ts";

const having = (...names: string[]) => (name: string) => names.includes(name) ? `/usr/bin/${name}` : null;

Deno.test("findDesktop() names the packages that are missing", () => {
  assertEquals(findDesktop(having("Xvfb", "openbox")), {
    programs: { display: "/usr/bin/Xvfb", manager: "/usr/bin/openbox" },
    missing: null,
  });
  assertEquals(findDesktop(having("openbox")), { programs: null, missing: ["xvfb"] });
  assertEquals(findDesktop(having()), { programs: null, missing: ["xvfb", "openbox"] });
});

Deno.test("menuEntries() has what the user named first, and one program of each kind", () => {
  const find = having("xterm", "stterm", "mousepad", "gedit");
  assertEquals(menuEntries(["sheet"], { find, isRoot: false }).map(({ program }) => program), [
    "sheet",
    "stterm",
    "mousepad",
  ]);
  assertEquals(menuEntries(["gedit"], { find, isRoot: false }).map(({ program }) => program), [
    "gedit",
    "stterm",
  ]);
  assertEquals(menuEntries([], { find: having("xterm"), isRoot: false }), [
    { label: "Terminal", program: "xterm" },
  ]);
  assertEquals(menuEntries([], { find: having("xterm"), isRoot: true }), []);
});
