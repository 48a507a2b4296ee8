import type { z } from "zod";

import { ToolError } from "../../../schemas/error.ts";
import { didYouMean, nearest } from "../../../schemas/nearest.ts";
import type { ServerInfo } from "../api/call_operations.ts";
import { toRunId } from "./agent_id.ts";

/** What clients may choose from. */
export type ServerOffer = Pick<
  z.infer<typeof ServerInfo>,
  "agent" | "agents" | "models" | "max_runs" | "tools"
>;

/** Who answers: an agent, the same without its tools, or a run that goes on. */
export type MeantModel =
  | { kind: "agent"; agent?: string; model?: string; name: string; isBare: boolean }
  | { kind: "run"; id: string };

/**
 * Stands behind an agent's name for the agent without tools. Chat pages ask for titles, tags and further questions by
 * requests of their own: for these no agent shall set to work.
 */
const BARE = ":chat";

/**
 * Says who is meant by the `model` of a request.
 *
 * @throws {ToolError} `not_found`, with what there is
 */
export function meantModel(model: string | null | undefined, offer: ServerOffer): MeantModel {
  const name = model ?? offer.agent;
  const run = toRunId(name);
  if (run !== null) return { kind: "run", id: run };
  const isBare = name.endsWith(BARE);
  const agent = isBare ? name.slice(0, -BARE.length) : name;
  if (offer.agents.some((other) => other.name === agent)) return { kind: "agent", agent, name, isBare };
  if (/^(?:RH|researchharness)$/i.test(name)) return { kind: "agent", name, isBare: false };
  const backend = /^RH--(.+)$/.exec(name)?.[1];
  if (backend !== undefined && offer.models.includes(backend)) {
    return { kind: "agent", model: backend, name, isBare: false };
  }
  const names = modelIds(offer);
  throw new ToolError(
    "not_found",
    `There is no model ${JSON.stringify(name)}${didYouMean(nearest(name, names)) || "."} Available: ${
      names.join(", ")
    }`,
    { details: { candidates: names, param: "model", code: "model_not_found" } },
  );
}

/** Returns the names that a list of models has: the agents, the usual one first, and the usual one without tools. */
export function modelIds({ agent, agents }: ServerOffer): string[] {
  return [...new Set([agent, ...agents.map(({ name }) => name)]), agent + BARE];
}
