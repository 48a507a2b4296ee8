import { deflateRawSync } from "node:zlib";
import { dirname, join, relative } from "@std/path";
import { stop, transform } from "esbuild";

import { filesBelow } from "./files_below.ts";
import { giveSameNames } from "./same_names.ts";
import { shrinkBundle } from "./shrink_bundle.ts";

/**
 * Shortens names and spaces alone: what `deno bundle --minify` does besides loses `using` declarations. Code of ASCII
 * alone is read without a copy in two bytes a character.
 */
const SHORTER = { minifyWhitespace: true, minifyIdentifiers: true, format: "esm", charset: "ascii" } as const;

/**
 * Modules of packages, and what stands in their place: what they bring takes long to load, and is never used here. The
 * SDK's checker of schemas would take half the time until a client of the server gets its first answer. Rooms import the
 * texts of zod in other languages themselves, for tools of one's own that use them.
 */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "@modelcontextprotocol/server/_shims": `
    export { default as process } from "node:process";
    export class DefaultJsonSchemaValidator {
      constructor() { throw new Error("the compiled program holds no checker of schemas for this"); }
    }`,
  "../locales/index.js": "export {};",
  // The driver of browsers has other ways to one, and another protocol.
  "./bidi.js": "export {};",
  "../node/LaunchOptions.js": "export {};",
  "../node/NodeWebSocketTransport.js": "export {};",
  "@puppeteer/browsers": "export {};",
};

/**
 * Files of packages that are kept compressed: each process of the program reads the whole of the binary when it starts,
 * and few ever use these.
 */
const PACKED: Readonly<Record<string, () => Promise<{ default: Uint8Array }>>> = {
  "@cf-wasm/photon/photon.wasm": () => import("@cf-wasm/photon/photon.wasm", { with: { type: "bytes" } }),
  "@cwasm/jpeg-turbo/jpeg-turbo.wasm": () =>
    import("@cwasm/jpeg-turbo/jpeg-turbo.wasm", { with: { type: "bytes" } }),
  "@cwasm/webp/webp.wasm": () => import("@cwasm/webp/webp.wasm", { with: { type: "bytes" } }),
  "@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff2": () =>
    import("@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff2", { with: { type: "bytes" } }),
  "@fontsource/noto-sans-sc/files/noto-sans-sc-chinese-simplified-400-normal.woff": () =>
    import("@fontsource/noto-sans-sc/files/noto-sans-sc-chinese-simplified-400-normal.woff", {
      with: { type: "bytes" },
    }),
  "@hyzyla/pdfium/pdfium.wasm": () => import("@hyzyla/pdfium/pdfium.wasm", { with: { type: "bytes" } }),
  "echarts/dist/echarts.min.js": () => import("echarts/dist/echarts.min.js", { with: { type: "bytes" } }),
  "@resvg/resvg-wasm/index_bg.wasm": () =>
    import("@resvg/resvg-wasm/index_bg.wasm", { with: { type: "bytes" } }),
};

/** How the bundler imports bytes. */
const AS_BYTES = /(?<="([^"]+)")\s*with\s*\{\s*type:\s*"bytes"\s*\}/g;

/**
 * Bundles modules with all that they import into a folder, as code that is short. Modules that several of them
 * need become files of their own. The same sources make the same bundle, wherever they lie.
 *
 * Needs `--allow-run`, and `--allow-read --allow-write` of the folder.
 *
 * @param root Folder of the configuration file
 * @param entries Paths below it; the bundle of `main.ts` is `main.js`
 */
export async function bundle(root: string, entries: readonly string[], folder: string): Promise<void> {
  const { success, code } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["bundle", "--quiet", "--platform", "deno", "--code-splitting", "--outdir", folder],
      ...[...Object.keys(LEFT_OUT), ...Object.keys(PACKED)].map((name) => `--external=${name}`),
      ...entries,
    ],
    cwd: root,
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`deno bundle failed with exit code ${code}`);
  for (
    const path of filesBelow(folder).filter((name) => name.endsWith(".js")).map((name) => join(folder, name))
  ) {
    const { code } = await transform(await Deno.readTextFile(path), SHORTER);
    await Deno.writeTextFile(path, withStandIns(code, path, folder));
  }
  await stop();
  for (const [name, code] of Object.entries(LEFT_OUT)) {
    await Deno.writeTextFile(join(folder, fileOf(name)), `${code.trim()}\n`);
  }
  for (const [name, bytes] of await assetsOf()) await pack(bytes, join(folder, name));
  await giveSameNames(folder);
}

/**
 * Bundles modules for a binary: what few calls need is compressed.
 *
 * @see bundle
 */
export async function bundleForBinary(
  root: string,
  entries: readonly string[],
  folder: string,
): Promise<void> {
  await bundle(root, entries, folder);
  await shrinkBundle(folder, await assetsOf());
}

/** The packed bytes, by the file of the module that gives them back. */
async function assetsOf(): Promise<Map<string, Uint8Array>> {
  const names = Object.entries(PACKED);
  return new Map(
    await Promise.all(names.map(async ([name, read]) => [fileOf(name), (await read()).default] as const)),
  );
}

/** Writes the module that gives back the bytes of a file. */
async function pack(bytes: Uint8Array, path: string): Promise<void> {
  const packed = deflateRawSync(bytes, { level: 9 }).toString("base64");
  await Deno.writeTextFile(
    path,
    `import { Buffer } from "node:buffer";
import { inflateRawSync } from "node:zlib";
export default new Uint8Array(inflateRawSync(Buffer.from("${packed}", "base64")));
`,
  );
}

/** Leads the imports of what is left out or packed to what stands in its place: modules. */
function withStandIns(code: string, path: string, folder: string): string {
  const names = [...Object.keys(LEFT_OUT), ...Object.keys(PACKED)];
  const plain = code.replace(AS_BYTES, (clause, name) => names.includes(name) ? "" : clause);
  return names.reduce((text, name) => {
    const to = relative(dirname(path), join(folder, fileOf(name)));
    return text.replaceAll(JSON.stringify(name), JSON.stringify(to.startsWith(".") ? to : `./${to}`));
  }, plain);
}

function fileOf(name: string): string {
  return `${name.replace(/\W+/g, "_")}.js`;
}
