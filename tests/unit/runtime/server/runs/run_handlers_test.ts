import { assert, assertEquals, assertRejects } from "@std/assert";

import type { HandlerAnswer, Request } from "../../../../../runtime/server/contract/answer.ts";
import { RunDetail, RunList } from "../../../../../runtime/server/api/run_schemas.ts";
import { runHandlers } from "../../../../../runtime/server/runs/run_handlers.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { workspace } from "../../../../support/run_tool.ts";
import { scriptedModel } from "../../../../support/scripted_model.ts";
import { servedRuns } from "../../../../support/server/served_runs.ts";

function request(some: Partial<Request> = {}): Request {
  return {
    ...{ params: {}, query: {}, body: undefined, headers: {}, client: "127.0.0.1", connections: 1 },
    signal: new AbortController().signal,
    ...some,
  };
}

async function textOf({ stream }: HandlerAnswer): Promise<string> {
  let text = "";
  for await (const piece of stream!.pieces) text += piece;
  return text;
}

Deno.test("runs are answered in the form of their schemas, and their events as a stream that can be taken up", async () => {
  using ws = workspace({ "ws/a.txt": "hello\n" });
  await using server = scriptedModel(() => ({ text: "Hello\nyou." }));
  await using runs = servedRuns(ws, server.url);
  const handlers = runHandlers(runs);
  const { status, json } = await handlers.startRun!(request({ body: { prompt: "Hi" } }));
  const { id } = RunDetail.parse(json);
  assertEquals(status, 201);
  const params = { id };
  const followed = await handlers.followRun!(request({ params }));
  assertEquals(followed.stream?.type, "text/event-stream");
  const text = await textOf(followed);
  assert(text.startsWith("retry: 1000\n\nid: 1\nevent: prompt\ndata: {"));
  const [, n = "", data = ""] = /id: (\d+)\nevent: run\.end\ndata: (.*)\n\n$/.exec(text) ?? [];
  assertEquals([JSON.parse(data).v, JSON.parse(data).answer], [1, "Hello\nyou."]);
  const rest = await handlers.followRun!(
    request({ params, headers: { "last-event-id": `${Number(n) - 1}` } }),
  );
  assert((await textOf(rest)).startsWith(`retry: 1000\n\nid: ${n}\nevent: run.end`));
  assertEquals((await handlers.followRun!(request({ params, query: { after: Number(n) } }))).status, 204);
  const broken = request({ params, headers: { "last-event-id": "-1 x" } });
  const error = await assertRejects(async () => await handlers.followRun!(broken), ToolError);
  assertEquals(error.code, "invalid_input");
  const detail = RunDetail.strict().parse((await handlers.getRun!(request({ params }))).json);
  assertEquals([detail.state, detail.usage?.output_tokens], ["completed", 5]);
  const list = RunList.strict().parse((await handlers.listRuns!(request())).json);
  assertEquals(list.runs.map((run) => run.id), [id]);
  await handlers.resumeRun!(request({ params, body: { prompt: "And?" } }));
  assertEquals(RunDetail.parse((await handlers.cancelRun!(request({ params }))).json).can.cancel, false);
});
