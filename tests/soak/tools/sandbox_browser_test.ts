import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { browserScene, browserTest } from "../../support/web/browser_scene.ts";
import { type Workspace, workspace } from "../../support/run_tool.ts";
import sandboxBrowser from "../../../tools/manus/sandbox_browser.ts";

const PAGES = {
  "/": `<title>Shop</title><h1>Tea shop</h1><input name=tea placeholder="Which tea?">
    <select name=size><option>small</option><option>large</option></select><a href="/next">Next page</a>
    <button draggable=true ondragstart="event.dataTransfer.setData('text', 'tea')">Tea</button>
    <button ondragover="event.preventDefault()"
      ondrop="event.preventDefault(); document.title = 'got ' + event.dataTransfer.getData('text')">Basket</button>
    ${"<p>a line of the page</p>".repeat(100)}<p>The very end</p>`,
  "/next":
    `<title>Next</title><p>the second page</p><body onclick="document.title = event.clientX + ',' + event.clientY">
    <div style="height:500px"></div>`,
};

type Scene = Awaited<ReturnType<typeof browserScene>>;
type Input = Record<string, unknown>;

async function use(scene: Scene, ws: Workspace, input: Input) {
  const ran = await ws.run(sandboxBrowser, input, {
    browser: { act: (action, options) => scene.act(action, options) },
  });
  return { ...ran, said: ran.result?.message };
}

browserTest("the document's actions, with its fields of a result", async () => {
  await using scene = await browserScene(PAGES);
  await using ws = workspace();
  const opened = await use(scene, ws, { action: "navigate_to", url: scene.url("/") });
  const [json = "", state = ""] = opened.text.split("\n\n", 2);
  const { success, message, url, title, element_count, pixels_below } = JSON.parse(json);
  assertEquals([success, message, url, title, element_count, pixels_below > 500], [
    true,
    `Navigated to ${scene.url("/")}`,
    scene.url("/"),
    "Shop",
    5,
    true,
  ]);
  assertStringIncludes(state, 'Tea shop\n[0]<input name="tea" placeholder="Which tea?">\n');
  assertEquals(opened.images.map(({ mimeType }) => mimeType), ["image/png"]);
  const said: [Input, string][] = [
    [{ action: "input_text", index: 0, text: "Assam" }, "Input 'Assam' into element at index 0"],
    [
      { action: "get_dropdown_options", index: 1 },
      'Dropdown options: [{"text":"small","value":"small","index":0},{"text":"large","value":"large","index":1}]',
    ],
    [
      { action: "select_dropdown_option", index: 1, text: "large" },
      "Selected option 'large' from dropdown at index 1",
    ],
    [{ action: "drag_drop", element_source: "3", element_target: "4" }, "Dragged 3 to 4"],
    [{ action: "scroll_down", amount: 200 }, "Scrolled down by 200 pixels"],
    [{ action: "scroll_up", amount: 50 }, "Scrolled up by 50 pixels"],
    [{ action: "scroll_to_text", text: "The very end" }, "Scrolled to text: 'The very end'"],
    [{ action: "send_keys", keys: "Control+Home" }, "Sent keys: Control+Home"],
    [{ action: "wait", seconds: 0 }, "Waited for 0 seconds"],
  ];
  for (const [input, words] of said) {
    const ran = await use(scene, ws, input);
    assertEquals([ran.said, ran.error], [words, null]);
    if (input.action === "drag_drop") assertEquals(ran.result.title, "got tea");
  }
  const next = await use(scene, ws, { action: "click_element", index: 2 });
  assertEquals([next.said, next.result.title], ["Clicked element at index 2", "Next"]);
  const clicked = await use(scene, ws, { action: "click_coordinates", x: 70, y: 200 });
  assertEquals([clicked.said, clicked.result.title], ["Clicked at coordinates (70, 200)", "70,200"]);
  assertEquals((await use(scene, ws, { action: "go_back" })).said, "Navigated back");
  await scene.act({ do: "open", url: scene.url("/next"), newTab: true });
  const switched = await use(scene, ws, { action: "switch_tab", page_id: 0 });
  assertEquals([switched.said, switched.result.tabs.length], ["Switched to tab 0", 2]);
  const { id } = switched.result.tabs[1];
  const closed = await use(scene, ws, { action: "close_tab", page_id: id });
  assertEquals([closed.said, closed.result.tabs.length], [`Closed tab ${id}`, 1]);
});

browserTest("failures have the document's words", async () => {
  await using scene = await browserScene(PAGES);
  await using ws = workspace();
  const fail = async (input: Input) => {
    const ran = await use(scene, ws, input);
    assert(!ran.ok);
    return [ran.error?.code, ran.text.replace(/^Error: /, "")];
  };
  await scene.open("/next");
  const [, gone = ""] = await fail({ action: "click_element", index: 7 });
  assertStringIncludes(gone, "Element with index 7 not found");
  const [tab, words = ""] = await fail({ action: "close_tab", page_id: 9 });
  assertEquals([tab, words], [
    "not_found",
    "Browser action 'close_tab' failed: There is no tab 9: there are 0",
  ]);
  for (const url of ["http://127.0.0.1:50001/", "http://10.0.0.1/", "http://[::1]:50001/"]) {
    assertEquals((await fail({ action: "navigate_to", url }))[0], "permission_denied", url);
  }
  for (const url of ["file:///etc/passwd", "chrome://version"]) {
    assertEquals((await fail({ action: "navigate_to", url }))[0], "invalid_input", url);
  }
  const far = { action: "click_coordinates", x: 5000, y: 45 };
  assertEquals((await fail(far))[0], "invalid_input");
});
