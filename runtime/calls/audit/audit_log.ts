import type { AuditRecord } from "../../../schemas/audit.ts";
import { ToolError } from "../../../schemas/error.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import { jsonLine } from "../../text/json_line.ts";
import { lstat } from "../../walls/files/file_facts.ts";
import { openOutputFile } from "../../walls/files/output_file.ts";
import type { PlacedOutput } from "../../walls/files/place_output.ts";
import { systemError } from "../../walls/files/system_error.ts";

/** A file that a line is added to for each call. */
export interface AuditLog extends Disposable {
  write(record: AuditRecord): void;
}

/** Longest line, in bytes: readers need not expect more. */
export const MAX_LINE_BYTES = 1_000_000;
/** How much is kept of each text among the arguments, in characters. */
const KEPT = 1_000;
/** How many items are kept of each list of a record. */
const KEPT_ITEMS = 500;

/**
 * Opens a file for the audit and keeps its content. Each line is written at once, so several runs may share
 * it.
 *
 * @param options.warn Called once if a line could not be written
 * @throws {ToolError} `configuration` if the file cannot be opened, or is not a regular file
 */
export function openAuditLog(placed: PlacedOutput, options: { warn: (message: string) => void }): AuditLog {
  const file = openFile(placed);
  const path = placed.asked;
  let failed = false;
  let torn = false;
  const fail = (reason: string) => {
    if (!failed) options.warn(`the audit "${path}" misses calls: ${reason}`);
    failed = true;
  };
  return {
    write(record) {
      try {
        const bytes = new TextEncoder().encode(`${torn ? "\n" : ""}${auditLine(record)}`);
        // In one piece, so that lines of runs at the same time do not mix.
        const written = file.writeSync(bytes);
        torn = written < bytes.length;
        if (torn) fail("the file took only a part of a line");
      } catch (error) {
        fail(systemError(error, "write", path).message);
      }
    },
    [Symbol.dispose]: () => file.close(),
  };
}

/** Returns a record as one line of JSON, with long texts and lists cut so that it stays below its limit. */
export function auditLine(record: AuditRecord): string {
  const { programs, touched, connections, argv, cwd, rule, flag } = record;
  const short = {
    ...record,
    arguments: shorten(record.arguments),
    touched: touched.slice(0, KEPT_ITEMS).map(({ kind, value }) => ({ kind, value: cut(value) })),
    programs: programs.slice(0, KEPT_ITEMS)
      .map((program) => ({ ...program, argv: cutAll(program.argv), cwd: cut(program.cwd) })),
    connections: connections.map((one) => ({ ...one, host: cut(one.host), rule: cut(one.rule) })),
    argv: argv && cutAll(argv),
    cwd: cwd && cut(cwd),
    rule: rule && cut(rule),
    flag: flag && cut(flag),
  };
  for (
    const spare of [{}, { arguments: leftOut(record.arguments) }, {
      programs: [],
      touched: [],
      argv: null,
    }, { connections: [] }]
  ) {
    const line = jsonLine(Object.assign(short, spare));
    if (line.length * 3 < MAX_LINE_BYTES || new TextEncoder().encode(line).length < MAX_LINE_BYTES) {
      return line;
    }
  }
  throw new RangeError("an audit record of short texts is longer than a line may be");
}

function openFile(placed: PlacedOutput): Deno.FsFile {
  const path = placed.asked;
  const refuse = (reason: string, cause?: unknown) =>
    new ToolError("configuration", `Cannot use "${path}" for the audit: ${reason}`, { cause });
  try {
    if (lstat(placed.real)?.isDirectory) throw refuse("it is a folder");
    // Opening a pipe would wait for its reader.
    if (placed.kind === "stream") throw refuse("it is not a regular file");
    return openOutputFile(placed, { append: true, mode: 0o600 });
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw refuse(systemError(error, "open", path).message, error);
  }
}

function shorten(value: unknown): unknown {
  if (typeof value === "string") return cut(value);
  if (Array.isArray(value)) {
    const kept = value.slice(0, KEPT_ITEMS).map(shorten);
    return value.length > KEPT_ITEMS ? [...kept, `[${value.length} items in all]`] : kept;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [cut(name), shorten(inner)]));
}

function cut(text: string): string {
  if (text.length <= KEPT) return text;
  // Half of a pair of surrogates would be no character.
  const end = /[\uD800-\uDBFF]/.test(text[KEPT - 1]!) ? KEPT - 1 : KEPT;
  return `${text.slice(0, end)}… [${text.length} characters in all]`;
}

function cutAll(words: readonly string[]): string[] {
  const kept = words.slice(0, KEPT_ITEMS).map(cut);
  return words.length > KEPT_ITEMS ? [...kept, `[${words.length} words in all]`] : kept;
}

function leftOut(value: unknown): string {
  return `[${JSON.stringify(value)?.length ?? 0} characters of JSON left out]`;
}
