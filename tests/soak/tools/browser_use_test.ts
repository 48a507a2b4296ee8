import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { browserScene, browserTest } from "../../support/web/browser_scene.ts";
import { type RunOptions, workspace } from "../../support/run_tool.ts";
import { FORM_TASKS } from "../../support/web/tasks/form_tasks.ts";
import { SITE_TASKS } from "../../support/web/tasks/site_tasks.ts";
import { LOOK_TASKS } from "../../support/web/tasks/look_tasks.ts";
import { player, type Task } from "../../support/web/tasks/task.ts";
import { WIDGET_TASKS } from "../../support/web/tasks/widget_tasks.ts";
import browserUse from "../../../tools/manus/browser_use.ts";

const PAGES = {
  "/": `<title>Shop</title><h1>Tea shop</h1><input name=tea placeholder="Which tea?">
    <select name=size><option>small</option><option>large</option></select><a href="/next">Next page</a>
    ${"<p>a line of the page</p>".repeat(100)}<p>The very end</p>`,
  "/next": "<title>Next</title><p>the second page</p>",
};

/** The browser of a scene, as a call has it. */
const browserOf = (scene: Awaited<ReturnType<typeof browserScene>>): RunOptions => ({
  browser: { act: (action, options) => scene.act(action, options) },
});

browserTest("all actions but the search, with the document's words", async () => {
  await using scene = await browserScene(PAGES);
  await using ws = workspace();
  const use = async (input: Record<string, unknown>) => {
    const ran = await ws.run(browserUse, input, browserOf(scene));
    return { ...ran, said: ran.text.split("\n")[0] };
  };
  const said = async (input: Record<string, unknown>) => (await use(input)).said;
  const opened = await use({ action: "go_to_url", url: scene.url("/") });
  assertEquals(opened.said, `Navigated to ${scene.url("/")}`);
  assertStringIncludes(opened.text, `Title: Shop\nScrolled: 0 pixels above, `);
  assertStringIncludes(opened.text, 'Tea shop\n[0]<input name="tea" placeholder="Which tea?">\n');
  assertEquals([opened.images[0]?.mimeType, opened.images.length], ["image/png", 1]);
  const typed = await use({ action: "input_text", index: 0, text: "Assam" });
  assertEquals(typed.said, "Input 'Assam' into element at index 0");
  assertStringIncludes(typed.text, "Changed since the last time:\n- [0]<input");
  assertEquals(
    await said({ action: "get_dropdown_options", index: 1 }),
    'Dropdown options: [{"text":"small","value":"small","index":0},{"text":"large","value":"large","index":1}]',
  );
  const chosen = "Selected option 'large' from dropdown at index 1";
  assertEquals(await said({ action: "select_dropdown_option", index: 1, text: "large" }), chosen);
  assertEquals(await said({ action: "scroll_down", scroll_amount: 200 }), "Scrolled down by 200 pixels");
  assertEquals(await said({ action: "scroll_up", scroll_amount: 50 }), "Scrolled up by 50 pixels");
  assertEquals(
    await said({ action: "scroll_to_text", text: "The very end" }),
    "Scrolled to text: 'The very end'",
  );
  assertEquals(await said({ action: "send_keys", keys: "Control+Home" }), "Sent keys: Control+Home");
  assertEquals(await said({ action: "click_element", index: 2 }), "Clicked element at index 2");
  assertEquals(await said({ action: "go_back" }), "Navigated back");
  assertEquals(await said({ action: "refresh" }), "Refreshed current page");
  assertEquals(
    await said({ action: "open_tab", url: scene.url("/next") }),
    `Opened new tab with ${scene.url("/next")}`,
  );
  const extracted = await use({ action: "extract_content", goal: "the text" });
  assertStringIncludes(extracted.text, 'Extracted from page:\n{"text":"the second page"');
  const asked: { task: string; text: string }[] = [];
  const answered = await ws.run(browserUse, { action: "extract_content", goal: "the number" }, {
    ...browserOf(scene),
    model: (question) => {
      asked.push(question);
      return "second";
    },
  });
  assertStringIncludes(answered.text, 'Extracted from page:\n{"text":"second","metadata":{"source":"http://');
  assertStringIncludes(asked[0]!.task, "The goal: the number");
  assertStringIncludes(asked[0]!.text, "the second page");
  assertEquals(await said({ action: "switch_tab", tab_id: 0 }), "Switched to tab 0");
  assertEquals(await said({ action: "close_tab" }), "Closed current tab");
  assertEquals(await said({ action: "wait", seconds: 0 }), "Waited for 0 seconds");
});

browserTest("failures have the document's words", async () => {
  await using scene = await browserScene(PAGES);
  await using ws = workspace();
  const fail = async (input: Record<string, unknown>) => {
    const ran = await ws.run(browserUse, input, browserOf(scene));
    assert(!ran.ok);
    return [ran.error?.code, ran.text.replace(/^Error: /, "")];
  };
  await scene.open("/next");
  assertEquals(
    (await fail({ action: "click_element", index: 7 }))[1]?.slice(0, 30),
    "Element with index 7 not found",
  );
  const unfound = 'Failed to scroll to text: The page has no text "nothing"';
  assertEquals(await fail({ action: "scroll_to_text", text: "nothing" }), ["not_found", unfound]);
  assertEquals((await fail({ action: "send_keys", keys: "NoSuchKey" }))[0], "invalid_input");
  const [code, text = ""] = await fail({ action: "go_to_url", url: "http://127.0.0.1:50001/" });
  assertEquals(code, "permission_denied");
  assertStringIncludes(text, "--allow-private-net=127.0.0.1:50001");
});

/** One browser plays all tasks of a kind: each has pages below a path of its own. */
async function playAll(tasks: readonly Task[]): Promise<void> {
  await using ws = workspace();
  await using scene = await browserScene(pagesOf(tasks));
  const played = player((input) => ws.run(browserUse, input, browserOf(scene)));
  const results: Record<string, string> = {};
  for (const [at, { name, solve }] of tasks.entries()) {
    results[name] = await (async () => {
      await played.act({ action: "go_to_url", url: scene.url(`/${at}/`) });
      await solve(played);
      return /^Title: (.*)$/m.exec(await played.look())?.[1] ?? "";
    })().catch((error: Error) => error.message);
  }
  assertEquals(results, Object.fromEntries(tasks.map(({ name }) => [name, "won"])));
}

function pagesOf(tasks: readonly Task[]): Record<string, string> {
  return Object.fromEntries(tasks.flatMap(({ page }, at) => {
    const pages = typeof page === "string" ? { "/": page } : page;
    return Object.entries(pages).map(([path, html]) => [
      `/${at}${path}`,
      html.replaceAll(/(href|src|action)="\//g, `$1="/${at}/`),
    ]);
  }));
}

// Two at once: a browser waits much of its time.
browserTest(
  "tasks with forms, and with parts that only scripts and looks tell, are solved by what the tool shows",
  async () => void await Promise.all([playAll(FORM_TASKS), playAll(LOOK_TASKS)]),
);
browserTest(
  "tasks with parts of pages' own, and over long and several pages, are solved by what the tool shows",
  async () => void await Promise.all([playAll(WIDGET_TASKS), playAll(SITE_TASKS)]),
);
