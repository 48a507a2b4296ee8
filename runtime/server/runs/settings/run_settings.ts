import { AGENT_LIMITS, type AgentLimits } from "../../../../schemas/agent/agent.ts";
import type { SessionSettings } from "../../../../schemas/agent/session_settings.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { AgentConfig } from "../../../../schemas/config.ts";
import type { AgentSettings } from "../../../agent/agent_settings.ts";
import { useAgent } from "../../../agent/use_agent.ts";
import { readHostConfig } from "../../../host/configure_host.ts";
import { narrowHost } from "../../contract/narrow.ts";
import type { Served } from "../../contract/served.ts";
import { checkClientFields } from "./client_fields.ts";
import { keepDenials, keepFewerTools } from "./keep_denials.ts";
import type { KeptRequest, RunChoice } from "./kept_request.ts";

/** The settings of a run, but for what only the run itself knows. */
export type PlannedRun = Omit<AgentSettings, "emit" | "signal">;

/** The session that a run belongs to. */
export interface PlannedSession {
  id: string;
  /** What it was allowed and made of; `null` for a new one. */
  kept: SessionSettings | null;
}

/**
 * Makes the settings of a run: those of the server, with what the request chose of them and did without. Needs `read`.
 *
 * @throws {ToolError} For a place, an agent or a model that is not served
 */
export async function planRun(
  served: Served,
  { workspace, choice, said }: Pick<KeptRequest, "workspace" | "choice" | "said">,
  { id, kept }: PlannedSession,
): Promise<PlannedRun> {
  const { manifest, tools, model, agent, host: { env } } = served;
  const narrow = narrowHost(served, { workspace, grants: choice.grants });
  const host = kept === null ? narrow : keepDenials(narrow, kept, manifest);
  const within = choice.grants?.tools;
  const fewer = tools === "none" || within === undefined ? tools : { ...tools, within };
  const wished = choice.agent ?? agentOf(kept, served);
  const thinking = kept?.thinking ? thinkingOf(kept.thinking) : served.thinking;
  const plan: PlannedRun = {
    host,
    manifest,
    tools: kept === null ? fewer : keepFewerTools(fewer, kept.tools),
    model: {
      ...model,
      name: choice.model ?? model.name,
      extraBody: { ...model.extraBody, ...choice.extraBody },
    },
    limits: served.limits,
    ...(thinking && { thinking }),
    task: {
      prompt: said?.prompt ?? null,
      stdin: null,
      before: said?.before ?? null,
      images: said?.images ?? [],
      roles: served.roles ?? [],
      project: true,
      agent: wished === undefined ? agent : { ...agent, name: wished },
    },
    session: kept === null ? { id, keepsUnanswered: true } : { resume: id, isToldAll: true },
    ...(choice.output_schema && { output: { schema: choice.output_schema, name: "output_schema" } }),
  };
  const config = readHostConfig({ ...host, warn() {} }, manifest.tools);
  const models = config.config.models ?? {};
  const named = models[plan.model.name ?? env.OPENAI_MODEL ?? config.config.agent?.model ?? ""];
  checkClientFields(choice.extraBody ?? {}, model.profile?.output_tokens ?? named?.output_tokens ?? null);
  checkModel(choice.model, { served, usual: config.config.agent?.model, models });
  const quiet = { ...plan, host: { ...host, warn() {} } };
  const { loaded } = await useAgent(quiet, config);
  return { ...plan, limits: smaller(served.limits, choice.limits, loaded.config.agent ?? {}) };
}

/** What an earlier run said goes on; its prompts and limits came with the agent, or with the session. */
function thinkingOf({ limits: _, ...thinking }: NonNullable<SessionSettings["thinking"]>) {
  return thinking;
}

/** An agent of another file than the server's is not served. */
function agentOf(kept: SessionSettings | null, { agent }: Served): string | undefined {
  if (!kept?.agent || (kept.agent.file ?? undefined) !== agent.file) return undefined;
  return kept.agent.name;
}

function checkModel(
  name: string | undefined,
  { served: { model, host: { env } }, usual, models }: {
    served: Served;
    usual: string | undefined;
    models: Readonly<Record<string, unknown>>;
  },
): void {
  const known = [model.name, env.OPENAI_MODEL, usual, ...Object.keys(models)].filter((one) => !!one);
  if (name === undefined || known.includes(name)) return;
  const there = known.length > 0 ? `there are ${[...new Set(known)].join(", ")}` : "no model has a name here";
  throw new ToolError(
    "permission_denied",
    `Cannot use the model ${JSON.stringify(name)}: it is not offered here, ${there}`,
    { details: { models: known } },
  );
}

const FIELDS = {
  rounds: "max_rounds",
  seconds: "max_seconds",
  tokens: "max_tokens",
  cost: "max_cost",
} as const;

/** A request cannot allow itself more than the server, the agent or the configuration does. */
function smaller(
  given: Partial<AgentLimits>,
  asked: RunChoice["limits"],
  config: AgentConfig,
): Partial<AgentLimits> {
  if (asked === undefined) return given;
  const limits = { ...given };
  for (const name of ["rounds", "seconds", "tokens", "cost"] as const) {
    const most = given[name] ?? config[FIELDS[name]] ?? AGENT_LIMITS[name] ?? Infinity;
    const wanted = asked[name];
    if (wanted !== undefined) limits[name] = Math.min(most, wanted);
  }
  return limits;
}
