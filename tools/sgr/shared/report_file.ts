import { join } from "@std/path";
import * as z from "zod";

import type { ToolContext } from "../../../schemas/context.ts";
import { type ErrorCode, ToolError } from "../../../schemas/error.ts";
import { type Report, reportName, reportText } from "./report.ts";

/** Where the session keeps what it knows of its reports. */
const REPORTS = "reports";
/** Reports that a session remembers. */
const MOST_REPORTS = 100;
/** Reports of one second and title. */
const MOST_OF_A_NAME = 100;
/** Failures of a folder that another place for the file mends. */
const FOLDER_FAILURES: readonly ErrorCode[] = [
  "permission_denied",
  "not_found",
  "unavailable",
  "invalid_input",
];

/** A report that was begun: it is noted before its file is written. */
const begun = z.object({
  /** Of the folder and of all that stands in the file but the time. */
  digest: z.string(),
  made: z.iso.datetime(),
  /** Name of the file that was begun last, `null` before the first. */
  name: z.string().nullable(),
});
type Begun = z.output<typeof begun>;

const reports = z.array(begun);

/** A report with its file. */
export interface WrittenReport {
  path: string;
  made: Date;
}

/**
 * Writes a report into the folder if that can be written, else among the files that calls leave. A report that the
 * session has written already keeps its time and its file, so that a call that is made again leaves no second one.
 *
 * @throws {ToolError} `conflict` if the folder is full of reports of this name; what the system says
 */
export async function writeReport(
  folder: string,
  report: Omit<Report, "made">,
  context: ToolContext,
): Promise<WrittenReport> {
  const { session } = context;
  const digest = await digestOf(folder, report);
  return await session.alone(REPORTS, async () => {
    // What cannot be read is only forgotten: the report is worth more.
    const others = reports.safeParse(await session.get(REPORTS)).data ?? [];
    const known = others.find((other) => other.digest === digest);
    const entry = known ?? { digest, made: new Date().toISOString(), name: null };
    const made = new Date(entry.made);
    const bytes = new TextEncoder().encode(reportText({ ...report, made }));
    const note = async (name: string | null) => {
      const rest = others.filter((other) => other.digest !== digest).slice(1 - MOST_REPORTS);
      await session.set(REPORTS, [...rest, { ...entry, name }]);
    };
    const file = { name: reportName({ title: report.title, made }), bytes };
    return { path: await place(folder, file, { entry, note, context }), made };
  });
}

interface Placing {
  entry: Begun;
  note(name: string | null): Promise<void>;
  context: ToolContext;
}

async function place(
  folder: string,
  file: { name: string; bytes: Uint8Array },
  { entry, note, context }: Placing,
): Promise<string> {
  try {
    return await inFolder(folder, file, { entry, note, context });
  } catch (error) {
    if (!(error instanceof ToolError) || !FOLDER_FAILURES.includes(error.code)) throw error;
    const why = error.code === "permission_denied" ? `"${folder}" may not be written` : error.message;
    context.warn(`${why}, so the report is among the files of the session`);
    await note(null);
    return (await context.artifacts.write(file.name.replace(/[^\w .-]/g, "_"), file.bytes)).path;
  }
}

async function inFolder(
  folder: string,
  { name, bytes }: { name: string; bytes: Uint8Array },
  { entry, note, context: { files } }: Placing,
): Promise<string> {
  for (let turn = 1; turn <= MOST_OF_A_NAME; turn++) {
    const other = turn === 1 ? name : name.replace(/\.md$/, ` ${turn}.md`);
    const path = join(folder, other);
    const { info, path: there } = await files.locate(path, "write");
    // A file of another size was changed since: it stays as it is.
    if (other === entry.name && info?.isFile === true && info.size === bytes.length) return there;
    if (info !== null) continue;
    await note(other);
    try {
      return (await files.write(path, bytes, { createDirs: true, mustNotExist: true })).path;
    } catch (error) {
      if (!(error instanceof ToolError) || error.code !== "conflict") throw error;
    }
  }
  throw new ToolError("conflict", `Cannot write the report: "${folder}" has ${MOST_OF_A_NAME} of this name`);
}

async function digestOf(folder: string, report: Omit<Report, "made">): Promise<string> {
  const text = `${folder}\0${reportText({ ...report, made: new Date(0) })}`;
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
