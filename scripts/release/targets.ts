import { ToolError } from "../../schemas/error.ts";

/** A system that binaries are made for. */
export interface Target {
  /** As Node names a system and its processor: npm's packages are called so. */
  name: string;
  os: "linux" | "darwin" | "win32";
  cpu: "x64" | "arm64";
  /** As Deno names it. */
  triple: string;
  /** The file in archives and packages. */
  file: string;
  archive: "tar.gz" | "zip";
}

/** All systems of a release. */
export const TARGETS: readonly Target[] = [
  target("linux", "x64", "x86_64-unknown-linux-gnu"),
  target("linux", "arm64", "aarch64-unknown-linux-gnu"),
  target("darwin", "x64", "x86_64-apple-darwin"),
  target("darwin", "arm64", "aarch64-apple-darwin"),
  target("win32", "x64", "x86_64-pc-windows-msvc"),
];

/**
 * Returns the targets of names, in the order of the list, or all of them.
 *
 * @throws {ToolError} `invalid_input` for a name that is not in the list
 */
export function targetsOf(names: readonly string[]): readonly Target[] {
  for (const name of names) {
    if (!TARGETS.some((target) => target.name === name)) {
      throw new ToolError(
        "invalid_input",
        `Unknown target ${JSON.stringify(name)}: there are ${TARGETS.map(({ name }) => name).join(", ")}`,
      );
    }
  }
  return names.length === 0 ? TARGETS : TARGETS.filter(({ name }) => names.includes(name));
}

/** Returns for which system a program was made, by its first bytes; `null` if it is none of ours. */
export function systemOf(head: Uint8Array): string | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < 64) return null;
  if (view.getUint32(0) === 0x7f454c46) {
    return named("linux", { 0x3e: "x64", 0xb7: "arm64" }, view.getUint16(18, true));
  }
  if (view.getUint32(0, true) === 0xfeedfacf) {
    return named("darwin", { 0x01000007: "x64", 0x0100000c: "arm64" }, view.getUint32(4, true));
  }
  if (view.getUint16(0) !== 0x4d5a) return null;
  const header = view.getUint32(60, true);
  if (header + 6 > head.length || view.getUint32(header) !== 0x50450000) return null;
  return named("win32", { 0x8664: "x64", 0xaa64: "arm64" }, view.getUint16(header + 4, true));
}

function named(os: string, processors: Readonly<Record<number, string>>, number: number): string | null {
  const cpu = processors[number];
  return cpu === undefined ? null : `${os}-${cpu}`;
}

function target(os: Target["os"], cpu: Target["cpu"], triple: string): Target {
  const isWindows = os === "win32";
  return {
    ...{ name: `${os}-${cpu}`, os, cpu, triple },
    file: isWindows ? "bulkhead.exe" : "bulkhead",
    archive: isWindows ? "zip" : "tar.gz",
  };
}
