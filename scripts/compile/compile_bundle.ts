import { dirname, join } from "@std/path";

import { ENTRIES } from "../../runtime/self/entry_urls.ts";
import { OUTER_PERMISSIONS, V8_FLAGS } from "../../runtime/self/find_self.ts";

/** What the bundle of the program is made of. */
export const PROGRAM_ENTRIES: readonly string[] = [
  "main.ts",
  ...ENTRIES.map((name) => `runtime/entries/${name}.ts`),
];

/** How a bundle becomes a binary. */
export interface Compilation {
  /** The Deno that compiles. */
  deno: string;
  /** Folder with the bundle, in a folder for what lasts as long as it. */
  bundle: string;
  output: string;
  /** A system as Deno names it. @default this one */
  triple?: string | undefined;
  /** The runtime of that system. @default what `DENORT_BIN` names, else one that Deno fetches */
  denort?: string | null | undefined;
}

/**
 * Makes a binary of the bundle of the program. Needs `--allow-run` and `--allow-env`.
 *
 * @throws {Error} If Deno cannot compile, with its reason: for instance, it cannot fetch its runtime
 */
export async function compileBundle({ deno, bundle, output, triple, denort }: Compilation): Promise<void> {
  const { DENORT_BIN, ...env } = Deno.env.toObject();
  const runtime = denort === null ? undefined : denort ?? DENORT_BIN;
  // In the cache of all, another version of Deno would throw away what this one has compiled.
  const own = runtime ? { DENORT_BIN: runtime, DENO_DIR: join(dirname(bundle), "cache") } : {};
  const { success, code, stderr } = await new Deno.Command(deno, {
    args: [
      ...[
        "compile",
        "--quiet",
        "--no-check",
        "--no-prompt",
        "--unstable-worker-options",
        "--unstable-raw-imports",
      ],
      // Its file in the shared folder for temporary files could be planted by others, and saves nothing.
      "--no-code-cache",
      `--v8-flags=${V8_FLAGS}`,
      ...OUTER_PERMISSIONS,
      ...(triple ? ["--target", triple] : []),
      ...["--include", bundle, "--output", output, join(bundle, "main.js")],
    ],
    // Deno would pack everything that a config or lock file beside the entry lists.
    cwd: bundle,
    clearEnv: true,
    env: { ...env, ...own, NO_COLOR: "1", RUST_LIB_BACKTRACE: "0" },
    stdout: "inherit",
    stderr: "piped",
  }).output();
  if (success) return;
  const why = new TextDecoder().decode(stderr).trim().replace(/\s+/g, " ");
  throw new Error(`deno compile failed with exit code ${code}: ${why}`);
}
