/** A line of a diff; `before` and `after` are its numbers, 0 where it is not. */
export interface DiffLine {
  kind: "same" | "added" | "removed" | "place" | "note";
  text: string;
  before: number;
  after: number;
}

/** What a diff says about one file. */
export interface FileDiff {
  path: string;
  lines: readonly DiffLine[];
  added: number;
  removed: number;
}

/** A file while it is read; `before` and `after` are the next numbers, `…Left` what the hunk still holds. */
interface Reading {
  path: string;
  lines: DiffLine[];
  place: { before: number; after: number; beforeLeft: number; afterLeft: number };
}

const PLACE = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** Reads a unified diff of one or more files; empty if it holds none. */
export function readDiff(text: string): FileDiff[] {
  const files: Reading[] = [];
  let file: Reading | undefined;
  const lines = text.replace(/\n$/, "").split("\n");
  for (const [at, line] of lines.entries()) {
    if (file && (file.place.beforeLeft > 0 || file.place.afterLeft > 0)) addLine(file, line);
    else if (line.startsWith("diff --git ")) {
      files.push(file = newFile(line.replace(/^diff --git .* (?=\S+$)/, "")));
    } else if (line.startsWith("--- ") && lines[at + 1]?.startsWith("+++ ")) {
      if (!file || file.lines.some(({ kind }) => kind === "place")) files.push(file = newFile(""));
      file.path = pathOf(line, lines[at + 1]!);
    } else if (PLACE.test(line)) {
      if (!file) files.push(file = newFile(""));
      addPlace(file, line);
    } else if (file && !/^(?:index |\+\+\+ )/.test(line) && line !== "") addNote(file, line);
  }
  return files.filter((each) => each.lines.length > 0).map(({ path, lines: own }) => ({
    path: path.replace(/^[ab]\//, ""),
    lines: own,
    added: own.filter(({ kind }) => kind === "added").length,
    removed: own.filter(({ kind }) => kind === "removed").length,
  }));
}

/** Reads what a call would do, as lines that begin with `+` and `-`; `null` if the text is none of that kind. */
export function readSigned(text: string): FileDiff | null {
  const all = text.replace(/\n$/, "").split("\n");
  if (!all.every((line) => /^[-+ ]/.test(line) || line === "")) return null;
  const lines = all.map((line): DiffLine => {
    const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "same";
    return { kind, text: line.slice(1), before: 0, after: 0 };
  });
  const count = (wanted: DiffLine["kind"]) => lines.filter(({ kind }) => kind === wanted).length;
  const [added, removed] = [count("added"), count("removed")];
  return added + removed === 0 ? null : { path: "", lines, added, removed };
}

function newFile(path: string): Reading {
  return { path, lines: [], place: { before: 0, after: 0, beforeLeft: 0, afterLeft: 0 } };
}

/** The new path, or the old one of a file that was removed. */
function pathOf(before: string, after: string): string {
  const [old, next] = [before, after].map((line) => line.slice(4).split("\t")[0]!);
  return next === "/dev/null" ? old! : next!;
}

function addPlace({ lines, place }: Reading, line: string): void {
  const [, before, beforeLeft = "1", after, afterLeft = "1"] = PLACE.exec(line)!;
  Object.assign(place, { before: Number(before), after: Number(after) });
  Object.assign(place, { beforeLeft: Number(beforeLeft), afterLeft: Number(afterLeft) });
  lines.push({ kind: "place", text: line, before: 0, after: 0 });
}

function addLine(file: Reading, line: string): void {
  const { lines, place } = file;
  if (line.startsWith("\\")) return addNote(file, line);
  const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "same";
  const isOld = kind !== "added";
  const isNew = kind !== "removed";
  lines.push({ kind, text: line.slice(1), before: isOld ? place.before : 0, after: isNew ? place.after : 0 });
  if (isOld) [place.before, place.beforeLeft] = [place.before + 1, place.beforeLeft - 1];
  if (isNew) [place.after, place.afterLeft] = [place.after + 1, place.afterLeft - 1];
}

function addNote({ lines }: Reading, text: string): void {
  lines.push({ kind: "note", text, before: 0, after: 0 });
}
