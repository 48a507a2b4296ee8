import { fromFileUrl, join } from "@std/path";

import config from "../../../deno.json" with { type: "json" };
import { ENTRIES as WORKER_ENTRIES } from "../../../runtime/self/entry_urls.ts";

export const ROOT = fromFileUrl(new URL("../../..", import.meta.url)).replace(/\/$/, "");

/** Modules that nobody imports: everything else is found from them. */
export const ENTRIES: readonly string[] = [
  "main.ts",
  ...WORKER_ENTRIES.map((name) => `runtime/entries/${name}.ts`),
  ...Object.values(config.exports).map((path) => path.slice("./".length)),
  // What browsers load of the server's page.
  "runtime/server/page/app.ts",
  "runtime/server/page/reader.ts",
  ...typescriptIn("scripts").filter((path) => path.split("/").length === 2),
];

/** One import, by paths from the root or by names such as `npm:/zod@4.6.7`. */
export interface Arrow {
  from: string;
  to: string;
  isType: boolean;
  /** By `import()`, when it is needed. */
  isLazy: boolean;
}

interface Module {
  specifier: string;
  dependencies?: { code?: { specifier: string }; type?: { specifier: string }; isDynamic?: boolean }[];
}

/** All imports of the program, also those that are lazy and those of types. */
export const arrows: readonly Arrow[] = (await Promise.all(ENTRIES.map(arrowsOf))).flat();

export function isOurs(name: string): boolean {
  return !name.includes(":");
}

async function arrowsOf(entry: string): Promise<Arrow[]> {
  const { code, stdout, stderr } = await deno(["info", "--no-lock", "--json", entry]);
  if (code !== 0) throw new Error(stderr);
  const { modules, redirects } = JSON.parse(stdout) as {
    modules: Module[];
    redirects: Record<string, string>;
  };
  const nameOf = (specifier: string) => (redirects[specifier] ?? specifier).replace(`file://${ROOT}/`, "");
  return modules.flatMap(({ specifier, dependencies = [] }) =>
    dependencies.flatMap(({ code, type, isDynamic = false }) => {
      const target = code ?? type;
      if (!target || !isOurs(nameOf(specifier))) return [];
      const [from, to] = [nameOf(specifier), nameOf(target.specifier)];
      return [{ from, to, isType: !code, isLazy: isDynamic }];
    })
  );
}

export async function deno(args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const command = new Deno.Command(Deno.execPath(), { args, cwd: ROOT, env: { NO_COLOR: "1" } });
  const { code, stdout, stderr } = await command.output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}

/** All TypeScript files below a folder, by their paths from the root. */
export function typescriptIn(folder: string): string[] {
  return [...Deno.readDirSync(join(ROOT, folder))].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    return isDirectory ? typescriptIn(path) : name.endsWith(".ts") ? [path] : [];
  }).sort();
}

export function textOf(path: string): string {
  return Deno.readTextFileSync(join(ROOT, path));
}

export function linesOf(path: string): string[] {
  return textOf(path).trimEnd().split("\n");
}

/** The lines of a file that are not comments. */
export function codeLines(path: string): string[] {
  return linesOf(path).filter((line) => !/^\s*(\/\/|\/?\*)/.test(line));
}
