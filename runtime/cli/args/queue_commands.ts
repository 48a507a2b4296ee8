import { CALL_LIMITS, type Command, GRANTS, OFFERED_TOOLS } from "./command_kinds.ts";
import type { OptionName } from "./options/option_table.ts";

/** How a queue is reached. */
export const QUEUE_LINK: readonly OptionName[] = ["queueCa", "queueCreds", "queueReplicas"];

/** How work is given to a queue. */
export const QUEUE_JOB: readonly OptionName[] = [
  "queue",
  ...QUEUE_LINK,
  "job",
  "tries",
  "retryUnsafe",
  "workerWait",
  "files",
];

/** The commands about queues alone. */
export const QUEUE_COMMANDS = {
  worker: {
    summary: "Do the calls and tasks of a queue",
    usage: ["worker --queue URL [options]"],
    notes: [
      "Takes what bulkhead batch --queue and bulkhead run --tasks --queue put into the queue, as much at once as --max-parallel " +
      "says, until it is told to end; then what is at work has the time of --drain. The permissions are its own: nothing in " +
      "the queue can widen them, and a call that needs more goes to another worker. bulkhead help queue tells the rest.",
      "BULKHEAD_QUEUE_USER and BULKHEAD_QUEUE_PASSWORD, or BULKHEAD_QUEUE_TOKEN, hold the credentials for the queue.",
    ],
    options: [
      ...["queue", ...QUEUE_LINK, "lease", "drain", "workspaces", "host", "port", "names"] as const,
      ...["agent", "agents", "model", "baseUrl", "thinking"] as const,
      ...GRANTS.filter((name) => name !== "display" && name !== "browserUrl"),
      ...OFFERED_TOOLS,
      ...CALL_LIMITS,
      ...["maxRounds", "maxCalls", "maxTime", "maxTokens", "maxCost", "audit"] as const,
    ],
    positionals: [],
    words: [0, 0],
    examples: [
      ["worker --queue nats://10.0.0.5:4222 --policy read-only", "Calls that read alone"],
      ["worker --queue tls://queue.example:4222 -C ~/shop --max-parallel 8", "Eight at once, in one folder"],
    ],
  },
  queue: {
    summary: "Show a queue: what waits, who works",
    usage: ["queue status URL [options]", "queue cancel URL JOB [options]", "queue rm URL JOB [options]"],
    notes: [
      "status shows what waits and is at work, the workers, outcomes a second, jobs, and dead letters: what was given up. " +
      "cancel ends a job: what is at work ends, and what waits is removed; its outcomes stay. rm forgets a job.",
    ],
    options: [...QUEUE_LINK, "json"],
    positionals: ["queueAction", "url"],
    words: [1, 1],
    actions: {
      status: {
        summary: "Show what waits, who works, and what was given up",
        operands: "URL",
        words: [1, 1],
      },
      cancel: { summary: "End a job", operands: "URL JOB", words: [2, 2] },
      rm: { summary: "Forget a job with its outcomes", operands: "URL JOB", words: [2, 2] },
    },
    examples: [["queue status nats://10.0.0.5:4222", "Look whether the workers keep up"]],
  },
} as const satisfies Record<string, Command>;
