import { dirname, join, relative } from "@std/path";
import { stop, transform } from "esbuild";

/** Shortens names and spaces alone: what `deno bundle --minify` does besides loses `using` declarations. */
const SHORTER = { minifyWhitespace: true, minifyIdentifiers: true, format: "esm", charset: "utf8" } as const;

/**
 * Modules of packages, and what stands in their place: what they bring takes long to load, and is never used here. The
 * SDK's checker of schemas would take half the time until a client of the server gets its first answer.
 */
const LEFT_OUT: Readonly<Record<string, string>> = {
  "@modelcontextprotocol/server/_shims": `
    export { default as process } from "node:process";
    export class DefaultJsonSchemaValidator {
      constructor() { throw new Error("the compiled program holds no checker of schemas for this"); }
    }`,
};

/**
 * Bundles modules with all that they import into a folder, as code that is short. Modules that several of them
 * need become files of their own.
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
      ...Object.keys(LEFT_OUT).map((name) => `--external=${name}`),
      ...entries,
    ],
    cwd: root,
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`deno bundle failed with exit code ${code}`);
  for (const path of scripts(folder)) {
    const { code } = await transform(await Deno.readTextFile(path), SHORTER);
    await Deno.writeTextFile(path, withStandIns(code, path, folder));
  }
  await stop();
  for (const [name, code] of Object.entries(LEFT_OUT)) {
    await Deno.writeTextFile(join(folder, fileOf(name)), `${code.trim()}\n`);
  }
}

/** Leads the imports of what is left out to what stands in its place. */
function withStandIns(code: string, path: string, folder: string): string {
  return Object.keys(LEFT_OUT).reduce((text, name) => {
    const to = relative(dirname(path), join(folder, fileOf(name)));
    return text.replaceAll(JSON.stringify(name), JSON.stringify(to.startsWith(".") ? to : `./${to}`));
  }, code);
}

function fileOf(name: string): string {
  return `${name.replace(/\W+/g, "_")}.js`;
}

function scripts(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = join(folder, name);
    if (isDirectory) return scripts(path);
    return name.endsWith(".js") ? [path] : [];
  });
}
