import { ToolError } from "../../../../schemas/error.ts";
import type { HandlerAnswer, Handlers, Request } from "../../contract/answer.ts";
import { toAgentId, toRunId } from "../agent_id.ts";
import { answerByRun } from "../answer_run.ts";
import { beginRun } from "../begin_run.ts";
import type { ChatParts } from "../chat_handlers.ts";
import { usageOf } from "../chunk.ts";
import { type MeantModel, meantModel } from "../meant_model.ts";
import { readResponseInput, type ResponseBody } from "./read_input.ts";
import { closedResponse, type ResponseHead } from "./response_object.ts";
import { ResponseStream } from "./response_stream.ts";

/** Makes what answers `/v1/responses`. */
export function responseHandlers(parts: Pick<ChatParts, "runs" | "offer" | "trace">): Handlers {
  return { createResponse: (request: Request<unknown, ResponseBody>) => respond(parts, request) };
}

async function respond(
  { runs, offer, trace }: Pick<ChatParts, "runs" | "offer" | "trace">,
  { body, headers, client, signal }: Request<unknown, ResponseBody>,
): Promise<HandlerAnswer> {
  const before = body.previous_response_id;
  const meant: MeantModel = before ? earlier(before) : meantModel(body.model, await offer(signal));
  const schema = schemaOf(body);
  const begun = await beginRun(runs, trace, {
    ...{ meant, model: body.model ?? null, conversation: readResponseInput(body), schema, signal },
    client: headers["x-client-id"] ?? body.user ?? client,
    traceparent: headers.traceparent,
    workspace: body["workspace-root"] || undefined,
    extraBody: body["llm-extra-body"] ?? undefined,
  });
  const agentId = toAgentId(begun.id);
  const head: ResponseHead = {
    id: `resp_${begun.after}_${agentId}`,
    created: Math.floor(Date.now() / 1000),
    model: meant.kind === "agent" && meant.isBare ? meant.name : agentId,
    body,
  };
  const mustBeJson = schema !== undefined;
  return await answerByRun(runs, {
    ...{ begun, meant, mustBeJson, signal },
    stream: body.stream === true ? new ResponseStream(head, mustBeJson) : null,
    whole: (ending, { usage }) => closedResponse(head, ending, usageOf(usage)),
  });
}

/** The run of an earlier response. */
function earlier(responseId: string): MeantModel {
  const id = toRunId(responseId.replace(/^resp_\d+_/, ""));
  if (id !== null) return { kind: "run", id };
  throw new ToolError(
    "not_found",
    `There is no response ${JSON.stringify(responseId)}: give the id of one of this server, or leave it out`,
    { details: { param: "previous_response_id" } },
  );
}

function schemaOf({ text }: ResponseBody): Record<string, unknown> | undefined {
  const { type, schema } = text?.format ?? {};
  if (type === "json_schema") return schema ?? { type: "object" };
  return type === "json_object" ? { type: "object" } : undefined;
}
