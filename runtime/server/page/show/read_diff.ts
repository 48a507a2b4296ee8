/** A line of a diff, with its numbers before and after. */
export interface DiffLine {
  kind: "same" | "added" | "removed" | "place" | "note";
  text: string;
  before: number | null;
  after: number | null;
}

/** What happened to one file. */
export interface FileDiff {
  path: string;
  status: "added" | "deleted" | "changed";
  added: number;
  removed: number;
  lines: readonly DiffLine[];
}

/** Reads a unified diff, file by file. What is no diff is one file without a name. */
export function readDiff(text: string): FileDiff[] {
  const files: (FileDiff & { lines: DiffLine[] })[] = [];
  let [before, after] = [0, 0];
  // Lines that the place above said are still to come: a removed line may look like the head of a file.
  let [leftBefore, leftAfter] = [0, 0];
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const isInside = leftBefore > 0 || leftAfter > 0;
    if (!isInside && line.startsWith("--- ")) {
      files.push({ path: nameOf(line), status: statusBefore(line), added: 0, removed: 0, lines: [] });
      continue;
    }
    const file = files.at(-1) ?? (files.push(unnamed()), files[0]!);
    if (!isInside && line.startsWith("+++ ") && file.lines.length === 0) {
      if (nameOf(line) === "/dev/null") file.status = "deleted";
      else file.path = nameOf(line);
      continue;
    }
    const place = isInside ? null : /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (place) {
      [before, after] = [Number(place[1]), Number(place[3])];
      [leftBefore, leftAfter] = [Number(place[2] ?? 1), Number(place[4] ?? 1)];
      file.lines.push({ kind: "place", text: line, before: null, after: null });
    } else if (isInside && line.startsWith("+")) {
      leftAfter--;
      file.added++;
      file.lines.push({ kind: "added", text: line.slice(1), before: null, after: after++ });
    } else if (isInside && line.startsWith("-")) {
      leftBefore--;
      file.removed++;
      file.lines.push({ kind: "removed", text: line.slice(1), before: before++, after: null });
    } else if (isInside && !line.startsWith("\\")) {
      [leftBefore, leftAfter] = [leftBefore - 1, leftAfter - 1];
      file.lines.push({ kind: "same", text: line.slice(1), before: before++, after: after++ });
    } else if (line !== "") file.lines.push({ kind: "note", text: line, before: null, after: null });
  }
  return files;
}

/** Says whether a text is a unified diff. */
export function isDiff(text: string): boolean {
  return /^--- .+\n\+\+\+ .+\n@@ -\d/m.test(text);
}

function unnamed(): FileDiff & { lines: DiffLine[] } {
  return { path: "", status: "changed", added: 0, removed: 0, lines: [] };
}

function nameOf(line: string): string {
  return line.slice(4).replace(/\t.*$/, "").replace(/^[ab]\//, "");
}

function statusBefore(line: string): FileDiff["status"] {
  return nameOf(line) === "/dev/null" ? "added" : "changed";
}
