import { ToolError } from "../../../../../schemas/error.ts";
import type { OrderId, OrderPlace } from "../../../contract/engine.ts";

/** Names of the streams. */
export const STREAMS = {
  orders: "BH_ORDERS",
  begun: "BH_BEGUN",
  outcomes: "BH_OUTCOMES",
  dead: "BH_DEAD",
  jobs: "BH_JOBS",
  workers: "BH_WORKERS",
  blobs: "BH_BLOBS",
} as const;

const JOB = /^[A-Za-z0-9_-]{1,64}$/;
const LANE = /^[a-z0-9]{1,64}$/;

export function orderSubject({ lane, job, number }: OrderPlace): string {
  return `bh.order.${laneWord(lane)}.${idWords({ job, number })}`;
}

/** Reads the place out of an order's subject. */
export function readOrderSubject(subject: string): OrderPlace {
  const [, , lane = "", job = "", number] = subject.split(".");
  return { lane, job, number: Number(number) };
}

export function laneFilter(lane: string): string {
  return `bh.order.${laneWord(lane)}.>`;
}

export function begunSubject(id: OrderId): string {
  return `bh.begun.${idWords(id)}`;
}

/** @param declinedBy The lane that leaves the order to others, `null` for the final outcome */
export function outcomeSubject(id: OrderId, declinedBy: string | null): string {
  return `bh.outcome.${idWords(id)}.${declinedBy === null ? "final" : `declined-${laneWord(declinedBy)}`}`;
}

/** Reads whose outcome a subject is for. */
export function readOutcomeSubject(subject: string): OrderId & { declinedBy: string | null } {
  const [, , job = "", number, kind = ""] = subject.split(".");
  return {
    job,
    number: Number(number),
    declinedBy: kind === "final" ? null : kind.slice("declined-".length),
  };
}

export function deadSubject(id: OrderId): string {
  return `bh.dead.${idWords(id)}`;
}

export function eventSubject(id: OrderId): string {
  return `bh.event.${idWords(id)}`;
}

export function jobSubject(job: string): string {
  return `bh.job.${jobWord(job)}`;
}

/** All of a job of one kind: `begun`, `outcome`, `blob`, `dead`, `event`. */
export function ofJob(kind: string, job: string): string {
  return `bh.${kind}.${jobWord(job)}.>`;
}

/** All orders of a job, in all lanes. */
export function ordersOf(job: string): string {
  return `bh.order.*.${jobWord(job)}.>`;
}

/** @param key A word that is safe in subjects */
export function blobSubject(id: OrderId, key: string, part: string): string {
  return `bh.blob.${idWords(id)}.${key}.${part}`;
}

export function workerSubject(word: string): string {
  return `bh.worker.${word}`;
}

/** Returns a word that is safe in subjects for a name of any kind. */
export async function wordFor(name: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(name));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function idWords({ job, number }: OrderId): string {
  if (!Number.isSafeInteger(number) || number < 1) {
    throw unsafe("number", String(number), "a whole number from 1");
  }
  return `${jobWord(job)}.${number}`;
}

function jobWord(job: string): string {
  if (!JOB.test(job)) throw unsafe("job", job, "1 to 64 of A-Z a-z 0-9 _ -");
  return job;
}

function laneWord(lane: string): string {
  if (!LANE.test(lane)) throw unsafe("lane", lane, "1 to 64 of a-z 0-9");
  return lane;
}

function unsafe(what: string, value: string, wanted: string): ToolError {
  return new ToolError(
    "invalid_input",
    `Cannot use the ${what} ${JSON.stringify(value.slice(0, 100))}: it must be ${wanted}`,
  );
}
