import { join } from "@std/path";

import { bundle } from "../compile/bundle.ts";
import { PROGRAM_ENTRIES } from "../compile/compile_bundle.ts";
import { packTar } from "./pack_folder.ts";
import { packageJson, type PackageSystem, platformJson, type ProgramConfig } from "./package_json.ts";
import { writeTypes } from "./write_types.ts";

/** Where the package comes from and goes to. */
export interface PackageRequest {
  /** Folder of the configuration file. */
  root: string;
  config: ProgramConfig;
  /** Path of the archive. */
  output: string;
  /** The packages that hold a binary: with any, the package has the command `bulkhead`. @default none */
  binaries?: readonly string[];
}

/**
 * Makes the package for npm and Deno: the bundled program, its modules, and their types. Needs `--allow-run`, `tar` and
 * `gzip`.
 */
export async function makePackage({ root, config, output, binaries = [] }: PackageRequest): Promise<void> {
  await inStaging(async (folder) => {
    await bundle(root, [...PROGRAM_ENTRIES, ...Object.values(config.exports)], join(folder, "program"));
    await writeTypes(root, join(folder, "types"));
    await writeJson(join(folder, "package.json"), packageJson(config, binaries));
    await Deno.copyFile(join(root, "scripts/package/package_page.md"), join(folder, "README.md"));
    if (binaries.length > 0) {
      await Deno.mkdir(join(folder, "bin"));
      const launcher = join(folder, "bin/bulkhead.mjs");
      await Deno.copyFile(join(root, "scripts/package/launcher.mjs"), launcher);
      await Deno.chmod(launcher, 0o755);
    }
    await Deno.copyFile(join(root, "LICENSE"), join(folder, "LICENSE"));
    await packTar(folder, output);
  });
}

/**
 * Makes the package of one system, which holds nothing but its binary and what it is made of.
 *
 * @param notices Files that go with the binary, by their names
 */
export async function makeBinaryPackage(
  { config, system, binary, notices, output }: {
    config: Pick<ProgramConfig, "version" | "license">;
    system: PackageSystem;
    binary: string;
    notices: Readonly<Record<string, string>>;
    output: string;
  },
): Promise<void> {
  await inStaging(async (folder) => {
    await writeJson(join(folder, "package.json"), platformJson(config, system));
    await Deno.copyFile(binary, join(folder, system.file));
    await Deno.chmod(join(folder, system.file), 0o755);
    for (const [name, text] of Object.entries(notices)) await Deno.writeTextFile(join(folder, name), text);
    await packTar(folder, output);
  });
}

async function inStaging(make: (folder: string) => Promise<void>): Promise<void> {
  const staging = await Deno.makeTempDir({ prefix: "bulkhead-package-" });
  try {
    // npm wants this name.
    await Deno.mkdir(join(staging, "package"));
    await make(join(staging, "package"));
  } finally {
    await Deno.remove(staging, { recursive: true });
  }
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await Deno.writeTextFile(path, `${JSON.stringify(value, null, 2)}\n`);
}
