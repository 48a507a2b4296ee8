import type { AgentOutcome } from "../../schemas/agent/agent.ts";
import type { Model } from "../../schemas/agent/model.ts";
import type { Machine } from "../calls/machine.ts";
import { OPENAI, readPresetModel } from "../model/providers/presets.ts";
import type { AgentSession } from "../state/sessions/open_session.ts";
import type { ModelAsked, Telemetry } from "../telemetry/telemetry.ts";
import type { RunModel } from "./loop/parts.ts";

/** What of a run is told. */
export interface ToldParts {
  machine: Machine;
  model: RunModel;
  session: Pick<AgentSession, "id"> | null;
  begun: { agent?: string };
  /** A recording stands for the model. */
  replay?: unknown;
}

/** Does a run while whoever hears of this machine's work hears of it, of its calls, and of each request to its model. */
export async function tellRun<Parts extends ToldParts, Outcome extends AgentOutcome>(
  parts: Parts,
  run: (parts: Parts) => Promise<Outcome>,
): Promise<Outcome> {
  const { machine, model, session, begun, replay } = parts;
  const { telemetry, control: { redact } } = machine;
  if (!telemetry) return await run(parts);
  const named = nameOf(model.name);
  const told = telemetry.run({
    kind: "agent",
    session: session?.id ?? null,
    agent: begun.agent,
    ...!replay && { model: named },
  });
  const { within } = told;
  const asked = replay ? model : toldModel(model, (request) => within.ask({ ...named, request, redact }));
  try {
    const outcome = await run({ ...parts, model: asked, machine: { ...machine, telemetry: within } });
    told.end({ termination: outcome.termination_reason, usage: outcome.usage });
    return outcome;
  } catch (error) {
    told.end({ termination: "failed" });
    throw error;
  }
}

/** The model as its server knows it, and whose server that is, as far as the name says so. */
function nameOf(name: string): Pick<ModelAsked, "model" | "provider"> {
  const { provider = OPENAI, model = name } = readPresetModel(name) ?? {};
  return { provider, model };
}

type Ask = (request: ModelAsked["request"]) => ReturnType<Telemetry["ask"]>;

function toldModel(model: RunModel, ask: Ask): RunModel {
  const { lend } = model;
  return {
    name: model.name,
    complete: told(model, ask),
    // What servers and tools ask is asked by the model itself.
    ...lend && {
      lend: (answer) =>
        lend((request, { model: own, signal }) =>
          answer(request, { model: { ...shell(own), complete: told(own, ask) }, signal })
        ),
    },
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}

function shell(model: Model): Omit<Model, "complete"> {
  return { name: model.name, [Symbol.asyncDispose]: () => model[Symbol.asyncDispose]() };
}

function told(model: Model, ask: Ask): Model["complete"] {
  return async (request, options) => {
    const answered = ask(request);
    try {
      const reply = await model.complete(request, options);
      answered({ reply });
      return reply;
    } catch (error) {
      answered({ error });
      throw error;
    }
  };
}
