import { dirname, join, normalize, relative } from "@std/path";
import { build, type Plugin } from "esbuild";

import { filesBelow } from "./files_below.ts";
import { BUILT_AT } from "./same_names.ts";

/** What starts together most often, as the beginnings of the names of files. */
const WAYS: readonly (readonly string[])[] = [
  ["main", "run_cli", "version"],
  ["main", "run_cli", "call"],
  ["main", "room_process"],
  ["runtime/entries/room"],
];
/** Files that are started by their names. */
const STARTED = /^main\.js$|^runtime\//;

/**
 * Joins the chunks of a bundle that the usual ways through the program load together: each module costs a tenth of a
 * millisecond, and a call in a sandbox would load two hundred. Chunks become modules of the same names that only pass on.
 * Needs `read`, `write`, and `run` for esbuild.
 */
export async function joinChunks(folder: string): Promise<void> {
  const files = filesBelow(folder).filter((name) => name.endsWith(".js"));
  const parts = new Map<string, { imports: string[]; exports: string[] }>();
  for (const name of files) parts.set(name, await readPart(folder, name));
  const groups = groupsOf(parts);
  const groupOf = new Map(groups.flatMap(({ name, members }) => members.map((member) => [member, name])));
  const written = new Map<string, string>();
  for (const { name, members } of groups) {
    const entry = members.map((member) => passOn(parts.get(member)!.exports, member)).join("");
    written.set(name, await rebuild(folder, { name, entry, members, groupOf }));
  }
  for (const name of files) {
    if (groupOf.has(name) || !parts.get(name)!.imports.some((part) => groupOf.has(part))) continue;
    const entry = await Deno.readTextFile(join(folder, name));
    written.set(name, await rebuild(folder, { name, entry, members: [], groupOf }));
  }
  for (const [member, group] of groupOf) {
    written.set(member, passOn(parts.get(member)!.exports, group));
  }
  for (const [name, code] of written) {
    await Deno.writeTextFile(join(folder, name), code);
    await Deno.utime(join(folder, name), BUILT_AT, BUILT_AT);
  }
}

/** The chunks of one group are loaded by the same ways. So groups import each other in one direction only. */
function groupsOf(parts: ReadonlyMap<string, { imports: string[]; exports: string[] }>) {
  const loaded = WAYS.map((roots) => {
    const seen = new Set<string>();
    const visit = (name: string) => {
      if (seen.has(name)) return;
      seen.add(name);
      parts.get(name)?.imports.forEach(visit);
    };
    for (const root of roots) visit(fileOf(root, [...parts.keys()]));
    return seen;
  });
  const byWays = new Map<string, string[]>();
  for (const name of parts.keys()) {
    const ways = loaded.flatMap((seen, at) => seen.has(name) ? [at] : []).join("");
    if (ways !== "" && !STARTED.test(name)) byWays.set(ways, [...byWays.get(ways) ?? [], name]);
  }
  return [...byWays].map(([ways, names]) => ({
    name: `joined-${ways}.js`,
    members: withoutClashes(names, parts),
  }));
}

/** Of two chunks that give the same name, only the first can be joined. */
function withoutClashes(names: string[], parts: ReadonlyMap<string, { exports: string[] }>): string[] {
  const given = new Set(["default"]);
  return names.filter((name) => {
    const { exports } = parts.get(name)!;
    if (exports.some((one) => given.has(one))) return false;
    exports.forEach((one) => given.add(one));
    return true;
  });
}

function fileOf(root: string, names: readonly string[]): string {
  const found = names.filter((name) =>
    name === `${root}.js` || /^-[A-Z0-9]{8}\.js$/.test(name.slice(root.length)) && name.startsWith(root)
  );
  if (found.length !== 1) throw new Error(`The bundle has ${found.length} files of "${root}"`);
  return found[0]!;
}

function passOn(names: readonly string[], from: string): string {
  return names.length === 0 ? `import "./${from}";\n` : `export {${names.join(",")}} from "./${from}";\n`;
}

/** What a file imports at once, and what it gives. */
async function readPart(folder: string, name: string): Promise<{ imports: string[]; exports: string[] }> {
  const imports: string[] = [];
  const look: Plugin = {
    name: "look",
    setup: (build) =>
      build.onResolve({ filter: /.*/ }, ({ kind, path }) => {
        if (kind === "entry-point") return undefined;
        if (kind === "import-statement" && path.startsWith(".")) {
          imports.push(normalize(join(dirname(name), path)));
        }
        return { path, external: true };
      }),
  };
  const { metafile } = await build({
    ...{ absWorkingDir: folder, entryPoints: [name], plugins: [look] },
    ...{ bundle: true, write: false, metafile: true, outdir: folder, platform: "neutral" },
  });
  return { imports, exports: Object.values(metafile.outputs)[0]!.exports };
}

/** Makes a file that holds the members of its group, and imports other groups where their members were imported. */
async function rebuild(
  folder: string,
  { name, entry, members, groupOf }: {
    name: string;
    entry: string;
    members: readonly string[];
    groupOf: ReadonlyMap<string, string>;
  },
): Promise<string> {
  const place = dirname(name);
  const lead: Plugin = {
    name: "lead",
    setup: (build) =>
      build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        const file = relative(folder, join(resolveDir, path));
        if (kind === "import-statement" && members.includes(file)) return undefined;
        const to = kind === "import-statement" ? groupOf.get(file) ?? file : file;
        const seen = relative(place, to);
        return { path: seen.startsWith(".") ? seen : `./${seen}`, external: true };
      }),
  };
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: join(folder, place), sourcefile: name, loader: "js" },
    ...{ absWorkingDir: folder, plugins: [lead], external: ["node:*"], bundle: true, write: false },
    ...{
      platform: "neutral",
      format: "esm",
      minifyWhitespace: true,
      minifyIdentifiers: true,
      charset: "ascii",
    },
  });
  return outputFiles[0]!.text;
}
