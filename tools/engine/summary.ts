/** Returns a count with its word: `1 match`, `8 matches`. */
export function countOf(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Says in one line how a search ended: `8 matches in 3 files`, and whether there are more. */
export function matchSummary(paths: readonly string[], { truncated }: { truncated: boolean }): string {
  const files = countOf(new Set(paths).size, "file", "files");
  const more = truncated ? ", and more" : "";
  return `${countOf(paths.length, "match", "matches")}${paths.length === 0 ? "" : ` in ${files}`}${more}`;
}

/** Says in one line how a program ended: its exit code, and the last line that it said. */
export function exitSummary(exitCode: number | null, ...streams: readonly string[]): string {
  const lines = streams.flatMap((text) => text.trimEnd().split("\n").at(-1)?.trim() || []);
  // A failure is mostly told on the last stream, stderr.
  const said = exitCode === 0 ? lines[0] : lines.at(-1);
  return [...exitCode === null ? [] : [`exit ${exitCode}`], ...said === undefined ? [] : [said]].join(" · ");
}

/** Says in one line how many lines a unified diff adds and removes: `+3 -1`. */
export function changeSummary(diff: string): string {
  const lines = diff.split("\n").filter((line) => !/^(?:\+\+\+|---) /.test(line));
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return `+${count("+")} -${count("-")}`;
}

/** Returns a text with a sign before each line, as a diff has it; nothing for no text. */
export function signed(sign: "+" | "-", text: string): string {
  return text === "" ? "" : text.replace(/\n$/, "").split("\n").map((line) => `${sign}${line}`).join("\n");
}

/** Returns the change from one text to another, as a person reads it. */
export function replacement(from: string, to: string): string {
  return [signed("-", from), signed("+", to)].filter((part) => part !== "").join("\n");
}
