import { builtinModules } from "node:module";
import { extname } from "@std/path";
import * as z from "zod";
import type { Plugin } from "@rollup/browser";
import { type Transform, transform } from "sucrase";

import { ToolError } from "../../../schemas/error.ts";
import { PROGRAM_EXPORTS, shared } from "../../rooms/inside/shared_modules.ts";
import { openResolver } from "./resolve_import.ts";
import type { SourceFiles } from "./source_files.ts";

/** What is before the name of a module of the running program. */
const OURS = "\0bulkhead:";
const BUILT_IN = new Set(builtinModules);
/** The name by which packages import zod 4 beside zod 3. */
const ZOD_BY_VERSION = `${shared.zod}/v4`;

/** How the code of a file becomes JavaScript, by its extension. */
const TRANSFORMS: Readonly<Record<string, Transform[]>> = {
  ".ts": ["typescript"],
  ".mts": ["typescript"],
  ".cts": ["typescript"],
  ".tsx": ["typescript", "jsx"],
  ".jsx": ["jsx"],
};

/** Finds and reads what files import. `bulkhead` and `zod` are the running program's own. */
export async function joinFiles(files: SourceFiles): Promise<Plugin> {
  const resolve = await openResolver(files);
  const find = async (specifier: string, importer: string | undefined) => {
    if (importer === undefined) return specifier;
    const name = specifier.replace(/^npm:\/?/, "").replace(/^((?:@[^/]+\/)?[^@/]+)@[^/]*/, "$1");
    if (name === shared.program || name === shared.zod) return OURS + name;
    if (name === ZOD_BY_VERSION) return OURS + shared.zod;
    const plain = specifier.replace(/^node:/, "");
    if (BUILT_IN.has(plain)) return { id: `node:${plain}`, external: true };
    // Names of the bundler's own begin or end so.
    if (specifier.startsWith("\0") || importer.startsWith("\0") || specifier.includes("?")) return null;
    const found = await resolve(specifier, importer);
    if (found !== null) return found;
    throw notFound(specifier, importer);
  };
  const load = async (id: string) => {
    if (id === OURS + shared.program) return exportsOf(shared.program, PROGRAM_EXPORTS);
    if (id === OURS + shared.zod) return exportsOf(shared.zod, Object.keys(z));
    return id.startsWith("\0") ? null : toJavaScript(id, await files.text(id));
  };
  return {
    name: "files",
    resolveId: (specifier, importer) => keepError(find(specifier, importer)),
    load: (id) => keepError(load(id)),
  };
}

/** The bundler writes a code of its own into errors. */
async function keepError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof ToolError ? new Error(error.message, { cause: error }) : error;
  }
}

/** The module is found when the code runs: its place is another one from source than in the binary. */
function exportsOf(module: string, names: readonly string[]): string {
  const lines = names.filter((name) => name !== "default").map((name, at) =>
    `const v${at} = shared[${JSON.stringify(name)}]; export { v${at} as ${name} };`
  );
  const key = JSON.stringify(Symbol.keyFor(shared.symbol));
  return [
    `const shared = globalThis[Symbol.for(${key})][${JSON.stringify(module)}];`,
    ...lines,
    `export default shared${module === shared.zod ? ".z" : ""};`,
  ].join("\n");
}

function toJavaScript(path: string, text: string): string {
  const extension = extname(path);
  if (extension === ".json") return `export default ${text};`;
  const plain = text.replace(/(\bfrom\s*["'][^"'\n]+["'])\s*with\s*\{[^}]*\}/g, "$1");
  const transforms = TRANSFORMS[extension];
  if (transforms === undefined) return plain;
  try {
    const { code } = transform(plain, { transforms, disableESTransforms: true, filePath: path });
    const lost = lostNamespace(plain, code);
    if (lost === undefined) return code;
    throw new Error(
      `${path}: the namespace "${lost}" is not understood in a tool file: write an object, or export from a file`,
    );
  } catch (error) {
    throw new ToolError("invalid_input", error instanceof Error ? error.message : String(error));
  }
}

/** Namespaces would be left out without a word; those of comments and texts stay. */
function lostNamespace(plain: string, code: string): string | undefined {
  const left = namespacesOf(code);
  return namespacesOf(withoutAmbient(plain)).find((name) => {
    const at = left.indexOf(name);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** The names of the namespaces that statements begin to declare. */
function namespacesOf(code: string): string[] {
  return [...code.matchAll(/(?:^|[;{}])\s*(?:export\s+)?(?:namespace|module)\s+([\w$.]+)\s*\{/gm)]
    .map(([, name = ""]) => name);
}

/** Leaves out what is only declared, such as `declare global { … }`: nothing of it runs. */
function withoutAmbient(code: string): string {
  const [opening] = /\bdeclare\s+(?:global|module|namespace)\b[^{;]*\{/.exec(code) ?? [];
  if (opening === undefined) return code;
  const start = code.indexOf(opening);
  let end = start + opening.length;
  for (let open = 1; open > 0 && end < code.length; end++) {
    if (code[end] === "{") open++;
    else if (code[end] === "}") open--;
  }
  return code.slice(0, start) + withoutAmbient(code.slice(end));
}

function notFound(specifier: string, importer: string): ToolError {
  const why = /^(?:https?|jsr|data):/.test(specifier)
    ? "it is not on this disk: nothing is fetched for a tool; install it into node_modules beside the tool"
    : specifier.startsWith(".") || specifier.startsWith("/")
    ? "there is no such file"
    : "there is no such package in the node_modules beside the tool; install it there, with npm or deno install";
  return new ToolError("invalid_input", `Cannot import "${specifier}" in "${importer}": ${why}`);
}
