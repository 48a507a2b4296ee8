import { denoDir } from "./deno_dir.ts";
import type { Model, ModelReply, ModelRequest } from "../../schemas/agent/model.ts";

/** A model of the program's own, which answers each request so. */
export function ownModel(answer: (request: ModelRequest, n: number) => Partial<ModelReply>): Model {
  let n = 0;
  return {
    name: "own",
    complete(request, { onText }) {
      const usual = { content: "", tool_calls: [], finish: "stop", usage: null } as const;
      const reply: ModelReply = { ...usual, ...answer(request, n++) };
      onText?.(reply.content);
      return Promise.resolve(reply);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Variables of an agent whose home and state lie in the folder of a test. */
export function agentEnv(ws: { path: string; at(path: string): string }): Record<string, string> {
  return {
    ...{ PATH: Deno.env.get("PATH") ?? "", HOME: ws.path, XDG_STATE_HOME: ws.at("state") },
    DENO_DIR: denoDir(),
  };
}
