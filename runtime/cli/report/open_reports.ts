import { relative, resolve } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import type { NamedOutput } from "../../walls/files/place_output.ts";
import { type Io, printError, userFolder } from "../io/io.ts";
import { makeOutput, type Output } from "../io/output.ts";
import type { BatchAnswer } from "./batch_call.ts";

/** Takes the calls of a batch as they end, and writes its report at the end. */
export interface Report {
  /** It tells on stderr what failed. @default it does not */
  tellsFailures?: boolean;
  add(call: BatchAnswer): Promise<void>;
  /** @param summary The sum of the batch, on one line */
  end(summary: string): Promise<void>;
}

/** The reports of a batch, and their files for the host to open. Close them with `using`. */
export interface BatchReports extends Disposable {
  all: readonly Report[];
  files: readonly NamedOutput[];
}

/**
 * Makes the reports that `--report` names. Must be called before the process gives up its environment.
 *
 * @param batch The batch's file as the user wrote it, `-` for stdin
 * @throws {ToolError} `invalid_input` for a report of no known kind
 */
export async function openReports(given: readonly string[], batch: string, io: Io): Promise<BatchReports> {
  const made = await Promise.all(given.map((one) => openReport(one, batch, io)));
  return {
    all: made.map(({ report }) => report),
    files: made.flatMap(({ output }) => output?.files ?? []),
    [Symbol.dispose]: () => made.forEach(({ output }) => output?.[Symbol.dispose]()),
  };
}

/** A report and where it is written, `null` if it leaves no file. */
interface MadeReport {
  report: Report;
  output: Output | null;
}

async function openReport(given: string, batch: string, io: Io): Promise<MadeReport> {
  const at = given.indexOf("=");
  const [kind, file] = at < 0 ? [given, ""] : [given.slice(0, at), given.slice(at + 1)];
  if (kind === "junit" && file !== "") return await junitReport(file, batch, io);
  if (given === "github") return await githubReport(batch, io);
  throw new ToolError(
    "invalid_input",
    `Option --report must be junit=FILE or github, not ${JSON.stringify(given)}`,
  );
}

async function junitReport(file: string, batch: string, io: Io): Promise<MadeReport> {
  const { renderJunit } = await import("./junit.ts");
  const output = makeOutput(file, io, { form: "whole" });
  const calls: BatchAnswer[] = [];
  const started = new Date();
  const report: Report = {
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
      await output.write(renderJunit(calls, suite));
    },
  };
  return { report, output };
}

/** Its lines go to stderr, where GitHub reads them too: stdout carries the results. */
async function githubReport(batch: string, io: Io): Promise<MadeReport> {
  const { renderAnnotation, renderStepSummary } = await import("./github.ts");
  const named = io.env("GITHUB_STEP_SUMMARY");
  const file = batch === "-" ? null : pathInWorkspace(batch, io);
  const output = named ? makeOutput(named, io, { form: "added" }) : null;
  const calls: BatchAnswer[] = [];
  const report: Report = {
    tellsFailures: true,
    async add(call) {
      calls.push(call);
      if (!call.met) await printError(io, `${renderAnnotation(call, file)}\n`);
    },
    async end(summary) {
      await output?.write(renderStepSummary(calls, summary));
    },
  };
  return { report, output };
}

/** GitHub finds a file by its path in the folder of the job, wherever the step works. */
function pathInWorkspace(path: string, io: Io): string {
  const workspace = io.env("GITHUB_WORKSPACE");
  if (!workspace) return path;
  const inside = relative(workspace, resolve(userFolder(io), path));
  return inside.startsWith("..") ? path : inside;
}
