import { assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";

import { onceTest } from "../../support/box.ts";
import { runSuite } from "../../support/mcp/conformance_suite.ts";
import { program } from "../../support/program.ts";

/** Longest time that the server may take to end, in milliseconds. */
const ENDING_MS = 10_000;
const FIXTURE = fromFileUrl(new URL("../../fixtures/mcp/serve_fixture.ts", import.meta.url));

async function passes(revision: string, words: (folder: string) => readonly string[]): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const args = [...words(folder), "--requirements", revision, "-o", join(folder, "out")];
    const { code, said } = await runSuite(args, folder);
    // There are no expected failures among the scored scenarios.
    assertEquals(code, 0, said.slice(-5_000));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Starts the server with the tools that the suite calls. */
async function startFixture() {
  const [deno, ...flags] = program();
  const words = flags.map((word) => word.endsWith("main.ts") ? FIXTURE : word);
  const child = new Deno.Command(deno!, { args: words, stdin: "piped", stdout: "piped", stderr: "null" })
    .spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value = "" } = await reader.read();
  return {
    port: Number(value),
    async [Symbol.asyncDispose]() {
      await child.stdin.close();
      await reader.cancel();
      const timer = setTimeout(() => child.kill("SIGKILL"), ENDING_MS);
      const { success } = await child.status;
      clearTimeout(timer);
      assertEquals(success, true);
    },
  };
}

const CONFIG = fromFileUrl(new URL("../../../deno.json", import.meta.url));
const CLIENT = fromFileUrl(new URL("../../fixtures/mcp/conformance_client.ts", import.meta.url));

const WORDS =
  `${Deno.execPath()} run --quiet --no-prompt --no-check --no-lock --config ${CONFIG} --allow-all`;

for (const revision of ["2025-11-25", "2026-07-28"]) {
  onceTest(`the server passes all that the suite requires for ${revision}`, [], async () => {
    await using server = await startFixture();
    await passes(revision, () => ["server", "--url", `http://127.0.0.1:${server.port}/mcp`]);
  });
  onceTest(
    `the client passes all that the suite requires for ${revision}`,
    [],
    () =>
      passes(revision, (folder) => {
        const client = join(folder, "client");
        Deno.writeTextFileSync(client, `#!/bin/sh\nexec ${WORDS} ${CLIENT} "$@"\n`, { mode: 0o700 });
        return ["client", "--command", client];
      }),
  );
}
