import { assertEquals } from "@std/assert";

import { fixture } from "../../support/documents/picture.ts";
import { png } from "../../support/documents/png.ts";
import { makeScene } from "../../support/cli/scene.ts";

/** Gives a JPEG another size and repeats what follows its header. */
function withScans(
  jpeg: Uint8Array,
  { width, height, scans }: { width: number; height: number; scans: number },
): Uint8Array {
  const marker = (code: number) => jpeg.findIndex((byte, at) => byte === 0xff && jpeg[at + 1] === code);
  const head = jpeg.slice(0, marker(0xda));
  new DataView(head.buffer).setUint16(marker(0xc0) + 5, height);
  new DataView(head.buffer).setUint16(marker(0xc0) + 7, width);
  const scan = jpeg.subarray(marker(0xda), jpeg.length - 2);
  return new Uint8Array([...head, ...Array(scans).fill([...scan]).flat(), 0xff, 0xd9]);
}

Deno.test("ReadImage refuses bombs and broken files at once, and the next call works", async () => {
  using scene = makeScene({
    "ws/square.png": png({ colour: 0, depth: 1, width: 30_000, height: 30_000, rows: [] }),
    "ws/scans.jpg": withScans(fixture("quad.jpg"), { width: 6_000, height: 6_000, scans: 1_000 }),
    "ws/broken.gif": fixture("quad.gif").subarray(0, 60),
    "ws/broken.tif": fixture("lzw.tif").subarray(0, 200),
    "ws/a.gif": fixture("quad.gif"),
    "ws/a.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>',
  });
  const names = ["square.png", "a.gif", "scans.jpg", "a.svg", "broken.gif", "a.gif", "broken.tif", "a.gif"];
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

Deno.test("an SVG picture that would be drawn for ever is refused in time, and the next call works", async () => {
  const blurs = '<feGaussianBlur stdDeviation="500"/><feTurbulence baseFrequency="0.01" numOctaves="50"/>'
    .repeat(20);
  const edge = 'width="2000" height="2000"';
  const bomb = `<svg xmlns="http://www.w3.org/2000/svg" ${edge}>` +
    `<filter id="f" x="0" y="0" ${edge} filterUnits="userSpaceOnUse">${blurs}</filter>` +
    `<rect ${edge} filter="url(#f)"/></svg>`;
  using scene = makeScene({
    "ws/bomb.svg": bomb,
    "ws/a.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>',
  });
  const running = scene.start(["batch", "-"]);
  const codes: unknown[] = [];
  for (const path of ["bomb.svg", "a.svg"]) {
    await running.write(`${JSON.stringify({ id: 1, tool: "ReadImage", arguments: { path } })}\n`);
    codes.push(JSON.parse(await running.nextLine() ?? "").error?.code ?? null);
  }
  assertEquals(codes, ["limit_exceeded", null]);
  await running.closeInput();
  await running.ended();
});

Deno.test("an SVG picture gets no other file", async () => {
  using scene = makeScene({ "ws/a.png": png({ colour: 0, depth: 1, width: 40, height: 20 }) });
  const hrefs = ["a.png", scene.at("ws/a.png"), `file://${scene.at("ws/a.png")}`];
  const images = hrefs.map((href) => `<image href="${href}" width="40" height="20"/>`).join("");
  const draw = async (content: string) => {
    scene.write(
      "ws/a.svg",
      `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">${content}</svg>`,
    );
    return (await scene.call("ReadImage", { path: "a.svg" })).images;
  };
  assertEquals(await draw(images), await draw(""));
});
