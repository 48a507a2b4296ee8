import { ToolError } from "../../../schemas/error.ts";
import { readHostConfig } from "../../host/configure_host.ts";
import { chooseModel, replayFile } from "../../model/choose_model.ts";
import { openModel } from "../../model/open_model.ts";
import type { Handlers, Request } from "../contract/answer.ts";
import { modelOfServer } from "../contract/model_of_server.ts";
import type { Served } from "../contract/served.ts";

/** Longest time of a trial, in milliseconds. */
const TRIAL_MS = 60_000;
/** Longest reply of a trial, in tokens: models that think need some before they say anything. */
const TRIAL_TOKENS = 200;

/** Makes what lets a server without a model take one. */
export function modelHandlers(served: Served): Handlers {
  return {
    chooseModel: async ({ body, signal }: Request<unknown, { model: string }>) => {
      await takeModel(served, body.model.trim(), signal);
      return { json: { model: body.model.trim() } };
    },
  };
}

/**
 * Asks a model one thing, and then takes it for runs that name none, for as long as the server runs. Only a server whose user
 * named none takes one. Its key is the one that the server's environment has for its provider, and goes to no other address.
 *
 * @throws {ToolError} `permission_denied` if the server has a model; `invalid_input`; what the model's server answers
 */
async function takeModel(served: Served, name: string, signal: AbortSignal): Promise<void> {
  const { host, manifest, model: wish } = served;
  const { config } = readHostConfig({ ...host, warn() {} }, manifest.tools);
  const usual = modelOfServer(served, config).model;
  if (usual !== null) {
    throw new ToolError(
      "permission_denied",
      `Cannot take the model ${JSON.stringify(name)}: the server has ${usual}`,
    );
  }
  if (name === "" || replayFile(name) !== null) {
    throw new ToolError("invalid_input", `${JSON.stringify(name)} is no model: write PROVIDER/NAME`);
  }
  const { agent = {}, models = {} } = config;
  const choice = chooseModel({ ...wish, name, env: (variable) => host.env[variable], agent, models });
  await using model = await openModel({
    ...choice,
    headers: { ...choice.headers, ...wish.headers },
    requestTimeoutMs: TRIAL_MS,
  });
  await model.complete({
    purpose: "turn",
    messages: [{
      role: "user",
      kind: "task",
      content: [{ type: "text", text: "Answer with one word: ready" }],
    }],
    tools: [],
    maxOutputTokens: TRIAL_TOKENS,
  }, { signal });
  served.model = { ...wish, name };
}
