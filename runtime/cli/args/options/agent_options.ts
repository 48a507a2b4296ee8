import { AGENT_LIMITS } from "../../../../schemas/agent/agent.ts";
import { THINKING_KINDS, type ThinkingKind } from "../../../../schemas/step/thinking.ts";
import { PRESET_NAMES } from "../../../model/providers/presets.ts";
import type { Option } from "./option_kinds.ts";

/** The forms in which sources are printed. */
const SOURCE_FORMS = ["text", "json", "bibtex", "csl-json"] as const;

/** A form in which sources are printed. */
export type SourceForm = typeof SOURCE_FORMS[number];

/** The options of the agent's commands alone. */
export const AGENT_OPTIONS = {
  model: {
    kind: "text",
    value: "NAME",
    group: "agent",
    offers: PRESET_NAMES.map((name) => `${name}/`),
    summary: "Model as PROVIDER/NAME, or replay:FILE for a recorded run; default: OPENAI_MODEL",
  },
  agent: {
    kind: "text",
    value: "NAME",
    complete: "agent",
    group: "agent",
    summary: "Who does it: an agent by its name; bulkhead agents lists them",
  },
  agents: {
    kind: "text",
    value: "FILE",
    complete: "file",
    group: "agent",
    summary: "Agents of this file: as SGR Agent Core writes it, or config.toml of OpenManus",
  },
  baseUrl: {
    kind: "text",
    value: "URL",
    group: "agent",
    summary: "OpenAI-compatible API; default: OPENAI_BASE_URL, or the provider's own",
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
  thinking: {
    kind: "choice",
    choices: Object.keys(THINKING_KINDS) as ThinkingKind[],
    value: "KIND",
    group: "agent",
    summary: "How it works from step to step, whatever its agent says",
  },
  noQuestions: {
    kind: "flag",
    group: "agent",
    summary: "Ask the person nothing, for no consent either: as without a terminal",
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
    complete: "session",
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
  tasks: {
    kind: "text",
    value: "FILE",
    complete: "file",
    group: "agent",
    excludes: [
      ...["chat", "resume", "session", "noSession", "record", "replayTools", "strict"],
      ...["image", "rolePrompt", "noProject", "overlay", "display", "browserUrl"],
    ],
    summary: "Do the tasks of this file, a line of JSON each, in runs of their own; - is stdin",
  },
  chat: {
    kind: "flag",
    group: "agent",
    excludes: [
      ...["noSession", "outputSchema", "record", "replayTools", "strict", "failOnRefusal"],
      ...["json", "events", "output"],
    ],
    summary: "Go on turn after turn at the terminal, as bulkhead chat does",
  },
  maxRounds: {
    ...bound("Most replies of the model", AGENT_LIMITS.rounds),
    unit: "replies",
    max: 100_000,
  },
  maxCalls: { ...bound("Most tool calls", AGENT_LIMITS.calls), unit: "calls", max: 1_000_000 },
  maxTime: {
    ...bound("Longest time of the run", AGENT_LIMITS.seconds),
    kind: "number",
    unit: "seconds",
    value: "SECONDS",
    min: 0.001,
    max: 604_800,
  },
  maxSilence: {
    ...bound("Longest silence of the model before the request is repeated once", 600),
    kind: "number",
    unit: "seconds",
    value: "SECONDS",
    min: 0.001,
    max: 604_800,
  },
  maxTokens: { ...bound("Most tokens of all requests together"), unit: "tokens", max: 1_000_000_000_000 },
  maxCost: {
    ...bound("Highest cost, as the provider says or by the prices in the configuration"),
    kind: "number",
    unit: "dollars",
    value: "DOLLARS",
    min: 0,
    max: 1_000_000,
  },
  maxTools: {
    ...bound("Most tools of one request; with more, the model finds them by a search", AGENT_LIMITS.tools),
    unit: "tools",
    max: 100_000,
  },
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
    summary: "End a replay when the request or a result is not the recorded one",
  },
  as: {
    kind: "choice",
    value: "FORM",
    choices: SOURCE_FORMS,
    default: "text",
    excludes: ["json"],
    group: "output",
    summary: "Print the sources in this form",
  },
} as const satisfies Record<string, Option>;

function bound(summary: string, fallback?: number) {
  const shown = fallback === undefined ? {} : { default: fallback };
  return { kind: "integer", value: "N", min: 1, group: "agent", summary, ...shown } as const;
}
