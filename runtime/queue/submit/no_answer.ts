import { ToolError } from "../../../schemas/error.ts";
import { plural } from "../../text/plural.ts";
import type { Beginning } from "../contract/engine.ts";
import type { OrderWork, WorkerCard } from "../orders/orders.ts";

/**
 * Says that the worker of an order was lost: what the order has changed is unknown, so it is not begun again by itself.
 */
export function lostOrder(work: OrderWork, begun: readonly Beginning[]): ToolError {
  const { worker, time } = begun.at(-1)!;
  return new ToolError(
    "unavailable",
    `Outcome unknown: worker ${worker} was lost while it ran ${
      named(work)
    } (begun ${time}), and what was changed is unknown; ` +
      "look at what is there, then run it again, or submit with --retry-unsafe",
    { details: { outcome: "unknown", begun } },
  );
}

/** Says that an order was begun too often without coming to an end. */
export function gaveUp(work: OrderWork, begun: readonly Beginning[]): ToolError {
  const tries = begun.map(({ worker, time }) => `${worker} at ${time}`).join(", ");
  return new ToolError(
    "unavailable",
    `${
      named(work)
    } was given up after ${`${begun.length} tries`}: each of its workers was lost while it ran (${tries}); ` +
      "look into the logs of these workers before you submit it again",
    { details: { outcome: "dead", begun } },
  );
}

/** Says that nobody is there who could do some work. */
export function noWorker(work: OrderWork, cards: readonly WorkerCard[]): ToolError {
  const there = cards.length === 0
    ? "no worker is there"
    : `${plural(cards.length, "worker")} there, none of which ${
      work.kind === "call" ? "offers it" : "does such tasks"
    }`;
  const start = work.kind === "call"
    ? "start one whose permissions are enough, with bulkhead worker --queue URL"
    : "start one with a model, with bulkhead worker --queue URL --model NAME";
  return new ToolError("unavailable", `Nobody takes ${named(work)} from the queue: ${there}; ${start}`, {
    details: { workers: cards.map(({ worker }) => worker) },
  });
}

function named(work: OrderWork): string {
  return work.kind === "call" ? work.tool.slice(0, 200) : "the task";
}
