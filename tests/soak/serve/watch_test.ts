import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import { scriptedModel, type ScriptedRequest, type ScriptedTurn } from "../../support/scripted_model.ts";
import { researchWeb } from "../../support/servers/research_web.ts";
import { browserTest } from "../../support/web/browser_scene.ts";
import { makeScene } from "../../support/cli/scene.ts";
import { serveProgram, TOKEN } from "../../support/cli/serve/served.ts";
import { type OpenPage, webBrowser } from "../../support/cli/serve/web_browser.ts";

const AGENTS = {
  planner: { description: "Plans", tools: ["manus/planning"] },
  painter: { description: "Draws", tools: ["manus/data_visualization"] },
  searcher: { description: "Searches", tools: ["sgr/web_search_tool"], search: { engine: "tavily" } },
};
const FILES = {
  "home/.config/bulkhead/config.json": JSON.stringify({
    agents: AGENTS,
    tools: { "harness/Write": { permission: "confirm" } },
  }),
  "ws/sales.csv": "month,sales\nJan,10\nFeb,20\nMar,30\n",
  "ws/charts.json":
    '[{"csvFilePath":"sales.csv","chartTitle":"Sales","chartType":"bar","x":"month","y":"sales"}]',
};
const PLAN = { command: "create", plan_id: "p", title: "Ship it", steps: ["build", "test"] };
/** The calls of a task, one a turn, by a word of the task. */
const CALLS: Readonly<Record<string, readonly [string, unknown][]>> = {
  plan: [
    ["planning", PLAN],
    ["planning", { command: "mark_step", step_index: 0, step_status: "completed" }],
  ],
  draw: [
    ["data_visualization", { json_path: "charts.json", output_type: "png" }],
    ["data_visualization", { json_path: "charts.json", output_type: "html" }],
  ],
  find: [["web_search_tool", { reasoning: "", query: "one" }]],
  shell: [
    ["TerminalStart", {}],
    ["TerminalWrite", { session_id: "term_1", input: "echo $((6*7)) && exit" }],
  ],
  write: [["Write", { path: "made.txt", content: "made\n" }]],
};
const SIGNED_TEXT =
  "The sum is $\\frac{a}{b}$ <img src=x onerror=window.ran=1> [x](javascript:window.ran=1) " +
  "![p](http://127.0.0.1:9/p.png)\n\n";
/** Comes in more than 2,000 pieces of eight characters. */
const LONG_TEXT = SIGNED_TEXT + "A line.\n".repeat(2_000);

function script({ body }: ScriptedRequest): ScriptedTurn {
  const messages = body.messages as { role: string; content: unknown }[];
  const said = JSON.stringify(messages.findLast(({ role }) => role === "user")?.content);
  if (said.includes("talk")) return { text: LONG_TEXT };
  const word = Object.keys(CALLS).find((one) => said.includes(one))!;
  const call = CALLS[word]![messages.filter(({ role }) => role === "tool").length];
  if (call) return { tool_calls: [{ name: call[0], arguments: call[1] }] };
  return { text: word === "find" ? "It is so [2], see [[1]](https://other.example/) and [3]." : "Done." };
}

async function served(work: (open: OpenPage, url: string) => Promise<void>): Promise<void> {
  await using web = researchWeb({ one: ["a", "b"] });
  await using model = scriptedModel(script);
  using scene = makeScene(FILES);
  const env = {
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: "sk-of-the-tests",
    OPENAI_MODEL: "small",
    ...web.env,
  };
  const flags = [`--allow-private-net=127.0.0.1:${web.port}`, "--allow-run"];
  await using server = await serveProgram(scene, { env, flags });
  await using browser = await webBrowser();
  const open = await browser.open(`${server.url}/?token=${TOKEN}`);
  await open.page.waitForSelector("form.start");
  await work(open, server.url);
  assertEquals(open.problems, []);
}

async function runOf({ page, click, see }: OpenPage, prompt: string, agent = "default"): Promise<void> {
  await click(".new-run");
  await page.waitForSelector("form.start");
  await page.select("form.start select", agent);
  await page.locator("#prompt").fill(prompt);
  await click("form.start button[type=submit]");
  await page.waitForSelector("#run-title");
  await see(".run-head .state", "completed");
}

/** Widths of the pictures of a run that are drawn. */
const DRAWN = `[...document.querySelectorAll(".result-pictures img")].map((one) => one.naturalWidth)`;

