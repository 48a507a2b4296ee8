import { ToolError } from "../../../../schemas/error.ts";
import type { NarrowRequest } from "../../../server/contract/narrow.ts";
import type { OrderWishes } from "../../../queue/submit/queue_job.ts";
import { GRANTS, OFFERED_TOOLS } from "../../args/command_kinds.ts";
import { flagOf, type OptionName, type Options } from "../../args/options/option_table.ts";
import type { Io } from "../../io/io.ts";

/** Permissions that whoever submits can choose: they take away. */
const TAKING: readonly OptionName[] = ["policy", "denyRead", "denyWrite", "denyNet", "denyRun", "workspace"];
/** Options that a worker is started with. */
const OF_WORKERS: readonly OptionName[] = [
  ...GRANTS.filter((name) => !TAKING.includes(name)),
  ...OFFERED_TOOLS,
  ...["toolTimeout", "toolConcurrency", "audit", "agents", "baseUrl", "thinking"] as const,
  ...["maxCalls", "maxSilence", "maxTools", "noProject", "workspaces"] as const,
];
/** Options of what is done here. */
const OF_HERE: readonly OptionName[] = [
  ...[
    "session",
    "noSession",
    "overlay",
    "noUndo",
    "record",
    "replayTools",
    "strict",
    "image",
    "rolePrompt",
    "plan",
  ] as const,
];
/** Options that say how a queue is used. */
const OF_QUEUES: readonly OptionName[] = [
  ...[
    "queueCa",
    "queueCreds",
    "queueReplicas",
    "job",
    "independent",
    "tries",
    "retryUnsafe",
    "workerWait",
    "files",
  ] as const,
];
const NARROWER = ["read-only", "read-only-no-net"] as const;

/**
 * Checks that options fit together: with a queue, or without one.
 *
 * @throws {ToolError} `invalid_input`
 */
export function checkQueueOptions(options: Options): void {
  const given = (names: readonly OptionName[]) =>
    names.filter((name) => options[name] !== undefined).map(flagOf);
  if (options.queue === undefined) {
    const [flag] = given(OF_QUEUES);
    if (flag !== undefined) {
      throw bad(`${flag} says how a queue is used: name one with --queue URL, or leave it out`);
    }
    return;
  }
  const [ofWorkers] = given(OF_WORKERS);
  if (ofWorkers !== undefined) {
    throw bad(
      `${ofWorkers} has no effect with --queue: the permissions and tools of workers are their own, start bulkhead worker ` +
        "with it; --policy and --deny-... can take some away here",
    );
  }
  const [ofHere] = given(OF_HERE);
  if (ofHere !== undefined) throw bad(`${ofHere} is for work in this process: leave it out with --queue`);
  const { policy, job } = options;
  if (policy !== undefined && !NARROWER.some((name) => name === policy)) {
    throw bad(
      `--policy ${policy} cannot be asked of workers: write ${NARROWER.join(" or ")}, or leave it out`,
    );
  }
  if (job !== undefined && !/^[\w-]{1,64}$/.test(job)) {
    throw bad(`Cannot use --job ${JSON.stringify(job)}: write at most 64 letters, digits, _ and -`);
  }
}

/** Returns what holds for each order of a job. */
export function orderTerms(options: Options, io: Io, isWatched: boolean): OrderWishes {
  const { workspace, timeout, tries = 3, retryUnsafe = false } = options;
  const grants = narrowing(options);
  const traceparent = io.env("TRACEPARENT");
  return {
    ...{ tries, retriesUnsafe: retryUnsafe, isWatched },
    ...workspace !== undefined && { workspace },
    ...grants !== null && { grants },
    ...timeout !== undefined && { maxCallMs: timeout * 1_000 },
    ...traceparent && { traceparent },
  };
}

function narrowing(
  { policy, denyRead, denyWrite, denyNet, denyRun }: Options,
): NarrowRequest["grants"] | null {
  if (denyRead === true) throw bad("--deny-read without a list leaves nothing to do: name paths");
  const list = (value: true | readonly string[]) => value === true ? true as const : [...value];
  const grants = {
    ...policy !== undefined && { policy: policy as typeof NARROWER[number] },
    ...denyRead && { deny_read: [...denyRead] },
    ...denyWrite && { deny_write: list(denyWrite) },
    ...denyNet && { deny_net: list(denyNet) },
    ...denyRun && { deny_run: list(denyRun) },
  };
  return Object.keys(grants).length === 0 ? null : grants;
}

function bad(message: string): ToolError {
  return new ToolError("invalid_input", message);
}
