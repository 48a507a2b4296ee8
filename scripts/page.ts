// Writes runtime/server/built, the page of the server for browsers; with --check, fails if it is not up to date.
import { join } from "@std/path";
import { stop, transform } from "esbuild";

const ROOT = new URL("..", import.meta.url).pathname;
const PAGE = join(ROOT, "runtime/server/page");
const BUILT = join(ROOT, "runtime/server/built");
/** The page itself, and the thread that reads what it shows. */
const ROOTS = ["app.js", "reader.js"];
/** In the order in which they are joined. */
const STYLES = ["base", "layout", "start", "run", "show"];

const files = new Map<string, string>([
  ["index.html", await Deno.readTextFile(join(PAGE, "index.html"))],
  ["app.css", await styles()],
  ["icon.svg", await Deno.readTextFile(join(PAGE, "icon.svg"))],
  // The run that the page plays where there is no model.
  ["demo.jsonl", await Deno.readTextFile(join(ROOT, "scripts/demo/agent.jsonl"))],
  ...await scripts(),
]);
files.set("built_files.ts", listOf([...files.keys()].toSorted()));
if (Deno.args.includes("--check")) await check();
else await write();

/** Bundles what runs in the browser; what is loaded only on need becomes a file of its own. */
async function scripts(): Promise<[string, string][]> {
  const folder = await Deno.makeTempDir({ prefix: "bulkhead-page-" });
  try {
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["bundle", "--quiet", "--platform", "browser", "--minify", "--code-splitting", "--format", "esm"],
        ...["--outdir", folder, join(PAGE, "app.ts"), join(PAGE, "reader.ts")],
      ],
      cwd: ROOT,
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
    return nameAnew(new Map(names.map((name) => [name, Deno.readTextFileSync(join(folder, name))])));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * Gives files names that do not depend on where packages lie on this machine, as the bundler's do: each is named in the
 * order in which it is imported.
 */
function nameAnew(files: ReadonlyMap<string, string>): [string, string][] {
  const names = new Map(ROOTS.map((root) => [root, root]));
  const importsOf = (name: string) =>
    [...files.get(name)!.matchAll(/"\.\/([\w-]+\.js)"/g)].map(([, found]) => found!).filter((found) =>
      files.has(found)
    );
  for (const name of names.keys()) {
    for (const found of importsOf(name)) {
      if (!names.has(found)) names.set(found, freeName(found, [...names.values()]));
    }
  }
  return [...names].map(([name, short]) => [
    short,
    [...names].reduce((text, [from, to]) => text.replaceAll(`"./${from}"`, `"./${to}"`), files.get(name)!),
  ]);
}

function freeName(name: string, taken: readonly string[]): string {
  const base = name.replace(/-[A-Z\d]{8}\.js$/, "");
  for (let n = 1;; n++) {
    const free = n === 1 ? `${base}.js` : `${base}_${n}.js`;
    if (!taken.includes(free)) return free;
  }
}

async function styles(): Promise<string> {
  const texts = STYLES.map((name) => Deno.readTextFileSync(join(PAGE, "styles", `${name}.css`)));
  const { code } = await transform(texts.join("\n"), { loader: "css", minify: true });
  await stop();
  return code;
}

/** A module that loads each of the files by its name. */
function listOf(names: readonly string[]): string {
  const lines = names.map((name) => `  "${name}": () => import("./${name}", { with: { type: "text" } }),`);
  return [
    "// Written by scripts/page.ts.",
    "/** The files of the page, each loaded when it is asked for first. */",
    "export const BUILT_FILES: Readonly<Record<string, () => Promise<{ default: string }>>> = {",
    ...lines,
    "};",
    "",
  ].join("\n");
}

async function check(): Promise<void> {
  const there = [...Deno.readDirSync(BUILT)].map(({ name }) => name);
  const isSame = await Promise.all(
    [...files].map(async ([name, text]) =>
      there.includes(name) && await Deno.readTextFile(join(BUILT, name)) === text
    ),
  );
  if (there.length !== files.size || !isSame.every(Boolean)) {
    throw new Error("runtime/server/built is out of date: run deno task page");
  }
}

async function write(): Promise<void> {
  await Deno.mkdir(BUILT, { recursive: true });
  for (const { name } of [...Deno.readDirSync(BUILT)]) {
    if (!files.has(name)) await Deno.remove(join(BUILT, name));
  }
  for (const [name, text] of files) await Deno.writeTextFile(join(BUILT, name), text);
}
