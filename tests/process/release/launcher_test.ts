import { assertEquals, assertMatch } from "@std/assert";
import { fromFileUrl, join } from "@std/path";

import { programTest } from "../../support/needed_programs.ts";
import { run, start } from "../../support/program.ts";

const LAUNCHER = fromFileUrl(new URL("../../../scripts/package/launcher.mjs", import.meta.url));

/** What stands for the program: it says what it was given, and ends as it is told. */
const PROGRAM = `#!/bin/sh
case $1 in
  echo) cat; echo "$2" >&2; exit 7 ;;
  wait) trap 'echo told to end; exit 9' TERM; echo ready; n=0; while [ $n -lt 600 ]; do n=$((n + 1)); sleep 0.05; done ;;
  die) kill -KILL $$ ;;
esac
`;

programTest("the command of the package hands on streams, signals and exit codes", ["node"], async () => {
  const folder = await Deno.makeTempDir({ prefix: "bulkhead-launcher-" });
  try {
    const bin = join(folder, "node_modules/bulkhead/bin");
    await Deno.mkdir(bin, { recursive: true });
    await Deno.copyFile(LAUNCHER, join(bin, "bulkhead.mjs"));
    const options = { program: ["/usr/bin/env", "node", join(bin, "bulkhead.mjs")] };

    const missing = await run(["version"], options);
    assertEquals(missing.code, 6);
    assertMatch(
      missing.stderr,
      /^bulkhead: the package @bulkhead\/\w+-\w+ is not installed: .*include=optional/,
    );

    const [name = ""] = /@bulkhead\/[\w-]+/.exec(missing.stderr) ?? [];
    const home = join(folder, "node_modules", name);
    await Deno.mkdir(home, { recursive: true });
    await Deno.writeTextFile(join(home, "package.json"), "{}");
    await Deno.writeTextFile(join(home, "bulkhead"), PROGRAM, { mode: 0o755 });
    const echo = await run(["echo", "two words"], { ...options, stdin: "typed" });
    assertEquals(echo, { code: 7, stdout: "typed", stderr: "two words\n" });
    const waiting = start(["wait"], options);
    assertEquals(await waiting.nextLine(), "ready");
    waiting.kill("SIGTERM");
    assertEquals(await waiting.ended(), { code: 9, stdout: "told to end\n", stderr: "" });
    // As a shell tells it: 128 and the number of the signal.
    assertEquals((await run(["die"], options)).code, 137);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
