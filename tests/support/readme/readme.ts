import { assert } from "@std/assert";
import { fromFileUrl, join } from "@std/path";

export const ROOT: string = fromFileUrl(new URL("../../..", import.meta.url));

/** Every README, by its path in the repository. */
export const READMES: readonly string[] = [
  "README.md",
  ...["runtime", "schemas", "scripts", "tests", "tools"].flatMap(readmesIn),
];

export function readReadme(path: string): string {
  return Deno.readTextFileSync(join(ROOT, path));
}

/** Returns the cells of the rows of the table whose head begins so. */
export function tableAfter(text: string, head: string): string[][] {
  const lines = text.slice(text.indexOf(`\n${head}`) + 1).split("\n\n")[0]!.trim().split("\n").slice(2);
  assert(text.includes(`\n${head}`) && lines.length > 0, head);
  return lines.map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
}

export function wordsIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);
}

function readmesIn(folder: string): string[] {
  return [...Deno.readDirSync(join(ROOT, folder))].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    return isDirectory ? readmesIn(path) : name === "README.md" ? [path] : [];
  }).sort();
}
