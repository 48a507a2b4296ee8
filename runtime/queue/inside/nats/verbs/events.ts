import type { OrderEvent } from "../../../contract/engine.ts";
import type { Link } from "../link/link.ts";
import { Mailbox } from "../store/mailbox.ts";
import { ofJob } from "../store/subjects.ts";

/** Events that nobody has taken yet, at most: the newer ones are lost. */
const MOST_WAITING = 1_000;

/** Gives events of a job from now on. */
export function readEvents(link: Link, job: string): AsyncIterableIterator<OrderEvent> {
  const events = new Mailbox<OrderEvent>(() => subscription.unsubscribe());
  const subscription = link.nc.subscribe(ofJob("event", job), {
    callback: (error, message) => {
      if (error) return events.fail(error);
      if (events.size >= MOST_WAITING) return;
      const [, , , number] = message.subject.split(".");
      events.push({ job, number: Number(number), body: new Uint8Array(message.data) });
    },
  });
  return events;
}
