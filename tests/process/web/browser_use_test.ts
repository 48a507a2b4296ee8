import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { testServer } from "../../support/net/gate_scene.ts";
import { browserTest } from "../../support/web/browser_scene.ts";
import { descendants, isAlive, until } from "../../support/cli/processes.ts";
import { makeScene } from "../../support/cli/scene.ts";

const PAGE = `<!doctype html><title>Shop</title><input name=tea placeholder="Which tea?">
  <button onclick="document.title = 'Ordered ' + document.querySelector('input').value">Order</button>
  <a href="/file" download>The list</a><input type=file name=own
  onchange="this.files[0].text().then((text) => document.title = text)">`;

const DOCUMENT = new URL("../../fixtures/documents/owner_only.pdf", import.meta.url);

function answer({ url }: Request): Response {
  if (new URL(url).pathname === "/document") {
    return new Response(Deno.readFileSync(DOCUMENT), { headers: { "content-type": "application/pdf" } });
  }
  if (new URL(url).pathname === "/file") {
    const headers = { "content-disposition": 'attachment; filename="list.csv"' };
    return new Response("tea;price", { headers });
  }
  return new Response(PAGE, { headers: { "content-type": "text/html" } });
}

const use = (input: Record<string, unknown>) => ({ tool: "manus/browser_use", arguments: input });

browserTest("a session of the browser, from end to end", async () => {
  await using server = testServer(answer);
  using scene = makeScene({ "ws/mine.txt": "from the workspace", "other.txt": "not granted" });
  const { answers, stderr } = await scene.batch([
    use({ action: "go_to_url", url: server.url }),
    use({ action: "input_text", index: 0, text: "Assam" }),
    use({ action: "click_element", index: 1 }),
    use({ action: "click_element", index: 2 }),
    use({ action: "input_text", index: 3, text: "mine.txt" }),
    use({ action: "input_text", index: 3, text: "../other.txt" }),
    use({ action: "click_element", index: 99 }),
    use({ action: "go_to_url", url: "file:///etc/passwd" }),
    use({ action: "go_to_url", url: "http://127.0.0.1:50001/" }),
    use({ action: "go_to_url", url: `${new URL("/document", server.url)}` }),
    use({ action: "extract_content", goal: "all" }),
  ], [`--allow-private-net=${server.host}`, "--audit", scene.at("audit.jsonl")]);
  const texts = answers.map(({ text }) => text);
  assertEquals(
    answers.map(({ ok }) => ok),
    [true, true, true, true, true, false, false, false, false, true, true],
    stderr,
  );
  assertStringIncludes(texts[0]!, '[0]<input name="tea" placeholder="Which tea?">\n[1]<button> Order');
  assertStringIncludes(texts[2]!, "Title: Ordered Assam");
  assertStringIncludes(texts[3]!, "Downloaded file to ");
  assertEquals(scene.read("ws/downloads/list.csv"), "tea;price");
  assertStringIncludes(texts[4]!, "Title: from the workspace");
  assertEquals(answers[5]!.error?.code, "permission_denied");
  assertStringIncludes(texts[6]!, "Element with index 99 not found");
  assertStringIncludes(texts[7]!, "only http and https can be opened");
  assertStringIncludes(texts[8]!, "--allow-private-net=127.0.0.1:50001");
  assertStringIncludes(texts[9]!, "The page is a PDF document: extract_content reads its text");
  assertStringIncludes(texts[10]!, "Second page text");
  const audit = scene.read("audit.jsonl");
  assertStringIncludes(audit, '"boxed":true');
  assertStringIncludes(audit, server.host.split(":")[1]!);
});

browserTest("a run that is killed leaves no browser", async () => {
  let requests = 0;
  await using server = testServer((request) => {
    requests++;
    return answer(request);
  });
  using scene = makeScene({ "tmp/.keep": "" });
  const calls = [use({ action: "go_to_url", url: server.url }), use({ action: "wait", seconds: 60 })];
  const running = scene.start(["batch", "-", `--allow-private-net=${server.host}`], {
    env: { TMPDIR: scene.at("tmp") },
  });
  await running.write(calls.map((call) => `${JSON.stringify(call)}\n`).join(""));
  await until("the browser shows the page", () => requests > 0, 30_000);
  const below = descendants(running.pid).map(({ pid }) => pid);
  assert(below.length > 3);
  Deno.kill(running.pid, "SIGKILL");
  await running.ended();
  await until("all processes are gone", () => !below.some(isAlive));
  const again = await scene.call("manus/browser_use", { action: "go_to_url", url: server.url }, [
    `--allow-private-net=${server.host}`,
  ]);
  assertStringIncludes(again.text, "Title: Shop");
  assertEquals([...Deno.readDirSync(scene.at("tmp"))].map(({ name }) => name), [".keep"]);
});

Deno.test("without a browser, or without a sandbox, the tool says what to do", async () => {
  using scene = makeScene();
  const call = ["call", "manus/browser_use", "action=go_to_url", "url=https://shop.example/"];
  const none = await scene.run(call, { env: { BULKHEAD_CHROMIUM: "no-such-browser" } });
  assertStringIncludes(none.stderr + none.stdout, "install chromium or google-chrome");
  const open = await scene.run([...call, "--sandbox=off"], { env: { BULKHEAD_CHROMIUM: "/bin/true" } });
  assertStringIncludes(open.stderr + open.stdout, "pass --allow-run=/bin/true to grant it");
});
