import { AGENT_LIMITS } from "../../schemas/agent.ts";
import type { Option } from "./option_kinds.ts";

/** The options of the agent's command alone. */
export const AGENT_OPTIONS = {
  model: {
    kind: "text",
    value: "NAME",
    group: "agent",
    summary: "Model, or replay:FILE for a recorded run; default: OPENAI_MODEL",
  },
  baseUrl: {
    kind: "text",
    value: "URL",
    group: "agent",
    summary: "OpenAI-compatible API; default: OPENAI_BASE_URL, or OpenAI's own",
  },
  image: {
    kind: "several",
    value: "FILE",
    complete: "file",
    group: "agent",
    summary: "Show this picture with the prompt; repeatable",
  },
  rolePrompt: {
    kind: "several",
    value: "FILE",
    complete: "file",
    group: "agent",
    summary: "Add this text to the system prompt; repeatable",
  },
  noProject: { kind: "flag", group: "agent", summary: "Leave out the AGENTS.md of the workspace" },
  outputSchema: {
    kind: "text",
    value: "FILE",
    complete: "file",
    group: "agent",
    summary: "The answer must be JSON of this JSON Schema",
  },
  resume: {
    kind: "optional",
    value: "ID",
    group: "agent",
    excludes: ["noSession"],
    summary: "Go on with a session; default: the last one of this workspace",
  },
  noSession: {
    kind: "flag",
    group: "agent",
    excludes: ["session"],
    summary: "Keep no trace and no state of this run",
  },
  maxRounds: limit("integer", "replies", { max: 100_000, fallback: AGENT_LIMITS.rounds }),
  maxCalls: limit("integer", "tool calls", { max: 1_000_000, fallback: AGENT_LIMITS.calls }),
  maxTime: limit("number", "seconds", { min: 0.001, max: 604_800, fallback: AGENT_LIMITS.seconds }),
  maxTokens: limit("integer", "tokens of all requests", { max: 1_000_000_000_000 }),
  maxCost: limit("number", "dollars, by the configured prices", { min: 0, max: 1_000_000 }),
  record: {
    kind: "text",
    value: "FILE",
    complete: "file",
    group: "agent",
    summary: "Keep the model's replies and the results in FILE, to be replayed",
  },
  replayTools: {
    kind: "flag",
    group: "agent",
    summary: "In a replay, really run also the calls that write or start programs",
  },
  strict: {
    kind: "flag",
    group: "agent",
    summary: "End a replay when a result is not the recorded one",
  },
} as const satisfies Record<string, Option>;

function limit<const Kind extends "integer" | "number">(
  kind: Kind,
  unit: string,
  { min = 1, max, fallback }: { min?: number; max: number; fallback?: number },
) {
  const value = kind === "integer" ? "N" : "X";
  const shown = fallback === undefined ? {} : { default: fallback };
  return {
    kind,
    unit,
    min,
    max,
    value,
    group: "agent",
    summary: `Most ${unit} of the run`,
    ...shown,
  } as const;
}
