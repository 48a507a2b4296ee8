import { callFilter } from "../../walls/seccomp/seccomp_filter.ts";
import { ToolError } from "../../../schemas/error.ts";
import { bytesOfPath, isOdd, showPath } from "../bytes/odd_names.ts";
import ODD_WORDS from "./odd_words.sh" with { type: "text" };
import START_PROGRAM from "./start_program.sh" with { type: "text" };
import type { SystemPrograms } from "./system_programs.ts";

/** How a program is started. */
export interface StartScript {
  /** Stands before what is to be started. */
  words: readonly string[];
  /** First options of what is to be started. */
  options: readonly string[];
  /** What its stdin must bring, to the end, before the program has none; `null`: its stdin is the program's. */
  stdin: Uint8Array | null;
}

/**
 * Where the start of a program tells whom it started: first on stderr; nowhere for a program that has the streams of main,
 * and for a terminal around it, which gets main's stderr as descriptor 5.
 */
export type Reports = "report" | "attached" | "around";

/**
 * Starts a box in a control group, if there is one, with nothing inherited but the streams, and a filter of system
 * calls.
 *
 * @param start `text` is what the box reads from descriptor 6; `local: false` refuses sockets that have a path; `joins` is
 * the process whose network it joins; `needsStdin`: the program reads its stdin, so the filter goes the longer way
 */
export function boxStartScript(
  { bash, sh }: Pick<SystemPrograms, "bash" | "sh">,
  group: string | null,
  { text = "", local = true, reports, joins = null, needsStdin }: {
    text?: string | undefined;
    local?: boolean;
    reports: Reports;
    joins?: number | null;
    needsStdin: boolean;
  },
): StartScript {
  const { bytes, asText } = filterFor(local);
  const filter = bytes === null ? "" : !needsStdin ? "stdin" : bash === null ? "" : asText;
  return {
    words: startWords(bash ?? sh, { parent: String(Deno.pid), group, filter, reports, text, joins }),
    options: filter === "" ? [] : ["--seccomp", "4"],
    stdin: needsStdin ? null : bytes,
  };
}

/** A filter of system calls, also as printf writes it; `null` where this kind of machine has none. */
interface Filter {
  bytes: Uint8Array | null;
  asText: string;
}

/** The filters of system calls, made once. */
const filters = new Map<boolean, Filter>();

function filterFor(local: boolean): Filter {
  const known = filters.get(local);
  if (known !== undefined) return known;
  const bytes = callFilter(Deno.build.arch, { local });
  const made = { bytes, asText: octal(bytes ?? new Uint8Array(), "\\") };
  filters.set(local, made);
  return made;
}

/** Starts a program without a box in a control group, if there is one; a terminal's start is reported on stderr. */
export function plainStartScript(
  { sh }: Pick<SystemPrograms, "sh">,
  { group, reports }: { group: string | null; reports: Reports | null },
): StartScript {
  if (group === null && reports === null) return { words: [], options: [], stdin: null };
  return {
    words: startWords(sh, { parent: "", group, filter: "", reports, text: "", joins: null }),
    options: [],
    stdin: null,
  };
}

/**
 * Returns words that Deno can pass on: it takes no bytes that are no UTF-8, so a shell makes them.
 *
 * @throws {ToolError} `unavailable` if that needs bash, and there is none
 */
export function passableWords(words: readonly string[], { bash }: Pick<SystemPrograms, "bash">): string[] {
  const odd = words.find(isOdd);
  if (odd === undefined) return [...words];
  if (bash === null) {
    throw new ToolError(
      "unavailable",
      `Cannot guard "${showPath(odd)}", whose name is not UTF-8: install bash`,
    );
  }
  const coded = words.map((word) => isOdd(word) ? `odd ${octal(bytesOfPath(word), "\\0")}` : `plain ${word}`);
  return [bash, "-c", ODD_WORDS, "bulkhead", ...coded];
}

/** Writes bytes as printf takes them. */
function octal(bytes: Uint8Array, before: string): string {
  return Array.from(bytes, (byte) => before + byte.toString(8).padStart(3, "0")).join("");
}

function startWords(
  shell: string,
  start: {
    parent: string;
    group: string | null;
    filter: string;
    reports: Reports | null;
    text: string;
    joins: number | null;
  },
): string[] {
  const { parent, group, filter, reports, text, joins } = start;
  const given = [parent, group ?? "", filter, reports ?? "", text, joins === null ? "" : String(joins)];
  return [shell, "-c", START_PROGRAM, "bulkhead", ...given];
}
