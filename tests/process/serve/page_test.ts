import { assertEquals, assertStringIncludes } from "@std/assert";

import { scriptedModel, type ScriptedRequest, type ScriptedTurn } from "../../support/scripted_model.ts";
import { browserTest } from "../../support/web/browser_scene.ts";
import { makeScene } from "../../support/cli/scene.ts";
import { serveProgram, TOKEN } from "../../support/cli/serve/served.ts";
import { type OpenPage, webBrowser } from "../../support/cli/serve/web_browser.ts";

const CONFIG = "home/.config/bulkhead/config.json";
const CONFIRM = JSON.stringify({ tools: { "harness/Write": { permission: "confirm" } } });

function call(name: string, input: unknown): ScriptedTurn {
  return { tool_calls: [{ name, arguments: input }] };
}

/** Does what the last prompt says, one call, and tells how it went. */
function script({ body }: ScriptedRequest): ScriptedTurn {
  const messages = body.messages as { role: string; content: unknown }[];
  const last = messages.at(-1)!;
  if (last.role === "tool") return { text: `The **call** said: ${String(last.content).slice(0, 80)}` };
  const said = JSON.stringify(messages.findLast(({ role }) => role === "user")?.content);
  if (said.includes("ask")) return call("AskUser", { question: "Which colour?" });
  if (said.includes("wait")) return call("Bash", { command: "sleep 300" });
  if (said.includes("paint")) {
    return call("Write", { path: "pic.svg", overwrite: true, content: square("#00ff00") });
  }
  if (said.includes("outside")) return call("Read", { path: "/etc/hostname" });
  return call("Write", { path: "made.txt", content: "made\n" });
}

