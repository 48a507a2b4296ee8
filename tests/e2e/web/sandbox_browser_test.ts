import { assertEquals, assertStringIncludes } from "@std/assert";

import { testServer } from "../../support/net/gate_scene.ts";
import { browserTest } from "../../support/web/browser_scene.ts";
import { makeScene } from "../support/scene.ts";

const PAGE = `<!doctype html><title>Shop</title><input type=file
  onchange="this.files[0].text().then((text) => document.title = text)"><a href="/file" download>The list</a>
  <button draggable=true ondragstart="event.dataTransfer.setData('text', 'tea')">Tea</button>
  <button ondragover="event.preventDefault()"
    ondrop="event.preventDefault(); document.title = 'got ' + event.dataTransfer.getData('text')">Basket</button>`;

function answer({ url }: Request): Response {
  if (new URL(url).pathname === "/file") {
    return new Response("tea;price", {
      headers: { "content-disposition": 'attachment; filename="list.csv"' },
    });
  }
  return new Response(PAGE, { headers: { "content-type": "text/html" } });
}

const call = (tool: string, input: Record<string, unknown>) => ({
  tool: `manus/sandbox_${tool}`,
  arguments: input,
});

browserTest("the browser works with the files of the session's sandbox, and with no others", async () => {
  await using server = testServer(answer);
  using scene = makeScene({ "ws/mine.txt": "mine" });
  const { answers, stderr } = await scene.batch([
    call("files", { action: "create_file", file_path: "a.txt", file_contents: "from the sandbox" }),
    call("browser", { action: "navigate_to", url: server.url }),
    call("browser", { action: "input_text", index: 0, text: "a.txt" }),
    call("browser", { action: "click_element", index: 1 }),
    call("browser", { action: "drag_drop", element_source: "2", element_target: "3" }),
    call("shell", { action: "execute_command", command: "cat downloads/list.csv", blocking: true }),
    call("browser", { action: "input_text", index: 0, text: scene.at("ws/mine.txt") }),
    call("browser", { action: "navigate_to", url: "file:///workspace/a.txt" }),
    call("browser", { action: "navigate_to", url: "http://127.0.0.1:50001/" }),
    call("browser", { action: "navigate_to", url: "http://10.0.0.1/" }),
  ], [`--allow-private-net=${server.host}`, "--session=s"]);
  const texts = answers.map(({ text }) => text);
  assertEquals(answers.map(({ ok }) => ok), [...Array(6).fill(true), ...Array(4).fill(false)], stderr);
  assertStringIncludes(texts[2]!, '"title": "from the sandbox"');
  assertStringIncludes(texts[3]!, "Downloaded file to /workspace/downloads/list.csv");
  assertStringIncludes(texts[4]!, '"title": "got tea"');
  assertStringIncludes(texts[5]!, "tea;price");
  assertStringIncludes(texts[7]!, "only http and https can be opened");
  assertStringIncludes(texts[8]!, "--allow-private-net=127.0.0.1:50001");
  assertEquals(answers[9]!.error?.code, "permission_denied");
  assertEquals([...Deno.readDirSync(scene.ws)].map(({ name }) => name), ["mine.txt"]);
});

browserTest(
  "the page of the sandbox is opened where the user allows this machine, and nowhere else",
  async () => {
    using scene = makeScene();
    const make = call("files", { action: "create_file", file_path: "index.html", file_contents: PAGE });
    for (const flags of [[], ["--allow-private-net=127.0.0.1"]]) {
      const batch = scene.start(["batch", "-", ...flags], { timeoutMs: 60_000 });
      await batch.write(`${JSON.stringify(make)}\n`);
      const { text } = JSON.parse(await batch.nextLine() ?? "{}");
      const [, url = "none"] = /available at: (\S+)\]/.exec(text) ?? [];
      await batch.write(`${JSON.stringify(call("browser", { action: "navigate_to", url }))}\n`);
      await batch.closeInput();
      const opened = JSON.parse(await batch.nextLine() ?? "{}");
      await batch.ended();
      if (flags.length === 0) assertEquals(opened.error?.code, "permission_denied");
      else assertStringIncludes(opened.text, '"title": "Shop"');
    }
  },
);
