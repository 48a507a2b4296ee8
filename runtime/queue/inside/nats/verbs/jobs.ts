import type { JobRecord } from "../../../contract/engine.ts";
import { purge } from "../store/bodies.ts";
import type { Link } from "../link/link.ts";
import { endable } from "../store/mailbox.ts";
import { readStream } from "../store/read_stream.ts";
import { readStored, removeRecord, type StoredRecord, writeRecord } from "../store/records.ts";
import { jobSubject, ofJob, ordersOf, STREAMS } from "../store/subjects.ts";

const ALL_JOBS = jobSubject("x").replace(/x$/, ">");

/** The jobs of the queue. */
export class Jobs {
  readonly #link: Link;

  constructor(link: Link) {
    this.#link = link;
  }

  /** Makes a job, or opens it again, unless it is open. Returns what was there before. */
  async open(job: string, record: JobRecord): Promise<JobRecord | null> {
    const found = await this.#write(job, record, 0);
    if (!found) return null;
    const before = recordOf(found.data);
    // Whoever comes second finds it open already.
    if (before.isCancelled) await this.#write(job, { ...before, isCancelled: false }, found.seq);
    return before;
  }

  /** Marks a job as cancelled, and removes its orders. */
  async cancel(job: string): Promise<void> {
    let found = await readStored(this.#link, STREAMS.jobs, jobSubject(job));
    while (found) {
      const record = recordOf(found.data);
      if (record.isCancelled) break;
      found = await this.#write(job, { ...record, isCancelled: true }, found.seq);
    }
    await purge(this.#link, STREAMS.orders, ordersOf(job));
  }

  /** Forgets a job and all that was kept of it. */
  async remove(job: string): Promise<void> {
    const link = this.#link;
    await purge(link, STREAMS.orders, ordersOf(job));
    await Promise.all([
      purge(link, STREAMS.begun, ofJob("begun", job)),
      purge(link, STREAMS.outcomes, ofJob("outcome", job)),
      purge(link, STREAMS.blobs, ofJob("blob", job)),
    ]);
    await removeRecord(link, STREAMS.jobs, jobSubject(job));
  }

  /** Returns all jobs, the oldest first. */
  async list(): Promise<(JobRecord & { job: string })[]> {
    const jobs = new Map<string, JobRecord & { job: string }>();
    const reading = readStream(this.#link, {
      stream: STREAMS.jobs,
      filter: ALL_JOBS,
      signal: this.#link.closed,
    });
    for await (const message of reading) {
      if (!message) break;
      const job = nameOf(message.subject);
      jobs.set(job, { job, ...recordOf(message.data) });
    }
    return [...jobs.values()];
  }

  /** Gives the names of jobs that were cancelled. */
  cancelled(): AsyncIterableIterator<string> {
    return endable((signal) => this.#readCancelled(signal));
  }

  async *#readCancelled(signal: AbortSignal): AsyncGenerator<string, void> {
    for await (const message of readStream(this.#link, { stream: STREAMS.jobs, filter: ALL_JOBS, signal })) {
      if (message && recordOf(message.data).isCancelled) yield nameOf(message.subject);
    }
  }

  #write(job: string, record: JobRecord, after: number): Promise<StoredRecord | null> {
    const body = new TextEncoder().encode(JSON.stringify(record));
    return writeRecord(this.#link, jobSubject(job), body, { stream: STREAMS.jobs, after });
  }
}

function nameOf(subject: string): string {
  return subject.slice(subject.lastIndexOf(".") + 1);
}

function recordOf(data: Uint8Array): JobRecord {
  return JSON.parse(new TextDecoder().decode(data)) as JobRecord;
}