browserTest(
  "plans and numbered sources are seen in their runs",
  async () => {
    await served(async (open) => {
      const { page, click, see } = open;
      await runOf(open, "plan the work", "planner");
      assertStringIncludes(await see(".plan", "Ship it"), "1 of 2 done");
      assertEquals(await page.$$eval(".step", (all) => all.map((one) => one.className)), [
        "step step-completed",
        "step step-not_started",
      ]);
      assertEquals(await open.barriers(), []);

      await runOf(open, "find it", "searcher");
      // A number of a source leads to it, but in a link of the text, and where no source has it.
      await page.waitForFunction('document.querySelectorAll(".item-text a").length === 2');
      const links = await page.$$eval(
        ".item-text a",
        (all) => all.map((one) => `${one.textContent} ${one.getAttribute("href")}`),
      );
      assertMatch(links[0]!, /^\[2\] http:.*\/pages\/b$/);
      assertEquals(links[1], "[1] https://other.example/");
      assertEquals(await open.barriers(), []);
      await click(".call summary");
      await see(".page-list", "[1]");
      await click("#tab-Sources");
      await see(".sources", "Page b");
      assertEquals(await page.$$eval(".sources li", (all) => all.map((one) => one.value)), [1, 2]);
    });
  },
);

browserTest(
  "charts and terminals are seen in their runs, on light and dark",
  async () => {
    await served(async (open) => {
      const { page, click, see } = open;
      await runOf(open, "draw the sales", "painter");
      await page.waitForFunction(`${DRAWN}.length === 2 && ${DRAWN}.every((width) => width > 100)`);

      await runOf(open, "shell, please");
      await click(".transcript .item:nth-of-type(3) summary");
      await see(".screen", "42");
      assertEquals(await open.barriers(), []);
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
      assertEquals(await open.barriers(), []);
    });
  },
);

const GROUND = "getComputedStyle(document.body).backgroundColor";

browserTest("the colours are changed by a click, and stay", async () => {
  await served(async (open) => {
    const { page, click } = open;
    const seen: unknown[] = [];
    for (const theme of ["light", "dark"]) {
      await click(".icon-button");
      await page.waitForSelector(`:root[data-theme="${theme}"]`);
      seen.push(await page.evaluate(GROUND));
      assertEquals(await open.barriers(), [], theme);
    }
    assertEquals(seen[0] === seen[1], false);
    await page.reload();
    await page.waitForSelector("form.start");
    assertEquals(await page.evaluate(GROUND), seen[1]);
  });
});

browserTest(
  "a person without a mouse starts a run, decides, looks at its changes, and undoes them",
  async () => {
    await served(async (open) => {
      const { page, see } = open;
      const press = async (...keys: ("Tab" | "Enter" | "ArrowRight" | "ArrowLeft" | "y")[]) => {
        for (const key of keys) await page.keyboard.press(key);
      };
      const focused = () => page.evaluate("document.activeElement.textContent.trim()");
      await page.keyboard.type("write the file");
      await press("Enter");
      await see(".question .diff-added", "made");
      await press("y");
      await see(".run-head .state", "completed");
      await page.focus("#tab-Run");
      await press("ArrowRight");
      await see(".changes", "made.txt");
      assertEquals(await focused(), "Changes");
      await press("Tab");
      assertMatch(String(await focused()), /^Undo all changes/);
      await press("Enter");
      await page.waitForSelector(".undo dialog[open]");
      assertEquals(await focused(), "Undo");
      await press("Enter");
      await see(".undone", "made.txt was removed");
      assertMatch(String(await focused()), /^The changes are undone/);
    });
  },
);

browserTest(
  "a text in 2,000 pieces is shown whole, runs nothing, and makes the page ask nobody else",
  async () => {
    await served(async (open, url) => {
      const { page, see } = open;
      const elsewhere: string[] = [];
      page.on("request", (request) => {
        if (!request.url().startsWith(`${url}/`)) elsewhere.push(request.url());
      });
      await runOf(open, "talk");
      assertStringIncludes(await see(".item-text", "onerror=window.ran=1>"), "A line.");
      await page.waitForSelector(".item-text math mfrac");
      const lines = await page.$eval(".item-text", (one) => one.textContent!.split("A line.").length - 1);
      assertEquals(lines, LONG_TEXT.split("A line.").length - 1);
      assertEquals(await page.evaluate("window.ran ?? 0"), 0);
      assertEquals(elsewhere, []);
      assertEquals(await open.sidewaysPx(), 0);
    });
  },
);
