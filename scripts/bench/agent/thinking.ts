import type { ThinkingKind } from "../../../schemas/step/thinking.ts";
import type { Ratio } from "../report.ts";
import { makePlace, startAgent, timesOf } from "./rounds.ts";
import { ModelServer, type ServedReply } from "./model_server.ts";

const WARM_UP = 20;
const STEPS = 100;
/** Most of the time of a step, and of a reply, beside that of `tools`. */
const BOUND = 1.5;

const THOUGHT = {
  reasoning_steps: ["look at what was read", "read the next file"],
  current_situation: "some files are read",
  plan_status: "as planned",
  enough_data: false,
  remaining_steps: ["read the next file"],
  task_completed: false,
};

/** How a kind answers the nth request with one more file to read, and the requests that a step of it takes. */
const KINDS: Readonly<
  Record<ThinkingKind, { requests: number; reply(n: number, path: string): ServedReply }>
> = {
  tools: { requests: 1, reply: (_, path) => [read(path)] },
  sgr: {
    requests: 1,
    reply: (_, path) => JSON.stringify({ ...THOUGHT, function: { tool_name_discriminator: "Read", path } }),
  },
  "sgr-tools": {
    requests: 2,
    reply: (n, path) => n % 2 === 0 ? [{ name: "reasoning_tool", arguments: THOUGHT }] : [read(path)],
  },
  plan: {
    requests: 1,
    reply: (n, path) => n === 0 ? JSON.stringify({ title: "Read", steps: ["Read the files"] }) : [read(path)],
  },
};

/** Measures the agent's own time for a step of each way of thinking, on a model that answers at once. */
export async function benchThinking(
  label: string,
  argv: readonly string[],
  folder: string,
): Promise<Ratio[]> {
  const place = makePlace(folder);
  const ratios: Ratio[] = [];
  let usual = 0;
  for (const [kind, { requests, reply: replyTo }] of Object.entries(KINDS)) {
    const all = (WARM_UP + STEPS) * requests;
    const path = (n: number) => place.files[Math.floor(n / requests) % place.files.length]!;
    await using server = new ModelServer((n) => n >= all ? null : replyTo(n, path(n)));
    const words = ["--thinking", kind, "--tool=Read", "--tool=sgr/reasoning_tool"];
    // Texts without a call are no end of some kinds, which then give up.
    await startAgent(argv, place, server, words).ended.catch(() => {});
    const gaps = server.gaps.slice(WARM_UP * requests, all);
    if (gaps.length < STEPS * requests) throw new Error(`the agent broke off while it was measured: ${kind}`);
    const reply = timesOf(gaps).median;
    const step = timesOf(stepsOf(gaps, requests)).median;
    usual ||= step;
    if (usual === step) continue;
    const beside = { peer: "thinking tools", peerMs: usual, bound: BOUND };
    ratios.push({ name: `${label} agent, a step of thinking ${kind}`, ms: step, ...beside });
    if (requests === 1) continue;
    ratios.push({
      name: `${label} agent, a reply of thinking ${kind}, ${requests} a step`,
      ms: reply,
      ...beside,
    });
  }
  return ratios;
}

/** The time of each step, of the times of its requests. */
function stepsOf(gaps: readonly number[], requests: number): number[] {
  return Array.from(
    { length: Math.floor(gaps.length / requests) },
    (_, at) => gaps.slice(at * requests, (at + 1) * requests).reduce((sum, gap) => sum + gap, 0),
  );
}

function read(path: string) {
  return { name: "Read", arguments: { path } };
}
