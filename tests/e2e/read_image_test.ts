import { assertEquals } from "@std/assert";

import { fixture } from "../picture.ts";
import { png } from "../png.ts";
import { makeScene } from "./scene.ts";

Deno.test("ReadImage attaches pictures to the result and nothing to the text", async () => {
  const quad = fixture("quad.jpg");
  using scene = makeScene({ "ws/a.jpg": quad });
  const { code, ok, text, images } = await scene.call("ReadImage", { path: "a.jpg" });
  assertEquals([code, ok], [0, true]);
  assertEquals(text.split("\n").at(-1), "llm_image_attached: true");
  assertEquals(images, [{ mime_type: "image/jpeg", data: btoa(String.fromCharCode(...quad)) }]);
});

Deno.test("ReadImage refuses bombs and broken files at once, and the next call works", async () => {
  using scene = makeScene({
    "ws/square.png": png({ colour: 0, depth: 1, width: 30_000, height: 30_000, rows: [] }),
    "ws/larger.png": png({ colour: 0, depth: 1, width: 60_000, height: 60_000, rows: [] }),
    "ws/broken.gif": fixture("quad.gif").subarray(0, 60),
    "ws/broken.tif": fixture("lzw.tif").subarray(0, 200),
    "ws/a.gif": fixture("quad.gif"),
    "ws/a.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>',
  });
  const names = ["square.png", "a.gif", "larger.png", "a.svg", "broken.gif", "a.gif", "broken.tif", "a.gif"];
  const { answers } = await scene.batch(names.map((path) => ({ tool: "ReadImage", arguments: { path } })));
  assertEquals(answers.map(({ error }) => error?.code ?? "ok"), [
    ...["limit_exceeded", "ok", "limit_exceeded", "ok", "invalid_input", "ok", "invalid_input", "ok"],
  ]);
});

Deno.test("ReadImage takes its bounds from the environment", async () => {
  using scene = makeScene({ "ws/a.png": png({ colour: 0, depth: 1, width: 400, height: 200 }) });
  const args = ["call", "ReadImage", "path=a.png", "--json"];
  const { code, stdout } = await scene.run(args, { env: { LLM_IMAGE_MAX_EDGE: "100" } });
  const { llm_attachment_width, llm_attachment_height } = JSON.parse(stdout).result;
  assertEquals([code, llm_attachment_width, llm_attachment_height], [0, 100, 50]);
  assertEquals((await scene.run(args, { env: { LLM_IMAGE_MAX_EDGE: "wide" } })).code, 6);
});
