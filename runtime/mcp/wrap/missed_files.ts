import { dirname, resolve } from "@std/path";

import { lstat } from "../../walls/files/file_facts.ts";
import { SYSTEM_FOLDERS } from "../../walls/box/bubblewrap.ts";
import { flagWord, showFlags } from "../../walls/grants/flag_word.ts";
import { isInside } from "../../walls/grants/inside.ts";
import type { OwnProgram } from "../../programs/narrow/own_program.ts";
import type { ProgramNeeds } from "../../programs/narrow/program_needs.ts";

/** What a wrapped server was given. */
export interface GivenFiles {
  own: OwnProgram;
  needs: Pick<ProgramNeeds, "read" | "write">;
  /** The folder in which it starts. */
  cwd: string;
}

/** Most sentences about one server. */
const MOST_TOLD = 20;
/** Longest text that is looked through, in characters. */
const MOST_TEXT = 64 * 1024;
/** A folder with fewer parts holds more than one thing: what is not found there was only looked for. */
const LEAST_DEPTH = 3;
/** What servers say of a file that they may not write, and of one that they do not find. */
const UNWRITABLE = /\b(?:EROFS|read-only file ?system)\b/i;
const UNSEEN =
  /\b(?:ENOENT|EACCES|EPERM|no such file|not found|does not exist|permission denied|(?:cannot|can't|could not|unable to|error|failed) \w*\s?access\w*|not accessible)\b/i;
const QUOTED = /['"`“‘]((?:\/[^'"`”’\n\\]+)+)['"`”’]/g;
const PLAIN = /(?<![\w.~:/'"`-])\/[^\s'"`,;:()<>\\]+/g;
/** Every sandbox has its own of these. */
const OF_BOX = ["/proc", "/sys", "/dev"];

/** Finds out which files a wrapped server misses, and names the flags that give them; each once. */
export class MissedFiles {
  readonly #given: GivenFiles;
  readonly #told = new Set<string>();

  constructor(given: GivenFiles) {
    this.#given = given;
  }

  /** Says which files the words of its command name that it does not see. Needs `read`. */
  inWords(): string[] {
    const { own, cwd } = this.#given;
    const values = own.argv.slice(1).map((word) =>
      word.startsWith("-") ? word.slice(word.indexOf("=") + 1) : word
    );
    return values.filter((value) => /^(?:\.{0,2}\/|\.{1,2}$)/.test(value) || /^[^-].*\//.test(value))
      .map((value) => resolve(cwd, value))
      .flatMap((path) =>
        this.#sees(path) || lstat(path) === null
          ? []
          : this.#tell(`it is given ${path}, which it does not see`, "--allow-read", path)
      );
  }

  /** Says which files are meant where it complains of one. Needs `read`. */
  inText(text: string): string[] {
    return text.slice(-MOST_TEXT).split(/\n|\\n/).flatMap((line) => {
      const isWrite = UNWRITABLE.test(line);
      if (!isWrite && !UNSEEN.test(line)) return [];
      return pathsIn(line).flatMap((path) => isWrite ? this.#unwritable(path) : this.#unseen(path));
    });
  }

  #unwritable(path: string): string[] {
    const { write } = this.#given.needs;
    if (write === true || (write ?? []).some((folder) => isInside(folder, path))) return [];
    const target = lstat(path) === null ? dirname(path) : path;
    return lstat(target) === null ? [] : this.#tell(`it may not write ${path}`, "--allow-write", target);
  }

  #unseen(path: string): string[] {
    if (this.#sees(path)) return [];
    if (lstat(path) !== null) return this.#tell(`it does not see ${path}`, "--allow-read", path);
    // It may have been about to make it.
    const folder = dirname(path);
    const isOwn = folder.split("/").length > LEAST_DEPTH;
    return isOwn && lstat(folder) !== null
      ? this.#tell(`it may not write ${path}`, "--allow-write", folder)
      : [];
  }

  #sees(path: string): boolean {
    const { needs: { read, write }, own } = this.#given;
    if (read === true || write === true) return true;
    return [...read ?? [], ...write ?? [], ...own.show, ...own.packages, ...SYSTEM_FOLDERS, ...OF_BOX]
      .some((folder) => isInside(folder, path));
  }

  #tell(what: string, flag: string, path: string): string[] {
    const sentence = `${what}: pass ${showFlags([flagWord(flag, [path])])} to grant it`;
    if (this.#told.has(sentence) || this.#told.size >= MOST_TOLD) return [];
    this.#told.add(sentence);
    return [sentence];
  }
}

function pathsIn(line: string): string[] {
  const quoted = Array.from(line.matchAll(QUOTED), ([, path]) => path!);
  return quoted.length > 0
    ? quoted
    : Array.from(line.matchAll(PLAIN), ([path]) => path.replace(/[.!?]+$/, ""));
}
