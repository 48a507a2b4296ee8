import type { Mutation } from "../mutation.ts";

/** Of agents, replay and models. */
export const AGENT: readonly Mutation[] = [
  {
    id: "agent-rounds-off-by-one",
    file: "runtime/agent/loop/budget.ts",
    find: "used.rounds >= rounds",
    replace: "used.rounds > rounds",
    promise: "a run makes no more rounds than its limit",
    caughtBy: ["tests/unit/runtime/agent/loop/budget_test.ts"],
  },
  {
    id: "agent-tokens-limit",
    file: "runtime/agent/loop/budget.ts",
    find: "used.input_tokens + used.output_tokens >= tokens",
    replace: "used.output_tokens >= tokens",
    promise: "the limit of tokens counts what is sent as well",
    caughtBy: ["tests/unit/runtime/agent/loop/budget_test.ts"],
  },
  {
    id: "agent-cost-unknown",
    file: "runtime/agent/loop/budget.ts",
    find: "if (cost !== null && this.#isUnpriced) {",
    replace: "if (cost === null && this.#isUnpriced) {",
    promise: "a limit of cost that cannot be kept ends the run",
    caughtBy: ["tests/unit/runtime/agent/loop/budget_test.ts"],
  },
  {
    id: "agent-faults-limit",
    file: "runtime/agent/loop/budget.ts",
    find: "return this.#faults >= this.#limits.faults;",
    replace: "return this.#faults > this.#limits.faults;",
    promise: "useless replies in a row end the run",
    caughtBy: ["tests/unit/runtime/agent/loop/run_agent_test.ts"],
  },
  {
    id: "agent-aside-round",
    file: "runtime/agent/loop/budget.ts",
    find: 'return purpose === "turn" || isAside(purpose);',
    replace: 'return purpose === "turn";',
    promise: "what servers and tools ask the model counts as a round",
    caughtBy: ["tests/unit/runtime/agent/loop/lent_model_test.ts"],
  },
  {
    id: "agent-replay-tool",
    file: "runtime/agent/replay/replay.ts",
    find: "?.filter(({ call: { tool } }) => tool === call.tool)",
    replace: "",
    promise: "a recorded result belongs to its tool",
    caughtBy: ["tests/unit/runtime/agent/replay/replay_test.ts"],
  },
  {
    id: "agent-replay-once",
    file: "runtime/agent/replay/replay.ts",
    find: "    entry.isTaken = true;\n    return entry.result;",
    replace: "    return entry.result;",
    promise: "each recorded result is given once",
    caughtBy: ["tests/unit/runtime/agent/replay/replay_test.ts"],
  },
  {
    id: "agent-resume-widened",
    file: "runtime/agent/resume_settings.ts",
    find: "  return isWiderPolicy(base, kept.base) || lost",
    replace: "  return lost",
    promise: "going on under a wider policy is told",
    caughtBy: ["tests/unit/runtime/agent/resume_settings_test.ts"],
  },
  {
    id: "agent-resume-filter",
    file: "runtime/agent/resume_settings.ts",
    find:
      "  if (kept.policy.filter && host.grants.policy === undefined) throw lostFilter(id, kept.policy);\n",
    replace: "",
    promise: "a policy whose function is gone is not kept silently",
    caughtBy: ["tests/unit/runtime/agent/resume_settings_test.ts"],
  },
];
