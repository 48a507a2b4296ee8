// Makes dist/bulkhead: bundles main and the workers, then compiles the bundle, so that only what is used is packed.
//   deno task compile [--deno PATH] [--target TRIPLE] [--output FILE]
// --deno names the Deno that compiles (default: this one); DENORT_BIN names its runtime where it cannot be fetched.
import { parseArgs } from "node:util";
import { fromFileUrl, join, resolve } from "@std/path";

import { ENTRIES } from "../runtime/self/entry_urls.ts";
import { OUTER_PERMISSIONS, V8_FLAGS } from "../runtime/self/find_self.ts";
import { bundle } from "./compile/bundle.ts";

const root = fromFileUrl(new URL("..", import.meta.url));
const { values } = parseArgs({
  args: Deno.args,
  options: {
    deno: { type: "string", default: Deno.execPath() },
    target: { type: "string" },
    output: { type: "string", default: join(root, "dist", "bulkhead") },
  },
});
const output = resolve(Deno.env.get("INIT_CWD") ?? Deno.cwd(), values.output);
const staging = await Deno.makeTempDir({ prefix: "bulkhead-compile-" });
try {
  await bundle(root, ["main.ts", ...ENTRIES.map((name) => `runtime/entries/${name}.ts`)], staging);
  await Deno.mkdir(join(output, ".."), { recursive: true });
  // Runs in the staging folder: Deno would pack everything that a config or lock file beside the entry lists.
  await run(values.deno, [
    ...[
      "compile",
      "--quiet",
      "--no-check",
      "--no-prompt",
      "--unstable-worker-options",
      // Its file in the shared folder for temporary files could be planted by others, and saves nothing.
      "--no-code-cache",
      `--v8-flags=${V8_FLAGS}`,
    ],
    ...OUTER_PERMISSIONS,
    ...(values.target ? ["--target", values.target] : []),
    ...["--include", staging, "--output", output, join(staging, "main.js")],
  ], staging);
} finally {
  await Deno.remove(staging, { recursive: true });
}

async function run(program: string, args: string[], cwd: string): Promise<void> {
  const { success, code } = await new Deno.Command(program, {
    args,
    cwd,
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`${program} ${args[0]} failed with exit code ${code}`);
}
