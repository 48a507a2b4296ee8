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

/** A system, as npm names it, and its binary. */
export interface PackageSystem {
  name: string;
  os: string;
  cpu: string;
  /** Name of the binary. */
  file: string;
}

/** What npm says of all packages. */
const DESCRIPTION = "Runs the tools of LLM agents inside the permissions that you grant";

/** The package of npm that holds the binary of a system. */
export function packageOf({ name }: Pick<PackageSystem, "name">): string {
  return `@bulkhead/${name}`;
}

/** Returns the `package.json` of the package with the binary of a system. */
export function platformJson(
  { version, license }: Pick<ProgramConfig, "version" | "license">,
  system: PackageSystem,
): Record<string, unknown> {
  return {
    name: packageOf(system),
    version,
    description: `${DESCRIPTION}: the program for ${system.name}`,
    license,
    os: [system.os],
    cpu: [system.cpu],
    // The binaries of Deno need the C library of GNU.
    ...(system.os === "linux" && { libc: ["glibc"] }),
    preferUnplugged: true,
  };
}

/**
 * Returns the `package.json` of the package. It depends on nothing: libraries are in the bundle.
 *
 * @param binaries Packages with a binary each; npm takes the one that fits the system. With any there is a command
 */
export function packageJson(
  { version, license, exports }: ProgramConfig,
  binaries: readonly string[] = [],
): Record<string, unknown> {
  const files = Object.entries(exports).map(([name, source]) => [name, filesOf(source)] as const);
  const node = filesOf(exports[ON_NODE]!);
  const paths = files.map(([name, own]) => {
    if (EVERYWHERE.includes(name)) return [name, own];
    return [name, { deno: own, ...(name === "." && { default: node }) }];
  });
  return {
    name: "bulkhead",
    version,
    description: DESCRIPTION,
    license,
    type: "module",
    exports: { ...Object.fromEntries(paths), "./package.json": "./package.json" },
    ...(binaries.length > 0 && {
      bin: { bulkhead: "bin/bulkhead.mjs" },
      optionalDependencies: Object.fromEntries(binaries.map((name) => [name, version])),
    }),
    files: ["bin", "program", "types"],
    engines: { node: ">=20", deno: ">=2.6" },
  };
}

/** The files that were made of a source. */
function filesOf(source: string): { types: string; default: string } {
  const path = source.replace(/^\.\//, "").replace(/\.ts$/, "");
  return { types: `./types/${path}.d.ts`, default: `./program/${path}.js` };
}
