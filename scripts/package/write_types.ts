import { dirname, join } from "@std/path";

import { filesBelow } from "../compile/files_below.ts";

/** What has no types of the package's own. */
const LEFT_OUT = /^(?:schemas\/ambient|scripts|tests|tools)\//;

/** Names of Deno that types mention, for those who have no types of Deno. */
const DENO_NAMES = "deno_names.d.ts";

/**
 * Writes the declarations of all that the exported modules name, as `deno pack` makes them. Needs `--allow-run`, and
 * `--allow-read --allow-write` of the folder.
 *
 * @param root Folder of the configuration file
 * @throws {Error} If an exported module would have no types
 */
export async function writeTypes(root: string, folder: string): Promise<void> {
  const temporary = await Deno.makeTempDir({ prefix: "bulkhead-types-" });
  try {
    const archive = join(temporary, "package.tgz");
    await run(Deno.execPath(), ["pack", "--quiet", "--allow-dirty", "--no-source-maps", "-o", archive], root);
    await run("tar", ["--extract", "--file", archive], temporary);
    const unpacked = join(temporary, "package");
    for (const path of filesBelow(unpacked)) {
      if (!path.endsWith(".d.ts") || LEFT_OUT.test(path)) continue;
      await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
      const text = await Deno.readTextFile(join(unpacked, path));
      const names = /\bDeno\.\w+\b(?!\()/.test(withoutComments(text)) ? referenceTo(path) : "";
      await Deno.writeTextFile(join(folder, path), names + text);
    }
    await Deno.copyFile(join(root, "scripts/package", DENO_NAMES), join(folder, DENO_NAMES));
    const missing = missingImports(folder);
    if (missing.length > 0) throw new Error(`types are missing: ${missing.join(", ")}`);
  } finally {
    await Deno.remove(temporary, { recursive: true });
  }
}

function withoutComments(text: string): string {
  return text.replace(/\/\*.*?\*\//gs, "");
}

function referenceTo(path: string): string {
  return `/// <reference path="${"../".repeat(path.split("/").length - 1)}${DENO_NAMES}" />\n`;
}

/** The imports of declarations that lead nowhere, as a file and a path each. */
function missingImports(folder: string): string[] {
  const paths = filesBelow(folder);
  return paths.flatMap((path) => {
    const text = withoutComments(Deno.readTextFileSync(join(folder, path)));
    return [...text.matchAll(/(?:from |import\()"([^"]+)"/g)]
      .map(([, to = ""]) => to)
      .filter((to) => !paths.includes(join(dirname(path), to).replace(/\.js$/, ".d.ts")))
      .map((to) => `${path} imports ${to}`);
  });
}

/** It tells of each module without types, which are most: only the exported ones have some. */
async function run(program: string, args: string[], cwd: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args, cwd, stdout: "null", stderr: "piped" })
    .output();
  if (!success) throw new Error(`${program} failed: ${new TextDecoder().decode(stderr)}`);
}
