import type { DeadLetter, EngineStatus } from "../../../contract/engine.ts";
import type { Jobs } from "./jobs.ts";
import type { Lanes } from "./lanes.ts";
import type { Link } from "../link/link.ts";
import { STREAMS } from "../store/subjects.ts";

/** Dead letters that are shown, at most. */
const MOST_SHOWN = 20;

/** Reads how the queue stands. */
export async function readStatus(
  link: Link,
  { jobs, lanes }: { jobs: Jobs; lanes: Lanes },
): Promise<EngineStatus> {
  const [consumers, allJobs, outcomes, dead] = await Promise.all([
    lanes.list(),
    jobs.list(),
    link.ask(({ streams }) => streams.info(STREAMS.outcomes)),
    readDead(link),
  ]);
  const { version } = link.nc.info ?? {};
  return {
    engine: `NATS JetStream${version ? ` ${version}` : ""}`,
    lanes: consumers.map(({ name, num_pending, num_ack_pending }) => ({
      lane: name,
      waiting: num_pending,
      taken: num_ack_pending,
    })).sort((a, b) => a.lane < b.lane ? -1 : 1),
    jobs: allJobs,
    outcomes: outcomes.state.last_seq,
    dead,
  };
}

async function readDead(link: Link): Promise<EngineStatus["dead"]> {
  const { state } = await link.ask(({ streams }) => streams.info(STREAMS.dead));
  const newest: DeadLetter[] = [];
  for (let seq = state.last_seq; seq >= state.first_seq && newest.length < MOST_SHOWN && seq > 0; seq--) {
    const letter = await link.ask(({ streams }) => streams.getMessage(STREAMS.dead, { seq }));
    if (!letter) continue;
    const [, , job = "", number] = letter.subject.split(".");
    const { reason, time } = letter.json<Pick<DeadLetter, "reason" | "time">>();
    newest.push({ job, number: Number(number), reason, time });
  }
  return { count: state.messages, newest };
}
