import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { ENTRIES as WORKER_ENTRIES } from "../runtime/self/entry_urls.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const MAX_FILE_LINES = 300;
const MAX_FUNCTION_LINES = 60;

/** Modules that nobody imports: everything else is found from them. */
const ENTRIES = [
  "main.ts",
  ...WORKER_ENTRIES.map((name) => `runtime/entries/${name}.ts`),
  "runtime/mod.ts",
  ...typescriptIn("scripts").filter((path) => path.split("/").length === 2),
];
/** The only part of the machine that knows tools: what rooms start with. */
const ROOM_ENTRIES = ["runtime/entries/room.ts", "runtime/entries/thread.ts"];

interface Module {
  specifier: string;
  dependencies?: { code?: { specifier: string }; type?: { specifier: string } }[];
}

/** One import, by paths from the root or by names such as `npm:/zod@4.6.7`. */
interface Arrow {
  from: string;
  to: string;
  isType: boolean;
}

const arrows = (await Promise.all(ENTRIES.map(arrowsOf))).flat();

Deno.test("imports point one way: tools and machine to schemas, tools to their set and the engine", () => {
  const wrong = arrows.filter((arrow) => isOurs(arrow.to) && !mayImport(arrow.from, arrow.to));
  assertEquals([...new Set(wrong.map(({ from, to }) => `${from} -> ${to}`))], []);
});

Deno.test("no import leads in a circle, types included", () => {
  const cycles = new Set<string>();
  const done = new Set<string>();
  const visit = (path: string, above: readonly string[]) => {
    if (above.includes(path)) cycles.add([...above.slice(above.indexOf(path)), path].join(" -> "));
    if (done.has(path)) return;
    done.add(path);
    for (const { to } of arrows.filter(({ from }) => from === path)) visit(to, [...above, path]);
  };
  for (const entry of ENTRIES) visit(entry, []);
  assertEquals([...cycles], []);
});

Deno.test("main runs no library: what it imports is ours or Deno's", () => {
  const seen = new Set(["main.ts"]);
  for (const path of seen) {
    for (const { from, to, isType } of arrows) if (from === path && !isType) seen.add(to);
  }
  assertEquals([...seen].filter((name) => !isOurs(name) && !name.startsWith("node:")), []);
});

Deno.test("schemas import zod for its types only", () => {
  const foreign = arrows.filter(({ from, to }) => from.startsWith("schemas/") && !isOurs(to));
  assertEquals([...new Set(foreign.map(({ to, isType }) => `${to.replace(/@.*/, "")} ${isType}`))], [
    "npm:/zod true",
  ]);
});

Deno.test("every source file is reached from an entry", () => {
  const reached = new Set([...ENTRIES, ...arrows.map(({ to }) => to)]);
  const all = ["runtime", "schemas", "tools", "scripts"].flatMap(typescriptIn);
  const examples = (path: string) => path.startsWith("scripts/demo/");
  assertEquals(all.filter((path) => !reached.has(path) && !examples(path)), []);
});

Deno.test("only main.ts reads arguments, prints and exits", () => {
  const found = ["runtime", "schemas", "tools"].flatMap(typescriptIn).flatMap((path) =>
    codeLines(path)
      .filter((line) => /\bDeno\.(args|exit|stdin|stdout|stderr)\b|\bconsole\./.test(line))
      .map((line) => `${path}: ${line.trim()}`)
  );
  assertEquals(found, []);
});

Deno.test("tools touch the system through their context alone", () => {
  const looks = "readDir|lstat|stat|realPath|open|errors|SeekMode|FileInfo|FsFile|DirEntry";
  const effects = new RegExp(`\\bDeno\\.(?!(${looks})(Sync)?\\b)\\w+|\\bfetch\\(|\\bprocess\\.`);
  const found = typescriptIn("tools").flatMap((path) =>
    codeLines(path).filter((line) => effects.test(line)).map((line) => `${path}: ${line.trim()}`)
  );
  assertEquals(found, []);
});

