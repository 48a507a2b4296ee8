import { assertEquals, assertRejects } from "@std/assert";
import OpenAI from "openai";

import { toAgentId } from "../../../../../runtime/server/openai/agent_id.ts";
import { chatScene } from "../../../../support/server/chat_scene.ts";
import {
  ended,
  LONG_ANSWER,
  lookedUp,
  PlayedRuns,
  spoken,
  text,
  turn,
} from "../../../../support/server/played_runs.ts";

const RUN = "20261123-100000-00000001";

Deno.test("a response has the text, the usage, and an id with which its run goes on", async () => {
  const runs = new PlayedRuns({ events: spoken("Four.") }, { events: spoken("Five.") });
  await using scene = await chatScene(runs);
  const { responses } = scene.client;
  const first = await responses.create({ model: "researcher", instructions: "Be short.", input: "Count." });
  assertEquals([first.output_text, first.status, first.usage?.total_tokens], ["Four.", "completed", 107]);
  assertEquals([first.model, runs.requests[0]?.before], [toAgentId(RUN), "DEVELOPER:\nBe short."]);
  runs.all.get(RUN)!.detail.can.resume = true;
  const second = await responses.create({ input: "And June?", previous_response_id: first.id });
  assertEquals([second.output_text, runs.answers], ["Five.", [{ prompt: "And June?", client: "127.0.0.1" }]]);
  const asking = () => responses.create({ input: "And July?", previous_response_id: "resp_1" });
  await assertRejects(asking, OpenAI.NotFoundError, "There is no response");
});

Deno.test("the events of a response are what OpenAI's library expects", async () => {
  const events = lookedUp();
  await using scene = await chatScene(new PlayedRuns({ events }));
  const url = "data:image/png;base64,AAAA";
  const content = [{ type: "input_text", text: "What?" }, {
    type: "input_image",
    image_url: url,
    detail: "auto",
  }] as const;
  const stream = scene.client.responses.stream({
    model: "default",
    input: [{ role: "user", content: [...content] }],
  });
  const types: string[] = [];
  const numbers: number[] = [];
  for await (const event of stream) {
    types.push(event.type);
    numbers.push(event.sequence_number);
  }
  assertEquals((await stream.finalResponse()).output_text, LONG_ANSWER);
  assertEquals(types.map((type) => type.replace("response.", "")), [
    ...["created", "in_progress", "output_item.added", "content_part.added"],
    ...["output_text.delta", "output_text.delta", "output_text.done"],
    ...["content_part.done", "output_item.done", "completed"],
  ]);
  assertEquals(numbers, numbers.map((_, at) => at));
});

Deno.test("a limit and a failure end a response as such", async () => {
  const error = { code: "external_failure", message: "The model is away" };
  const runs = new PlayedRuns(
    { events: [turn(1), text("Fo"), ended("Fo", "cut_off")] },
    { events: [turn(1), text(LONG_ANSWER), ended(null, "model_unreachable")], end: { error } },
  );
  await using scene = await chatScene(runs);
  const { responses } = scene.client;
  const cut = await responses.create({ input: "Count." });
  assertEquals([cut.status, cut.output_text], ["incomplete", "Fo"]);
  const types = [];
  for await (const event of await responses.create({ input: "Count.", stream: true })) types.push(event.type);
  assertEquals(types.at(-1), "response.failed");
});
