import { dirname, resolve } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { namedFileError, systemError } from "../../walls/files/system_error.ts";
import { writeThroughRename } from "../../walls/files/replace_file.ts";
import { type Io, printError, userFolder } from "../io/io.ts";
import type { BatchAnswer } from "./batch_call.ts";

/** Takes the calls of a batch as they end, and writes its report at the end. */
export interface Report {
  add(call: BatchAnswer): Promise<void>;
  /** @param summary The sum of the batch, on one line */
  end(summary: string): Promise<void>;
}

/**
 * Opens the reports that `--report` names. Must be called before the process gives up its environment.
 *
 * @param batch The batch's file as the user wrote it, `-` for stdin
 * @throws {ToolError} `invalid_input` for a report of no known kind
 */
export async function openReports(given: readonly string[], batch: string, io: Io): Promise<Report[]> {
  return await Promise.all(given.map((one) => openReport(one, batch, io)));
}

async function openReport(given: string, batch: string, io: Io): Promise<Report> {
  const at = given.indexOf("=");
  const [kind, file] = at < 0 ? [given, ""] : [given.slice(0, at), given.slice(at + 1)];
  if (kind === "junit" && file !== "") return await junitReport(resolve(userFolder(io), file), batch);
  if (given === "github") return await githubReport(batch, io);
  throw new ToolError(
    "invalid_input",
    `Option --report must be junit=FILE or github, not ${JSON.stringify(given)}`,
  );
}

async function junitReport(path: string, batch: string): Promise<Report> {
  const { renderJunit } = await import("./junit.ts");
  try {
    // Known before the calls run, not after.
    await Deno.stat(dirname(path));
  } catch (error) {
    throw namedFileError(error, "write", path);
  }
  const calls: BatchAnswer[] = [];
  const started = new Date();
  return {
    add(call) {
      calls.push(call);
      return Promise.resolve();
    },
    async end() {
      const suite = {
        name: batch === "-" ? "stdin" : batch,
        started,
        durationMs: Date.now() - started.getTime(),
      };
      await replaceReport(path, renderJunit(calls, suite));
    },
  };
}

/** Its lines go to stderr, where GitHub reads them too: stdout carries the results. */
async function githubReport(batch: string, io: Io): Promise<Report> {
  const { renderAnnotation, renderStepSummary } = await import("./github.ts");
  const named = io.env("GITHUB_STEP_SUMMARY");
  const summaryFile = named ? resolve(userFolder(io), named) : null;
  const calls: BatchAnswer[] = [];
  return {
    async add(call) {
      calls.push(call);
      if (!call.met) await printError(io, `${renderAnnotation(call, batch === "-" ? null : batch)}\n`);
    },
    async end(summary) {
      if (summaryFile === null) return;
      try {
        await Deno.writeTextFile(summaryFile, renderStepSummary(calls, summary), { append: true });
      } catch (error) {
        throw systemError(error, "write", summaryFile);
      }
    },
  };
}

async function replaceReport(path: string, text: string): Promise<void> {
  const token = crypto.randomUUID().slice(0, 8);
  try {
    await writeThroughRename(path, new TextEncoder().encode(text), {
      token,
      swept: new Set(),
      mode: null,
      mustNotExist: false,
    });
  } catch (error) {
    throw systemError(error, "write", path);
  }
}
