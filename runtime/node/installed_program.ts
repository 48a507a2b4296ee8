import { createRequire } from "node:module";

/** Returns the program that npm installed beside this package for this system, `null` if there is none. */
export function installedProgram(): string | null {
  const file = process.platform === "win32" ? "bulkhead.exe" : "bulkhead";
  try {
    return createRequire(import.meta.url).resolve(`@bulkhead/${process.platform}-${process.arch}/${file}`);
  } catch {
    return null;
  }
}
