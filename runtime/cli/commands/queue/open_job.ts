import { resolve } from "@std/path";

import { ToolError } from "../../../../schemas/error.ts";
import { type FetchedFiles, fetchFiles } from "../../../queue/submit/fetch_files.ts";
import { QueueJob } from "../../../queue/submit/queue_job.ts";
import { WorkerBoard } from "../../../queue/submit/worker_board.ts";
import type { OrderAnswer } from "../../../queue/orders/orders.ts";
import { makeArtifactFolder } from "../../../state/artifact_folder.ts";
import { stateFolder } from "../../../state/state_folder.ts";
import { orAborted } from "../../../wait/or_aborted.ts";
import { settlesWithin } from "../../../wait/settles_within.ts";
import type { Options } from "../../args/options/option_table.ts";
import { type Io, printError, userFolder } from "../../io/io.ts";
import type { StatusLine } from "../../show/status_line.ts";
import { openQueue } from "./queue_link.ts";

/** A job of the command line, and who works for it. */
export interface OpenJob extends AsyncDisposable {
  job: QueueJob;
  board: WorkerBoard;
  /** Waits for a worker, if there is none, as long as orders do. */
  someWorker(signal: AbortSignal): Promise<void>;
  /** Brings the files of an answer here. */
  fetch(number: number, answer: OrderAnswer): Promise<FetchedFiles>;
  /** Ends the job: nothing more of it is wanted, or all of it was answered. */
  end(how: "answered" | "stopped"): Promise<void>;
}

const WORKER_WAIT_S = 60;
/** How long the end waits for the queue, in milliseconds. */
const END_MS = 5_000;

/**
 * Opens a job in the queue that the options name, and says how to go on with it.
 *
 * @param kind What its lines are
 * @throws {ToolError} What the queue refuses
 */
export async function openJob(
  kind: "calls" | "tasks",
  { options, io, status }: { options: Options; io: Io; status: StatusLine },
): Promise<OpenJob> {
  const { queue, maxParallel, maxRuns, workerWait = WORKER_WAIT_S, quiet = false } = options;
  const name = options.job ?? newName(kind);
  const engine = await openQueue(queue, options, io);
  const board = new WorkerBoard(engine);
  const parts = { engine, board };
  let waits: string | null = null;
  try {
    await board.first;
    const job = await QueueJob.open(parts, kind, {
      ...{
        job: name,
        client: `${Deno.hostname()} ${Deno.pid}`,
        workerMs: workerWait * 1_000,
        most: maxParallel ?? maxRuns,
      },
      onWait(why) {
        if (why === waits) return;
        waits = why;
        status.show({ message: why === null ? "" : `(${why})` });
        if (why !== null && !quiet) void printError(io, `bulkhead: ${why}: waiting\n`);
      },
    });
    if (!quiet) await printError(io, `bulkhead: job ${name}${goesOn(job.known, options)}\n`);
    // Later the environment may not be read any more.
    const folder = makeArtifactFolder(filesFolder(name, options, io));
    return {
      ...{ job, board },
      async someWorker(signal) {
        const late = AbortSignal.any([signal, AbortSignal.timeout(workerWait * 1_000)]);
        while (board.all.length === 0 && !late.aborted) await orAborted(board.changed, late);
      },
      fetch: async (number, answer) =>
        await fetchFiles(
          engine,
          { job: name, number },
          answer,
          folder,
        ),
      end: (how) => endJob(job, how),
      async [Symbol.asyncDispose]() {
        await job[Symbol.asyncDispose]();
        await board[Symbol.asyncDispose]();
        await engine[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await board[Symbol.asyncDispose]();
    await engine[Symbol.asyncDispose]();
    throw error;
  }
}

/** An engine that is gone does not hold up the end. */
async function endJob(job: QueueJob, how: "answered" | "stopped"): Promise<void> {
  const ended = (how === "answered" ? job.remove() : job.cancel()).catch(() => {});
  await settlesWithin(ended, END_MS);
}

function goesOn(known: number, { job }: Options): string {
  if (known > 0) return ` goes on: ${known} outcomes are there already`;
  return job === undefined ? " (if this ends early, add --job with this name to go on with it)" : "";
}

function newName(kind: string): string {
  const time = new Date().toISOString().replace(/[-:]|\..*$/g, "");
  return `${kind}-${time}-${crypto.randomUUID().slice(0, 6)}`;
}

function filesFolder(name: string, { files }: Options, io: Io): () => string {
  const state = stateFolder(io.env("XDG_STATE_HOME"), io.env("HOME") ?? "");
  const folder = files === undefined ? state && `${state}/queue/${name}` : resolve(userFolder(io), files);
  return () => {
    if (folder !== null) return folder;
    const next = "name one with --files DIR, or set HOME";
    throw new ToolError("configuration", `No place for files of workers: ${next}`);
  };
}
