import { deflateRawSync } from "node:zlib";
import { join } from "@std/path";
import { build, stop } from "esbuild";

import { filesBelow } from "./files_below.ts";
import { BUILT_AT } from "./same_names.ts";

/** Smaller files cost more to unpack than to read. */
const LARGE = 64 * 1024;
const LARGEST_HELPER = 4096;
/** Files that the way of every call needs, and entries of workers. */
const KEPT = /^(?:manifest-[^/]*|main)\.js$|^runtime\//;
/** Where a packed module lies, for code that asks for it: no file. */
const PLACE = "file:///packed.js";

/**
 * Compresses the large files of a bundle that few calls need: each process of the binary reads the whole of it when it
 * starts, so each megabyte costs a millisecond. Modules that import nothing of the bundle stay modules of the same name,
 * which unpack their code when they are loaded. Needs `read`, `write`, and `run` for esbuild.
 *
 * @param assets Bytes by the name of the module that gives them back
 */
export async function shrinkBundle(folder: string, assets: ReadonlyMap<string, Uint8Array>): Promise<void> {
  for (const [name, bytes] of assets) {
    await writePacked(folder, name, bytes, (unpacked) => `export default new Uint8Array(${unpacked});\n`);
  }
  const helper = helperOf(folder);
  for (const name of filesBelow(folder)) {
    if (!name.endsWith(".js") || name.includes("/") || KEPT.test(name) || assets.has(name)) continue;
    if (Deno.statSync(join(folder, name)).size < LARGE) continue;
    const { code, names, parts } = await joinParts(folder, name);
    if (parts.some((part) => part !== name && part !== helper)) continue;
    await writePacked(folder, name, code, (unpacked) => stubOf(names, unpacked));
  }
  await stop();
}

/** The module that imports the code from its own text, and gives the same names. */
function stubOf(names: readonly string[], unpacked: string): string {
  const given = names.map((name) =>
    name === "default" ? "export default m.default;" : `export const ${name}=m.${name};`
  );
  return `const m=await import("data:text/javascript;base64,"+${unpacked}.toString("base64"));
${given.join("\n")}
`;
}

async function writePacked(
  folder: string,
  name: string,
  bytes: Uint8Array,
  moduleOf: (unpacked: string) => string,
): Promise<void> {
  const packed = name.replace(/js$/, "deflate");
  await Deno.writeFile(join(folder, packed), deflateRawSync(bytes, { level: 9 }));
  await Deno.writeTextFile(
    join(folder, name),
    `import packed from "./${packed}" with { type: "bytes" };
import { inflateRawSync } from "node:zlib";
${moduleOf("inflateRawSync(packed)")}`,
  );
  for (const file of [packed, name]) await Deno.utime(join(folder, file), BUILT_AT, BUILT_AT);
}

/** The file with what the bundler itself adds: it keeps nothing, so each module may have its own. */
function helperOf(folder: string): string | undefined {
  return filesBelow(folder).find((name) =>
    /\bas __commonJS\b/.test(Deno.readTextFileSync(join(folder, name)).slice(-LARGEST_HELPER))
  );
}

/** A module together with all that it imports from the bundle. */
async function joinParts(folder: string, name: string) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    entryPoints: [name],
    bundle: true,
    metafile: true,
    write: false,
    outdir: folder,
    format: "esm",
    external: ["node:*"],
    define: { "import.meta.url": JSON.stringify(PLACE) },
    minifyWhitespace: true,
    minifyIdentifiers: true,
    charset: "ascii",
  });
  const [output] = Object.values(metafile.outputs);
  return {
    code: outputFiles[0]!.contents,
    names: output!.exports,
    parts: Object.keys(metafile.inputs),
  };
}
