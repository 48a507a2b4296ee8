import { toFileUrl } from "@std/path";

import { ToolError } from "../../../../schemas/error.ts";
import { isInside } from "../../../walls/grants/inside.ts";
import type { Machine } from "../../../calls/machine.ts";
import type { SourceHost } from "../../source.ts";
import type { McpServer } from "../config/mcp_server.ts";
import type { ClientSettings, ServerQuestion } from "../wire/protocol.ts";
import { serverNeeds } from "../wire/server_needs.ts";

type Answer = Readonly<Record<string, unknown>>;

/** Says what servers may ask for: a person and the model, if there are any. */
export function offersOf({ machine: { control, model } }: SourceHost): ClientSettings["offers"] {
  return { sampling: model !== undefined && control.confirm !== null, elicitation: control.ask !== null };
}

/** Makes what answers the questions of one server, in the form of the protocol. */
export function serverAnswers(
  server: McpServer,
  { machine }: SourceHost,
): (question: ServerQuestion, options: { signal: AbortSignal }) => Promise<Answer> {
  const { name } = server;
  const { control, model } = machine;
  let asked = 0;
  return async ({ kind, params }, { signal }) => {
    if (kind === "roots") return rootsOf(server, machine);
    if (kind === "elicitation") {
      const { elicit } = await import("./elicit.ts");
      return await elicit(params, { name, ask: control.ask, signal });
    }
    if (model === undefined) throw new ToolError("denied_by_policy", "there is no model in this run");
    const { sample } = await import("./sample.ts");
    // It counts before anybody answers: a request that the server withdraws, or sends beside others, may be paid for.
    return await sample(params, { name, model, control, asked: asked++, signal });
  };
}

/** The workspace, for a server that may read it: one that is told of a folder which it cannot see is misled. */
function rootsOf({ grants, transport }: McpServer, { grants: { workspace }, home }: Machine): Answer {
  const { read = [], write = [] } = serverNeeds(grants, { workspace, home });
  const sees = [read, write].some((scope) =>
    scope === true || scope.some((path) => isInside(path, workspace))
  );
  if (!sees || transport.kind !== "stdio") return { roots: [] };
  return { roots: [{ uri: toFileUrl(workspace).href, name: "workspace" }] };
}
