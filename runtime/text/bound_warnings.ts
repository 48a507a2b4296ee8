/** Longest warning in characters, and most warnings of a call. */
const MAX_CHARS = 2_000;
const MAX_WARNINGS = 100;

/** Returns as much of a tool's warnings as people read, and says how many were left out. */
export function boundWarnings(warnings: readonly string[]): string[] {
  const told = warnings.slice(0, MAX_WARNINGS).map((text) => text.slice(0, MAX_CHARS));
  const left = warnings.length - told.length;
  return left === 0 ? told : [...told, `${left} more warnings were left out`];
}
