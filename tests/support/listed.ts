/** The parts of some lines, which `, ` separates: a long list of short texts without a line for each. */
export function listed(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(", "));
}
