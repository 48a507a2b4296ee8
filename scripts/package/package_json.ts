/** What of `deno.json` the package takes over. */
export interface ProgramConfig {
  version: string;
  license: string;
  /** Sources by the names that other programs import: `./mcp`. */
  exports: Readonly<Record<string, string>>;
}

/** Modules that run wherever JavaScript does; the others are Deno's alone. */
const EVERYWHERE = ["./schemas", "./node"];
/** What the package itself is on Node. */
const ON_NODE = "./node";

/** Returns the `package.json` of the package. It depends on nothing: libraries are in the bundle. */
export function packageJson({ version, license, exports }: ProgramConfig): Record<string, unknown> {
  const files = Object.entries(exports).map(([name, source]) => [name, filesOf(source)] as const);
  const node = filesOf(exports[ON_NODE]!);
  const paths = files.map(([name, own]) => {
    if (EVERYWHERE.includes(name)) return [name, own];
    return [name, { deno: own, ...(name === "." && { default: node }) }];
  });
  return {
    name: "bulkhead",
    version,
    description: "Runs the tools of LLM agents inside the permissions that you grant",
    license,
    type: "module",
    exports: { ...Object.fromEntries(paths), "./package.json": "./package.json" },
    files: ["program", "types"],
    engines: { node: ">=20", deno: ">=2.9" },
  };
}

/** The files that were made of a source. */
function filesOf(source: string): { types: string; default: string } {
  const path = source.replace(/^\.\//, "").replace(/\.ts$/, "");
  return { types: `./types/${path}.d.ts`, default: `./program/${path}.js` };
}
