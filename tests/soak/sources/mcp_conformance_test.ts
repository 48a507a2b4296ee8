import { assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";

import { onceTest } from "../../support/box.ts";
import { runSuite } from "../../support/mcp/conformance_suite.ts";

const CONFIG = fromFileUrl(new URL("../../../deno.json", import.meta.url));
const CLIENT = fromFileUrl(new URL("../../fixtures/mcp/conformance_client.ts", import.meta.url));

for (const revision of ["2025-11-25", "2026-07-28"]) {
  onceTest(`the client passes all that the suite requires for ${revision}`, [], async () => {
    const folder = await Deno.makeTempDir();
    try {
      const client = join(folder, "client");
      const words = [
        Deno.execPath(),
        "run",
        "--quiet",
        "--no-prompt",
        "--no-check",
        "--no-lock",
        "--config",
        CONFIG,
      ];
      await Deno.writeTextFile(client, `#!/bin/sh\nexec ${words.join(" ")} --allow-all ${CLIENT} "$@"\n`, {
        mode: 0o700,
      });
      const args = ["client", "--command", client, "--requirements", revision, "-o", join(folder, "out")];
      const { code, said } = await runSuite(args, folder);
      // There are no expected failures among the scored scenarios.
      assertEquals(code, 0, said.slice(-5_000));
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}
