import type { EngineStatus } from "../../queue/contract/engine.ts";
import type { WorkerCard } from "../../queue/orders/orders.ts";
import { plural } from "../../text/plural.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { renderTable } from "./tables/columns.ts";

/** How a queue stands, as `--json` prints it. */
export interface QueueLook extends EngineStatus {
  v: 1;
  outcomes_per_second: number;
  workers: readonly WorkerCard[];
}

/** Shows how a queue stands: workers and others may have written anything into it. */
export function renderQueue(look: QueueLook, width: number | null): string {
  const { engine, lanes, jobs, dead, workers, outcomes_per_second: rate } = look;
  const waiting = lanes.reduce((sum, lane) => sum + lane.waiting, 0);
  const taken = lanes.reduce((sum, lane) => sum + lane.taken, 0);
  const places = workers.reduce((sum, card) => sum + card.places, 0);
  const head = [
    `${engine}`,
    `${waiting} waiting, ${taken} at work, ${plural(workers.length, "worker")} with ${
      plural(places, "place")
    }, ` +
    `${rate} outcomes a second, ${plural(dead.count, "dead letter")}`,
  ];
  const cells = (row: readonly unknown[]) => row.map((cell) => onOneLine(String(cell)));
  const tables = [
    [
      ["WORKER", "BUSY", "DONE", "FAILED", "POLICY", "TOOLS", "AGENTS", "LANE"],
      ...workers.map((card) =>
        cells([
          ...[
            card.worker,
            `${card.busy}/${card.places}${card.isLeaving ? " leaving" : ""}`,
            card.done,
            card.failed,
          ],
          ...[
            `${card.policy}${card.hasSandbox ? "" : ", no sandbox"}`,
            card.tools.length,
            card.agents.length,
            card.lane,
          ],
        ])
      ),
    ],
    [
      ["LANE", "WAITING", "AT WORK"],
      ...lanes.filter((lane) => lane.waiting + lane.taken > 0).map((lane) =>
        cells([lane.lane, lane.waiting, lane.taken])
      ),
    ],
    [
      ["JOB", "KIND", "FROM", "BEGUN"],
      ...jobs.map(({ job, digest, client, started, isCancelled }) =>
        cells([`${job}${isCancelled ? " (cancelled)" : ""}`, digest, client, started])
      ),
    ],
    [
      ["DEAD", "WHEN", "WHY"],
      ...dead.newest.map(({ job, number, time, reason }) => cells([`${job} ${number}`, time, reason])),
    ],
  ];
  const shown = tables.filter((rows) => rows.length > 1).map((rows) =>
    renderTable(rows, { width, narrow: [] })
  );
  return `${head.map((line) => onOneLine(line)).join("\n")}\n${shown.map((table) => `\n${table}`).join("")}`;
}
