import type { MsgHdrs } from "@nats-io/nats-core";

import { ToolError } from "../../../../../schemas/error.ts";
import type { OrderPlace } from "../../../contract/engine.ts";
import { carryBody, dropBlob } from "../store/bodies.ts";
import { API_CODES } from "../link/failures.ts";
import type { Link } from "../link/link.ts";
import { writeRecord } from "../store/records.ts";
import { orderSubject, STREAMS } from "../store/subjects.ts";

/** A place may become free between a refusal and the look at how many there are. */
const TRIES = 5;

/**
 * Puts an order into its lane.
 *
 * @throws {ToolError} `limit_exceeded` for a body that is too large, `external_failure` for what the engine refuses
 */
export async function submitOrder(
  link: Link,
  place: OrderPlace,
  body: Uint8Array,
): Promise<"taken" | "known" | "full"> {
  const subject = orderSubject(place);
  const { inline, key, headers } = await carryBody(link, place, body);
  const answer = await write(link, subject, { body: inline, headers });
  if (answer !== "taken" && key !== null) await dropBlob(link, place, key);
  return answer;
}

async function write(
  link: Link,
  subject: string,
  { body, headers }: { body: Uint8Array; headers: MsgHdrs },
): Promise<"taken" | "known" | "full"> {
  for (let tries = 1;; tries++) {
    try {
      const found = await writeRecord(link, subject, body, { stream: STREAMS.orders, headers });
      return found ? "known" : "taken";
    } catch (error) {
      if (!(error instanceof ToolError) || error.details.code !== API_CODES.storeFailed) throw error;
      if (await isFull(link)) return "full";
      // A disk without room refuses in the same way.
      if (tries === TRIES) throw error;
    }
  }
}

async function isFull(link: Link): Promise<boolean> {
  const { state, config } = await link.ask(({ streams }) => streams.info(STREAMS.orders));
  return state.messages >= config.max_msgs;
}
