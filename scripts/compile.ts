// Makes dist/bulkhead: bundles main and the workers, then compiles the bundle, so that only what is used is packed.
//   deno task compile [--deno PATH] [--target TRIPLE] [--output FILE]
// --deno names the Deno that compiles (default: this one); DENORT_BIN names its runtime where it cannot be fetched.
import { parseArgs } from "node:util";
import { fromFileUrl, join, resolve } from "@std/path";

import { bundleForBinary } from "./compile/bundle.ts";
import { compileBundle, PROGRAM_ENTRIES } from "./compile/compile_bundle.ts";

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
  const bundle = join(staging, "bundle");
  await bundleForBinary(root, PROGRAM_ENTRIES, bundle);
  await Deno.mkdir(join(output, ".."), { recursive: true });
  await compileBundle({ deno: values.deno, bundle, output, triple: values.target });
} finally {
  await Deno.remove(staging, { recursive: true });
}
