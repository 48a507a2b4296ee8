import { assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";

import { bundle } from "../../../scripts/compile/bundle.ts";

const ROOT = fromFileUrl(new URL("../../..", import.meta.url));

Deno.test("a bundle gives back all that its source gives back", async () => {
  const folder = await Deno.makeTempDir({ prefix: "bulkhead-bundle-" });
  try {
    await bundle(ROOT, ["tests/fixtures/bundle/main.ts"], folder);
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-prompt", join(folder, "main.js")],
      stderr: "inherit",
    }).output();
    assertEquals(new TextDecoder().decode(stdout), "used once, returned, awaited, unused");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
