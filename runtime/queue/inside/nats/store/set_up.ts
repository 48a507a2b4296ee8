import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig } from "@nats-io/jetstream";
import { nanos } from "@nats-io/nats-core";

import type { EngineSettings } from "../../../contract/engine.ts";
import { API_CODES, hasCode } from "../link/failures.ts";
import type { Link } from "../link/link.ts";
import { STREAMS } from "./subjects.ts";

/** How long a worker counts as there after it said so, in milliseconds. */
export const CARD_MS = 15_000;
const MOST_DEAD = 10_000;
/** For how long a message that is written again counts as the same, in milliseconds: far longer than one is tried. */
const SAME_MS = 30_000;
/** What orders and jobs need outlives what they leave behind, so many times. */
const OUTLIVES = 2;

type Plan = Pick<StreamConfig, "name"> & Partial<StreamConfig>;
type Limits = Pick<EngineSettings, "replicas" | "keepMs" | "mostOrders">;

/** Makes the streams of the queue, and widens those that are there: limits only grow, so that all who open it agree. */
export async function setUp(link: Link, settings: Limits): Promise<void> {
  await Promise.all(plansFor(settings).map((plan) => ensureStream(link, plan)));
}

async function ensureStream(link: Link, plan: Plan): Promise<void> {
  const config = await link.ask(async ({ streams }) => {
    try {
      return (await streams.info(plan.name)).config;
    } catch (error) {
      if (!hasCode(error, API_CODES.streamMissing)) throw error;
    }
    try {
      return (await streams.add(plan)).config;
    } catch (error) {
      // Another one has made it meanwhile, with other limits.
      if (!hasCode(error, API_CODES.streamExists)) throw error;
      return (await streams.info(plan.name)).config;
    }
  });
  const wider = {
    num_replicas: Math.max(plan.num_replicas ?? 1, config.num_replicas),
    max_age: Math.max(plan.max_age ?? 0, config.max_age),
    max_msgs: Math.max(plan.max_msgs ?? -1, config.max_msgs),
  };
  const isWide = wider.num_replicas === config.num_replicas && wider.max_age === config.max_age &&
    wider.max_msgs === config.max_msgs;
  if (!isWide) await link.ask(({ streams }) => streams.update(plan.name, wider));
}

function plansFor({ replicas, keepMs, mostOrders }: Limits): Plan[] {
  const kept = nanos(keepMs);
  const outlives = OUTLIVES * kept;
  const all = {
    storage: StorageType.File,
    num_replicas: replicas,
    duplicate_window: nanos(Math.min(SAME_MS, keepMs)),
    discard: DiscardPolicy.Old,
  };
  return [
    {
      ...all,
      name: STREAMS.orders,
      subjects: ["bh.order.>"],
      retention: RetentionPolicy.Workqueue,
      discard: DiscardPolicy.New,
      max_msgs: mostOrders,
      max_age: outlives,
    },
    { ...all, name: STREAMS.begun, subjects: ["bh.begun.>"], max_msgs_per_subject: 1, max_age: outlives },
    { ...all, name: STREAMS.outcomes, subjects: ["bh.outcome.>"], max_age: kept },
    {
      ...all,
      name: STREAMS.dead,
      subjects: ["bh.dead.>"],
      max_msgs_per_subject: 1,
      max_msgs: MOST_DEAD,
      max_age: kept,
    },
    { ...all, name: STREAMS.jobs, subjects: ["bh.job.>"], max_msgs_per_subject: 1, max_age: outlives },
    {
      ...all,
      name: STREAMS.workers,
      subjects: ["bh.worker.>"],
      max_msgs_per_subject: 1,
      max_age: nanos(CARD_MS),
      duplicate_window: nanos(1_000),
    },
    { ...all, name: STREAMS.blobs, subjects: ["bh.blob.>"], max_msgs_per_subject: 1, max_age: kept },
  ];
}
