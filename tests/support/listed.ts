/** The parts of some lines, which `, ` separates: a long list of short texts without a line for each. */
export function listed(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(", "));
}

/** Empty files of these names, as `workspace()` takes them. */
export function emptyFiles(...lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(listed(...lines).map((name) => [name, ""]));
}