Deno.test("source files and functions stay short", () => {
  const files = ["main.ts", ...["runtime", "schemas", "tools", "scripts", "tests/e2e"].flatMap(typescriptIn)];
  const long = files.flatMap((path) => {
    const lines = linesOf(path);
    const functions = functionsOf(lines)
      .filter(({ length }) => length > MAX_FUNCTION_LINES)
      .map(({ line, length }) => `${path}:${line}: a function of ${length} lines`);
    return lines.length > MAX_FILE_LINES ? [`${path}: ${lines.length} lines`, ...functions] : functions;
  });
  assertEquals(long, []);
});

Deno.test("functionsOf() measures functions, methods and arrows", () => {
  const body = (lines: number, indent: string) => `${indent}  x();\n`.repeat(lines);
  const source = [
    `export async function* one(\n  a: string,\n): void {\n${body(3, "")}}\n`,
    `class A {\n  async two(a: string): Promise<void> {\n${body(2, "  ")}  }\n}\n`,
    `const three = (a: string) => {\n${body(1, "")}};\n`,
    `run(async () => {\n${body(4, "")}});\n`,
  ].join("");
  assertEquals(functionsOf(source.split("\n")).map(({ length }) => length), [7, 4, 3, 6]);
});

Deno.test("tools/manifest.json is what the tools say", async () => {
  const { code, stderr } = await deno([
    "run",
    "--quiet",
    "--no-prompt",
    "--allow-read",
    "scripts/manifest.ts",
    "--check",
  ]);
  assertEquals([code, stderr], [0, ""]);
});

/** The whole table of permitted arrows between our own files. */
function mayImport(from: string, to: string): boolean {
  const [top, set] = from.split("/");
  const into = (...folders: string[]) => folders.some((folder) => to.startsWith(`${folder}/`));
  if (from === "main.ts") return into("runtime", "schemas") || to === "tools/manifest.json";
  if (from === "runtime/mod.ts" && to === "tools/manifest.json") return true;
  if (top === "schemas") return into("schemas");
  if (top === "runtime") {
    return into("runtime", "schemas") || (ROOM_ENTRIES.includes(from) && to === "tools/mod.ts");
  }
  if (top === "scripts") return into("scripts", "runtime", "schemas", "tools") || to === "deno.json";
  if (from === "tools/mod.ts") return into("tools") && !to.includes("/shared/");
  if (top !== "tools") return false;
  if (set === "engine") return into("schemas", "tools/engine");
  return into("schemas", "tools/engine") || new RegExp(`^tools/${set}/shared/`).test(to);
}

function isOurs(name: string): boolean {
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
    dependencies.flatMap(({ code, type }) => {
      const target = code ?? type;
      const arrow = target && { from: nameOf(specifier), to: nameOf(target.specifier), isType: !code };
      return arrow && isOurs(arrow.from) ? [arrow] : [];
    })
  );
}

async function deno(args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const command = new Deno.Command(Deno.execPath(), { args, cwd: ROOT, env: { NO_COLOR: "1" } });
  const { code, stdout, stderr } = await command.output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}

function typescriptIn(folder: string): string[] {
  return [...Deno.readDirSync(join(ROOT, folder))].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    return isDirectory ? typescriptIn(path) : name.endsWith(".ts") ? [path] : [];
  }).sort();
}

function linesOf(path: string): string[] {
  return Deno.readTextFileSync(join(ROOT, path)).trimEnd().split("\n");
}

/** The lines of a file that are not comments. */
function codeLines(path: string): string[] {
  return linesOf(path).filter((line) => !/^\s*(\/\/|\/?\*)/.test(line));
}

/** Where functions begin and how long they are, told by the indentation that `deno fmt` gives. */
function functionsOf(lines: readonly string[]): { line: number; length: number }[] {
  return lines.flatMap((line, at) => {
    const [, indent] =
      /^(\s*)(?:.*=> \{|(?:export )?(?:default )?(?:async )?function\b.*|(?:(?:static|async|get|set|private) )*[*#]?\w+(?:<.*>)?\(.*\).* \{)$/
        .exec(line) ?? [];
    if (indent === undefined || /^\s*(if|for|while|switch|catch|else)\b/.test(line)) return [];
    const end = lines.findIndex((other, below) => below > at && new RegExp(`^${indent}\\}`).test(other));
    return end < 0 ? [] : [{ line: at + 1, length: end - at + 1 }];
  });
}