function square(colour: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="${colour}"/></svg>`;
}

/** A picture of one dot, in base64. */
const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Pastes a picture into the form and drops it and a file that is none; runs in the page, and tells whether the page would be left. */
const GIVE = `(picture) => {
  const bytes = Uint8Array.from(atob(picture), (sign) => sign.charCodeAt(0));
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File([bytes], "dot.png", { type: "image/png" }));
  document.querySelector("#prompt").dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File(["text"], "a.txt", { type: "text/plain" }));
  dataTransfer.items.add(new File([bytes], "dropped.png", { type: "image/png" }));
  const options = { bubbles: true, cancelable: true };
  return document.querySelector("form.start").dispatchEvent(new DragEvent("drop", { dataTransfer, ...options }));
}`;
/** Presses Enter while signs are put together; runs in the page. */
const COMPOSE = `document.querySelector("#prompt").dispatchEvent(
  new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true }),
)`;
/** Widths of the pictures of changed files that are drawn; runs in the page. */
const PAINTED = `[...document.querySelectorAll(".sides img")].map((one) => one.naturalWidth)`;
const FOCUSED = "document.activeElement.id";

const modelEnv = (url: string) => ({
  OPENAI_BASE_URL: url,
  OPENAI_API_KEY: "sk-of-the-tests",
  OPENAI_MODEL: "small",
});

async function startRun({ page, click }: OpenPage, prompt: string): Promise<void> {
  await click(".new-run");
  await page.locator("#prompt").fill(prompt);
  await click("form.start button[type=submit]");
  await page.waitForSelector("#run-title");
}

/** A picture that a run changes is shown as it was and as it is. */
async function seeBothPictures(open: OpenPage): Promise<void> {
  const { page, click, see } = open;
  await startRun(open, "paint it green");
  await see(".question .diff-added", "#00ff00");
  await page.keyboard.press("y");
  await see(".run-head .state", "completed");
  await click("#tab-Changes");
  await page.waitForFunction(`String(${PAINTED}) === "40,40"`);
}

/** A run is found by its words, asked for again, and removed. */
async function findAgain(open: OpenPage): Promise<void> {
  const { page, click } = open;
  await page.locator(".search input").fill("write the file once");
  await page.waitForFunction(`document.querySelectorAll(".runs > ul > li").length === 1`);
  await click(".row .menu summary");
  assertEquals(await open.barriers(), []);
  await click("::-p-text(Run again)");
  await page.waitForFunction(`document.querySelector("#prompt")?.value === "write the file once more"`);
  await click(".row .menu summary");
  await click("::-p-text(Remove)");
  await click("::-p-text(Really remove it?)");
  await page.waitForFunction(`document.querySelectorAll(".runs > ul > li").length === 0`);
}

browserTest("a person starts runs, decides, answers, undoes, exports, and finds them again", async () => {
  await using model = scriptedModel(script);
  using scene = makeScene({ [CONFIG]: CONFIRM, "ws/pic.svg": square("#ff0000") });
  await using server = await serveProgram(scene, { env: modelEnv(model.url) });
  await using browser = await webBrowser();
  const open = await browser.open(`${server.url}/?token=${TOKEN}`);
  const { page, click, see } = open;
  assertEquals(page.url(), `${server.url}/`);
  await page.waitForSelector("form.start");
  assertEquals(await open.barriers(), []);

  await startRun(open, "write the file");
  assertStringIncludes(await see(".question", "Allow this call?"), "made");
  assertEquals(await open.barriers(), []);
  await page.keyboard.press("y");
  await see(".run-head .state", "completed");
  assertEquals(scene.read("ws/made.txt"), "made\n");
  assertEquals(await page.evaluate(FOCUSED), "panel");
  await see(".runs li", "1 file");
  assertEquals(await page.$eval(".item-text strong", (one) => one.textContent), "call");
  await click("#tab-Changes");
  await see(".changes", "made.txt");
  assertEquals(await open.barriers(), []);
  const exported = await page.evaluate(
    `fetch(document.querySelector("a[download]").href).then((answer) => answer.text())`,
  );
  assertStringIncludes(String(exported), "write the file");
  await click(".undo > .danger");
  await click(".undo dialog .danger");
  await see(".undone", "made.txt was removed");
  assertEquals(scene.exists("ws/made.txt"), false);

  await seeBothPictures(open);

  await startRun(open, "write the file once more");
  await page.locator(".consent input").fill("Not this one");
  await click(".consent .danger");
  await see(".run-head .state", "completed");
  assertEquals(scene.exists("ws/made.txt"), false);
  assertStringIncludes(JSON.stringify(model.requests.at(-1)!.body.messages.at(-1)), "Not this one");

  await startRun(open, "ask me");
  await see(".question", "Which colour?");
  const address = page.url();
  await page.reload();
  await page.locator(".question textarea").fill("blue");
  await page.keyboard.press("Enter");
  await see(".item-text", "blue");
  await page.goBack();
  await see("h1", "What should it do?");
  await page.goForward();
  await see("#run-title", "ask me");
  assertEquals(page.url(), address);
  await findAgain(open);
  assertEquals(open.problems, []);
});

browserTest("a run has the folder, the permissions and the pictures that a person chose", async () => {
  await using model = scriptedModel(script);
  using scene = makeScene({ "ws/sub/a.txt": "a" });
  await using server = await serveProgram(scene, { env: modelEnv(model.url) });
  await using browser = await webBrowser();
  const open = await browser.open(`${server.url}/?token=${TOKEN}`);
  const { page, click, see } = open;
  await page.waitForSelector("form.start");
  await click(".folder-button");
  await click("::-p-text(sub)");
  await see(".folders .path", scene.at("ws/sub"));
  assertEquals(await open.barriers(), []);
  await click(".folders .primary");
  await see(".folder-button", scene.at("ws/sub"));
  await click(".permissions summary");
  await page.select(".permissions select", "read-only");
  assertEquals(await open.barriers(), []);
  assertEquals(await page.evaluate(`(${GIVE})(${JSON.stringify(PICTURE)})`), false);
  await page.waitForFunction(`document.querySelectorAll(".pictures img").length === 2`);
  await see(".pictures", "a.txt is left out");
  await click(`[aria-label="Remove dropped.png"]`);
  await page.waitForFunction(`document.querySelectorAll(".pictures img").length === 1`);
  await page.locator("#prompt").fill("write the file");
  await page.evaluate(COMPOSE);
  assertEquals(await page.evaluate(`document.querySelector("#prompt").value`), "write the file");
  await page.keyboard.press("Enter");
  await see(".refusal", "it is denied");
  await see(".run-head .state", "completed");
  assertEquals(await page.$eval(".run-line .path", (one) => one.textContent), scene.at("ws/sub"));
  await see(".run-line", "read-only");
  assertEquals(scene.exists("ws/sub/made.txt"), false);
  assertStringIncludes(JSON.stringify(model.requests[0]!.body.messages), PICTURE);
  assertEquals(open.problems, []);
});

browserTest("without a model the page says what to do, takes one, and plays a recorded run", async () => {
  await using model = scriptedModel(script);
  using scene = makeScene();
  const { OPENAI_MODEL: _, ...env } = modelEnv(model.url);
  await using server = await serveProgram(scene, { env });
  await server.running.told(/runs cannot start: no model is named/);
  await using browser = await webBrowser();
  const open = await browser.open(`${server.url}/?token=${TOKEN}`, { width: 360, height: 740 });
  const { page, click, see } = open;
  await see(".model-card", "OPENAI_API_KEY");
  await page.locator("#prompt").fill("write the file");
  await see("form.start .hint", "There is no model that can be asked");
  assertEquals([await open.sidewaysPx(), await open.barriers()], [0, []]);
  await click("::-p-text(Watch the demo)");
  await click("::-p-text(Show all)");
  await see(".end", "Done");
  await click(".brand");
  await page.locator("#model-name").fill("replay:x");
  await click(".try button");
  await see(".model-card .warning", "is no model");
  await page.locator("#model-name").fill("small");
  await click(".try button");
  await page.waitForFunction(`document.querySelector(".model-card") === null`);
  await page.locator("#prompt").fill("write the file");
  await click("form.start button[type=submit]");
  await see(".run-head .state", "completed");
  await see(".run-line", "small");
  assertEquals((await server.ask("/model", { body: { model: "other" } })).status, 403);
});

browserTest("a refusal names its flag; a stopped run goes on, also after the server was killed", async () => {
  await using model = scriptedModel(script);
  using scene = makeScene();
  const env = modelEnv(model.url);
  await using first = await serveProgram(scene, { env });
  await using browser = await webBrowser();
  const open = await browser.open(`${first.url}/?token=${TOKEN}`, { width: 360, height: 740 });
  const { page, click, see } = open;
  await page.waitForSelector("form.start");
  assertEquals(await open.sidewaysPx(), 0);
  const startOnPhone = async (prompt: string) => {
    await page.locator("#prompt").fill(prompt);
    await click("form.start button[type=submit]");
  };
  await startOnPhone("read outside");
  assertStringIncludes(await see(".refusal", "Refused"), "--allow-read");
  await see(".run-head .state", "completed");
  assertEquals([await open.sidewaysPx(), await open.barriers()], [0, []]);

  await click(".brand");
  await startOnPhone("wait long");
  await page.waitForSelector(".call-running");
  await click(".run-head .danger");
  await see(".run-head .state", "interrupted");
  assertEquals(await page.evaluate(FOCUSED), "panel");
  await page.locator("#more").fill("wait once more");
  await click(".resume button[type=submit]");
  await page.waitForSelector(".call-running");
  first.running.kill("SIGKILL");
  await see(".away", "Connection lost");

  await using second = await serveProgram(scene, { env, port: first.port });
  await see(".run-head .state", "interrupted");
  await page.locator("#more").fill("read outside now");
  await click(".resume button[type=submit]");
  await see(".run-head .state", "completed");
  const said = await page.$$eval(".said", (all) => all.map((one) => one.textContent));
  assertEquals(said, ["wait once more", "read outside now"]);
  assertEquals((await second.end()).code, 143);
});
