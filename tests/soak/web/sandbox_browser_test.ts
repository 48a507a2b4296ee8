import { assertEquals, assertStringIncludes } from "@std/assert";

import { testServer } from "../../support/net/gate_scene.ts";
import { browserTest } from "../../support/web/browser_scene.ts";
import { descendantsNaming, until } from "../../support/cli/processes.ts";
import { type Answer, makeScene, type Scene } from "../../support/cli/scene.ts";

const PAGE = `<!doctype html><title>Shop</title><input type=file
  onchange="this.files[0].text().then((text) => document.title = text)"><a href="/file" download>The list</a>
  <button draggable=true ondragstart="event.dataTransfer.setData('text', 'tea')">Tea</button>
  <button ondragover="event.preventDefault()"
    ondrop="event.preventDefault(); document.title = 'got ' + event.dataTransfer.getData('text')">Basket</button>`;

function answer({ url }: Request): Response {
  if (new URL(url).pathname === "/file") {
    return new Response(new Uint8Array([0, 255, 10]), {
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
    call("browser", { action: "click_element", index: 1 }),
    call("browser", { action: "drag_drop", element_source: "2", element_target: "3" }),
    call("shell", {
      action: "execute_command",
      command: "od -An -tx1 'downloads/list (2).csv'",
      blocking: true,
    }),
    call("browser", { action: "input_text", index: 0, text: scene.at("ws/mine.txt") }),
    call("browser", { action: "navigate_to", url: "file:///workspace/a.txt" }),
    call("browser", { action: "navigate_to", url: "http://127.0.0.1:50001/" }),
    call("browser", { action: "navigate_to", url: "http://10.0.0.1/" }),
  ], [`--allow-private-net=${server.host}`, "--session=s"]);
  const texts = answers.map(({ text }) => text);
  assertEquals(answers.map(({ ok }) => ok), [...Array(7).fill(true), ...Array(4).fill(false)], stderr);
  assertStringIncludes(texts[2]!, '"title": "from the sandbox"');
  assertStringIncludes(texts[3]!, "Downloaded file to /workspace/downloads/list.csv");
  assertStringIncludes(texts[4]!, "Downloaded file to /workspace/downloads/list (2).csv");
  assertStringIncludes(texts[5]!, '"title": "got tea"');
  assertStringIncludes(texts[6]!, "00 ff 0a");
  assertStringIncludes(texts[8]!, "only http and https can be opened");
  assertStringIncludes(texts[9]!, "--allow-private-net=127.0.0.1:50001");
  assertEquals(answers[10]!.error?.code, "permission_denied");
  assertEquals([...Deno.readDirSync(scene.ws)].map(({ name }) => name), ["mine.txt"]);
});

/** A batch that is given one call after the other. */
function talk(scene: Scene, flags: readonly string[] = []) {
  const batch = scene.start(["batch", "-", "--session=s", ...flags], { timeoutMs: 120_000 });
  return {
    async ask(tool: string, input: Record<string, unknown>): Promise<Answer> {
      await batch.write(`${JSON.stringify(call(tool, input))}\n`);
      return JSON.parse(await batch.nextLine() ?? "{}");
    },
    async open(url: string): Promise<Answer> {
      return await this.ask("browser", { action: "navigate_to", url });
    },
    async end() {
      await batch.closeInput();
      return await batch.ended();
    },
  };
}

/** Makes a page of the sandbox, and returns where it is served. */
async function makePage(batch: ReturnType<typeof talk>, page: string): Promise<string> {
  const { text } = await batch.ask("files", {
    action: "create_file",
    file_path: "index.html",
    file_contents: page,
  });
  return /available at: (\S+)\]/.exec(text)?.[1] ?? "none";
}

browserTest("the browser opens the page of its own sandbox, and nothing else of this machine", async () => {
  const reached: string[] = [];
  await using neighbour = testServer((request) => {
    reached.push(request.url);
    return answer(request);
  });
  using scene = makeScene();
  const batch = talk(scene);
  const before = await batch.open(`${neighbour.url}`);
  assertEquals(before.error?.code, "permission_denied");
  const url = await makePage(batch, `${PAGE}<a href="${neighbour.url}">away</a><a href="sub.html">sub</a>`);
  await batch.ask("files", {
    action: "create_file",
    file_path: "sub.html",
    file_contents: "<title>Sub</title>",
  });
  const opened = await batch.open(url);
  assertStringIncludes(opened.text, '"title": "Shop"');
  const sub = await batch.ask("browser", { action: "click_element", index: 5 });
  assertStringIncludes(sub.text, '"title": "Sub"');
  assertStringIncludes((await batch.open(`${url}sub.html`)).text, '"title": "Sub"');
  const { port } = new URL(url);
  const token = new URL(url).pathname.split("/")[1]!;
  const shut = [
    ...[neighbour.url, `http://127.0.0.1:${port}/`, `http://localhost:${port}/${token}/`],
    ...[`http://${neighbour.host}/${token}/`, `http://${neighbour.host}/${"0".repeat(32)}/`],
  ];
  for (const one of shut) assertEquals((await batch.open(one)).error?.code, "permission_denied", one);
  const [, index] = /\[(\d+)\]<a[^>]*> ?away/.exec((await batch.open(url)).text) ?? [];
  const away = await batch.ask("browser", { action: "click_element", index: Number(index) });
  assertStringIncludes(away.text, `${neighbour.host}, which was refused`);
  assertEquals(reached, []);
  assertEquals((await batch.end()).stderr.includes("broke off"), false);
});

browserTest("the port of the page is shut once its server is gone, whoever takes it then", async () => {
  using scene = makeScene();
  const batch = talk(scene);
  const url = await makePage(batch, PAGE);
  assertStringIncludes((await batch.open(url)).text, '"title": "Shop"');
  const folder = scene.at("state/bulkhead/sessions/s/apart");
  for (const pid of descendantsNaming(Deno.pid, folder)) Deno.kill(pid, "SIGKILL");
  await until("the server ends", () => descendantsNaming(Deno.pid, folder).length === 0);
  const { error, text } = await batch.open(url);
  // Not that nobody answered: the gate has asked nobody.
  assertEquals(error?.code, "permission_denied", text);
  await batch.end();
});

browserTest("what is denied of this machine holds for the page of the sandbox", async () => {
  using scene = makeScene();
  for (const flag of ["--deny-net=127.0.0.1", "--deny-net"]) {
    const batch = talk(scene, [flag]);
    const url = await makePage(batch, PAGE);
    const { ok, text } = await batch.open(url);
    assertEquals([ok, url !== "none"], [false, true]);
    assertStringIncludes(text, flag === "--deny-net" ? "Cannot load" : "it is denied by --deny-net");
    await batch.ask("files", { action: "delete_file", file_path: "index.html" });
    await batch.end();
  }
});
