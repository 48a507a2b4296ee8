import type { OrderWork, WorkerCard } from "../orders/orders.ts";

/** A lane whose workers can do some work. */
export interface FittingLane {
  lane: string;
  /** Most orders at once, of all its workers. */
  places: number;
  busy: number;
}

/** Returns the lanes whose workers offer what the work needs; workers that leave take nothing more. */
export function fittingLanes(cards: readonly WorkerCard[], work: OrderWork): FittingLane[] {
  const lanes = new Map<string, FittingLane>();
  for (const card of cards) {
    if (card.isLeaving || !offers(card, work)) continue;
    const { lane, places, busy } = card;
    const others = lanes.get(lane) ?? { lane, places: 0, busy: 0 };
    lanes.set(lane, { lane, places: others.places + places, busy: others.busy + busy });
  }
  return [...lanes.values()];
}

/** Returns the lane that is least busy; `waiting` says how many orders of the submitter each lane has already. */
export function chooseLane(
  lanes: readonly FittingLane[],
  waiting: ReadonlyMap<string, number>,
): FittingLane | null {
  const load = ({ lane, places, busy }: FittingLane) => Math.max(busy, waiting.get(lane) ?? 0) / places;
  let best: FittingLane | null = null;
  for (const lane of lanes) if (best === null || load(lane) < load(best)) best = lane;
  return best;
}

/** Returns the tool that a name means among those of workers, by its full name or its bare one. */
export function findOffered(cards: readonly WorkerCard[], name: string): WorkerCard["tools"][number] | null {
  for (const { tools } of cards) {
    const found = tools.find((tool) => means(name, tool.name));
    if (found) return found;
  }
  return null;
}

function offers({ tools, agents, models }: WorkerCard, work: OrderWork): boolean {
  if (work.kind === "call") return tools.some(({ name }) => means(work.tool, name));
  const { agent, model } = work.wish;
  return agents.length > 0 && (agent === undefined || agents.some((name) => name === agent)) &&
    (model === undefined || models.some((name) => name === model));
}

function means(name: string, fullName: string): boolean {
  return name === fullName || fullName.endsWith(`/${name}`);
}
