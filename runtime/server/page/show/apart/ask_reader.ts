import type { Job, Kind, ReaderJobs, Told } from "./jobs.ts";

/** What takes longer is shown as it was written, in milliseconds. */
const MOST_MS = 2_000;

interface Waiting {
  job: Job;
  /** Aborts when nobody is there any more who would show the answer. */
  signal: AbortSignal;
  resolve(answer: unknown): void;
}

let reader: Worker | null = null;
let isBusy = false;
const waiting: Waiting[] = [];

/**
 * Asks the reader, which is ended when a job takes too long. One job goes after the other, so that the time of one is
 * not that of others; texts go before what stands in them.
 *
 * @param signal Aborts when nobody is there any more who would show the answer
 * @returns `null` for what is not understood, takes too long, or is too much for a page
 */
export function askReader<K extends Kind>(
  kind: K,
  asked: ReaderJobs[K]["asked"],
  signal: AbortSignal,
): Promise<ReaderJobs[K]["answer"] | null> {
  return new Promise((resolve) => {
    waiting.push({ job: { kind, asked } as Job, signal, resolve: resolve as (answer: unknown) => void });
    void answerNext();
  });
}

async function answerNext(): Promise<void> {
  if (isBusy || waiting.length === 0) return;
  isBusy = true;
  const at = Math.max(0, waiting.findIndex(({ job }) => job.kind === "blocks"));
  const [{ job, signal, resolve }] = waiting.splice(at, 1) as [Waiting];
  resolve(signal.aborted ? null : await answerOf(job, signal));
  isBusy = false;
  void answerNext();
}

function answerOf(job: Job, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    let timer: number | undefined;
    const worker = reader ??= new Worker("./reader.js", { type: "module" });
    const end = (answer: unknown) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
      resolve(answer);
    };
    const giveUp = () => {
      worker.terminate();
      reader = null;
      end(null);
    };
    signal.addEventListener("abort", giveUp);
    worker.onmessage = ({ data }: MessageEvent<Told>) => {
      if ("answer" in data) end(data.answer);
      else timer = setTimeout(giveUp, MOST_MS);
    };
    // Among others a server that is gone before the reader was loaded.
    worker.onerror = giveUp;
    worker.postMessage(job);
  });
}
