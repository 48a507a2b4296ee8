import { assertEquals } from "@std/assert";

import { browserBinary } from "../../../../runtime/browser/browser_binary.ts";

Deno.test("a package's script is replaced by the program that it starts, a user's own script is not", () => {
  const top = Deno.makeTempDirSync({ prefix: "bulkhead-test-" });
  try {
    for (const folder of ["bin", "chromium", "chrome", "mine"]) Deno.mkdirSync(`${top}/${folder}`);
    const file = (path: string, text: string) => Deno.writeTextFileSync(`${top}/${path}`, text);
    file("chromium/chromium", "\x7fELF");
    file("chrome/chrome", "\x7fELF");
    for (const script of ["bin/chromium", "chrome/google-chrome", "mine/chromium"]) {
      file(script, "#!/bin/sh\n");
    }
    file("bin/chromium-real", "\x7fELF");
    Deno.symlinkSync(`${top}/chrome/google-chrome`, `${top}/bin/google-chrome`);
    const binaries = [`${top}/chromium/chromium`, `${top}/chrome/chrome`, `${top}/edge/edge`];
    const started = (path: string) => browserBinary(`${top}/${path}`, { binaries, scripts: `${top}/bin` });
    assertEquals(started("bin/chromium"), binaries[0]);
    assertEquals(started("bin/google-chrome"), binaries[1]);
    assertEquals(started("mine/chromium"), `${top}/mine/chromium`);
    assertEquals(started("bin/chromium-real"), `${top}/bin/chromium-real`);
    assertEquals(started("bin/missing"), `${top}/bin/missing`);
  } finally {
    Deno.removeSync(top, { recursive: true });
  }
});
