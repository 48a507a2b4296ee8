import type { Found } from "./find_text.ts";

/** What is special in one toolset's editor, and how it words its refusals. */
export interface EditorDialect {
  /** Edits of one file that can be undone. */
  undoLevels: number;
  /** Creating a file makes missing parent folders. */
  createDirs: boolean;
  /** The file's tabs are shown as spaces, so `old_str` may have spaces for them. */
  showsTabsAsSpaces: boolean;
  /** A final line end is followed by one more, empty line; inserted text gets a line end even if it has one. */
  countsFinalLine: boolean;
  failures: EditorFailures;
}

/** The messages of an editor. Paths are absolute. */
export interface EditorFailures {
  unreadable(path: string, reason: string): string;
  unwritable(path: string, reason: string): string;
  exists(path: string): string;
  noParent(path: string): string;
  noMatch(path: string, oldText: string): string;
  severalMatches(found: Found, oldText: string): string;
  /** @param lastLine The largest line number that text can be inserted after */
  badLine(line: number, lastLine: number): string;
  noHistory(path: string): string;
}
