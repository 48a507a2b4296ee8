/** Returns a path as one line: a name may hold line ends, and then it would look like more results. */
export function oneLine(path: string): string {
  return path.replace(/[\n\r]/g, (end) => end === "\n" ? "\\n" : "\\r");
}
