import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import type { BrowserAction } from "../../../schemas/browser/browser.ts";
import { ToolError } from "../../../schemas/error.ts";
import { browserScene, browserTest, elementsOf, numberOf } from "../../support/web/browser_scene.ts";

const LINKS = Array.from({ length: 20_000 }, (_, at) => `<a href="/${at}">link ${at}</a>`);

const PAGES = {
  "/fine": "<title>Fine</title>",
  "/loads": "<title>Loads</title><script>for(;;);</script>",
  "/clicked": `<button onclick="for(;;);">Hang</button>`,
  "/dialogs": "<script>for(;;)alert(1)</script>",
  "/within": `<a href="#there">Hash</a><button onclick="history.pushState({}, '', '/other')">Push</button>
    <a href="mailto:a@shop.example">Mail</a><a href="odd:a">Odd</a><a href="/nothing">Nothing</a>
    <button onclick="document.title = 'clicked'">Title</button>`,
  "/nothing": () => new Response(null, { status: 204 }),
  "/many": `<title>Many</title><p>${LINKS.join("</p><p>")}</p>`,
  "/dense": `<div style="font-size:1px">${LINKS.join(" ")}</div>`,
  "/form":
    `<select><option>Red<option disabled>Blue<optgroup disabled label=g><option>Grey</optgroup></select>
    <button disabled>Off</button><fieldset disabled><button>Inner</button></fieldset>
    <input autofocus>`,
};

async function codeOf(work: Promise<unknown>): Promise<string> {
  return (await assertRejects(() => work, ToolError)).code;
}

browserTest("a page that hangs is told as such, and makes room for the next one", async () => {
  await using scene = await browserScene(PAGES);
  const { act, open } = scene;
  const ends: readonly [string, () => Promise<unknown>][] = [
    ["/loads", () => open("/loads")],
    ["/dialogs", () => open("/dialogs")],
    ["/clicked", async () => await act({ do: "click", element: numberOf(await open("/clicked"), "Hang") })],
  ];
  for (const [name, hang] of ends) {
    const error = await assertRejects(hang, ToolError);
    assertEquals(error.code, "timeout", name);
    assertStringIncludes(error.message, `${name} hangs: it has answered nothing for 6 seconds`);
    const next = await open("/fine");
    assertEquals([next.page.title, next.page.tabs.length], ["Fine", 1], name);
    assertStringIncludes(next.happened.at(-1) ?? "", "its process was ended");
  }
  assertEquals(scene.started.length, 1);
});

browserTest("a way that leads to no page leaves the page as it was, and in use", async () => {
  await using scene = await browserScene(PAGES);
  const page = await scene.open("/within");
  const click = (text: string) => scene.act({ do: "click", element: numberOf(page, text) });
  assertEquals(new URL((await click("Hash")).page.url).hash, "#there");
  assertEquals(new URL((await click("Push")).page.url).pathname, "/other");
  for (const [text, told] of [["Mail", "mailto:"], ["Odd", "odd:a"], ["Nothing", "status 204"]] as const) {
    assertStringIncludes((await click(text)).happened.join("\n"), told);
  }
  assertEquals((await click("Title")).page.title, "clicked");
});

browserTest("a page of 20,000 links is read, and what was left out is counted", async () => {
  await using scene = await browserScene(PAGES);
  const many = await scene.open("/many");
  assert(elementsOf(many).length > 30);
  const dense = await scene.open("/dense");
  assert(elementsOf(dense).length > 0 && dense.page.more > 10_000, `${dense.page.more}`);
});

browserTest("what is disabled is told and cannot be used, and keys of any language are typed", async () => {
  await using scene = await browserScene(PAGES);
  const { act, open } = scene;
  const page = await open("/form");
  const select = elementsOf(page)[0]!.number;
  const { options } = await act({ do: "options", element: select });
  assertEquals(options?.map(({ disabled = false }) => disabled), [false, true, true]);
  const refused: BrowserAction[] = [
    { do: "choose", element: select, text: "Blue" },
    { do: "choose", element: select, text: "Grey" },
    { do: "click", element: numberOf(page, "Off") },
    { do: "click", element: numberOf(page, "Inner") },
  ];
  for (const action of refused) assertEquals(await codeOf(act(action)), "conflict", JSON.stringify(action));
  const field = elementsOf(page).at(-1)!.number;
  await act({ do: "click", element: field });
  for (const keys of ["é", "日", "👍🏽", "a"]) await act({ do: "press", keys });
  const { value } = elementsOf(await act({ do: "read" })).at(-1)!.about ?? {};
  assertEquals(value, "é日👍🏽a");
  assertEquals(await codeOf(act({ do: "press", keys: "Control+é" })), "invalid_input");
});
