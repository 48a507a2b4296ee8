import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import { type OutputItem, responsesServer } from "../../support/servers/responses_server.ts";
import { tell } from "../../support/cli/agent_scene.ts";
import { makeScene } from "../../support/cli/scene.ts";

/** A picture of one point. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** As many as a server would count. */
const USAGE = { input_tokens: 5_000, input_tokens_details: { cached_tokens: 4 }, output_tokens: 50 };

const thought = (id: string): OutputItem => ({
  type: "reasoning",
  id,
  summary: [],
  encrypted_content: `gAAAA-${id}`,
});
const say = (text: string): OutputItem => ({ type: "message", content: [{ type: "output_text", text }] });
const read = (call_id: string, path: string): OutputItem => ({
  type: "function_call",
  call_id,
  name: "ReadImage",
  arguments: JSON.stringify({ path }),
});

Deno.test("run, its recording and its resumption know no difference between the APIs", async () => {
  using scene = makeScene({ "ws/a.txt": "hello\n" });
  scene.write("ws/point.png", Uint8Array.from(atob(PNG), (char) => char.charCodeAt(0)));
  await using server = responsesServer([
    { output: [thought("rs1"), say("I look."), read("c1", "point.png")], usage: USAGE },
    { output: [thought("rs2"), say("It is a point.")], usage: USAGE },
    { output: [say("Still a point.")] },
  ]);
  const env = { OPENAI_BASE_URL: server.url, OPENAI_MODEL: "deep-pro", OPENAI_API_KEY: "sk-canary-12345678" };
  const words = ["What is in point.png?", "--no-project"];
  const { code, run, stderr } = await tell(scene, null, [...words, "--record=../run.jsonl"], { env });
  assertEquals([code, run.answer], [0, "It is a point."], stderr);
  assertEquals([run.usage.rounds, run.usage.input_tokens, run.usage.cached_tokens], [2, 10_000, 8]);
  assertEquals(server.requests.map(({ path }) => path), [
    "/v1/chat/completions",
    "/v1/responses",
    "/v1/responses",
  ]);
  const { input } = server.requests[2]!.body;
  const types = input.map((item: { type?: string; role?: string }) => item.type ?? item.role);
  assertEquals(types.slice(-5), ["reasoning", "assistant", "function_call", "function_call_output", "user"]);
  assertEquals(input.at(-5), thought("rs1"));
  const { type, image_url, detail } = input.at(-1).content.at(-1);
  assertEquals([type, detail], ["input_image", "auto"]);
  assertMatch(image_url, /^data:image\/png;base64,iVBOR/);
  const replayed = await tell(scene, null, ["--model=replay:../run.jsonl", "--strict", "--no-session"]);
  assertEquals([replayed.code, replayed.run.answer], [0, "It is a point."], replayed.stderr);
  const resumed = await tell(scene, null, ["Are you sure?", "--resume"], { env });
  assertEquals([resumed.code, resumed.run.answer], [0, "Still a point."], resumed.stderr);
  const again = JSON.stringify(server.requests.at(-1)?.body.input);
  for (const part of ["gAAAA-rs1", "gAAAA-rs2", "It is a point."]) assertStringIncludes(again, part);
});
