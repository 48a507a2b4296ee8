import { dirname, fromFileUrl, join, resolve } from "@std/path";
import { exports as exportedPaths, imports as importedPaths } from "resolve.exports";

import { isObject } from "../../../schemas/json/shape.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { findInCache, rangeOf } from "./npm_cache.ts";
import { outsidePackage, type SourceFiles } from "./source_files.ts";

/** Finds what a file imports; `null` if there is nothing of this name. */
export type Resolve = (specifier: string, importer: string) => Promise<string | null>;

const CONFIGS = ["deno.json", "deno.jsonc"];
const EXTENSIONS = [".ts", ".mts", ".tsx", ".js", ".mjs", ".cjs", ".json"];
/** TypeScript is imported by the name of the JavaScript that it would become. */
const WRITTEN_AS: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx"],
  ".mjs": [".mts"],
  ".cjs": [".cts"],
};

/** A package that a file asks for. */
interface Wanted {
  name: string;
  /** Below it, `""` or with a `/` first. */
  path: string;
  /** Which version, where it says so. */
  range: string;
}

/**
 * Makes what finds imports: by the names of the package's `deno.json`, by paths, in `node_modules` folders, and for
 * `npm:` names in Deno's own cache.
 */
export async function openResolver(files: SourceFiles): Promise<Resolve> {
  const { root } = files;
  const config = await files.first(root, CONFIGS);
  const names = config === null ? {} : (await files.json(config))?.imports;
  const map = isObject(names) ? names : {};
  return async (specifier, importer) => {
    const isForeign = importer.includes("/node_modules/") || !isInside(root, importer);
    const mapped = isForeign ? null : mappedBy(map, specifier);
    const from = mapped === null ? dirname(importer) : root;
    const target = mapped ?? specifier;
    if (target.startsWith("file:")) return await findFile(files, fromFileUrl(target));
    if (/^[./]/.test(target)) return await findFile(files, resolve(from, target));
    if (target.startsWith("#")) return await findOwnName(files, target, importer);
    const wanted = readPackage(target);
    if (wanted === null) return null;
    return await findInFolders(files, wanted, from) ??
      await findCached(files, wanted, { importer, isNpm: target.startsWith("npm:") });
  };
}

/** `null` for what is no package of npm. */
function readPackage(target: string): Wanted | null {
  const [, name, range = "", path = ""] =
    /^((?:@[^/]+\/)?[^@/:]+)(?:@([^/]*))?(\/.*)?$/.exec(target.replace(/^npm:\/?/, "")) ?? [];
  return name === undefined ? null : { name, range, path };
}

/** The target of a name in the imports of `deno.json`: the whole name, or one that ends with `/` and begins it. */
function mappedBy(map: Record<string, unknown>, specifier: string): string | null {
  const key = Object.hasOwn(map, specifier)
    ? specifier
    : Object.keys(map).filter((name) => name.endsWith("/") && specifier.startsWith(name))
      .toSorted((a, b) => b.length - a.length)[0];
  const target = key === undefined ? null : map[key];
  if (typeof target === "string") return target + specifier.slice(key!.length);
  // `deno add` writes one name for a package and all below it.
  const [, name, path] = /^((?:@[^/]+\/)?[^@/]+)(\/.+)$/.exec(specifier) ?? [];
  const whole = name === undefined ? null : map[name];
  return typeof whole === "string" && whole.startsWith("npm:") ? whole + path : null;
}

async function findFile(files: SourceFiles, path: string): Promise<string | null> {
  if (!files.mayHold(path)) throw outsidePackage(path, files.root);
  const [, stem = path, extension = ""] = /^(.*)(\.[cm]?js)$/.exec(path) ?? [];
  return await files.first("/", [
    path,
    ...(WRITTEN_AS[extension] ?? []).map((other) => stem + other),
    ...EXTENSIONS.map((other) => path + other),
    ...EXTENSIONS.map((other) => join(path, `index${other}`)),
  ]);
}

/** A name that begins with `#` is one of the package's own. */
async function findOwnName(files: SourceFiles, name: string, importer: string): Promise<string | null> {
  for (let folder = dirname(importer); files.mayHold(folder); folder = dirname(folder)) {
    const own = await files.json(join(folder, "package.json"));
    if (own === null) continue;
    const [target] = importedPaths(own, name, { conditions: ["deno", "node"] }) ?? [];
    return target === undefined ? null : await findFile(files, join(folder, target));
  }
  return null;
}

async function findInFolders(files: SourceFiles, wanted: Wanted, from: string): Promise<string | null> {
  for (let folder = from; isInside(files.root, folder); folder = dirname(folder)) {
    const found = await findInPackage(files, join(folder, "node_modules", wanted.name), wanted.path);
    if (found !== null || folder === "/") return found;
  }
  return null;
}

async function findCached(
  files: SourceFiles,
  { name, range, path }: Wanted,
  { importer, isNpm }: { importer: string; isNpm: boolean },
): Promise<string | null> {
  const { cache } = files;
  if (cache === null) return null;
  const isCached = isInside(cache, importer);
  const asked = isCached ? await rangeOf(name, { importer, cache, files }) : isNpm ? { name, range } : null;
  const home = asked && findInCache(cache, asked.name, asked.range);
  return home && await findInPackage(files, home, path);
}

async function findInPackage(files: SourceFiles, home: string, path: string): Promise<string | null> {
  const own = await files.json(join(home, "package.json"));
  if (own === null) return null;
  if (own.exports !== undefined) {
    const [target] = exportedPaths(own, `.${path}`, { conditions: ["deno", "node"] }) ?? [];
    return target === undefined ? null : await findFile(files, join(home, target));
  }
  if (path !== "") return await findFile(files, join(home, path));
  for (const main of [own.module, own.main, "index.js"]) {
    const found = typeof main === "string" ? await findFile(files, join(home, main)) : null;
    if (found !== null) return found;
  }
  return null;
}
