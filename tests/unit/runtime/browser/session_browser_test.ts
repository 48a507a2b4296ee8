import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import { ToolError } from "../../../../schemas/error.ts";
import {
  browserScene,
  browserTest,
  elementsOf,
  numberOf,
  textsOf,
} from "../../../support/web/browser_scene.ts";

const FORM = `<title>A form</title><h1>Tea shop</h1>
<form action="/sent"><input name="tea" placeholder="Which tea?"><input type="password" name="code" value="abc">
<select name="size"><option value="s">small</option><option value="l">large pot</option></select>
<textarea name="note">old note</textarea><button>Order</button></form>
<a href="/next">Next page</a><div style="display:none"><button>hidden</button></div>
<div onclick="document.title='clicked'">A part that can be clicked</div>`;

const PAGES = {
  "/": FORM,
  "/sent": ({ url }: Request) => new Response(`sent ${new URL(url).search}`),
  "/next": "<title>Next</title><p>the second page</p>",
  "/deep": `<title>Deep</title><div id=host></div>
    <script>host.attachShadow({mode:"open"}).innerHTML='<button onclick="document.title=\\'from the shadow\\'">in the shadow</button>'
    </script><iframe src="/inner" width=400 height=200></iframe>`,
  "/inner": `<button onclick="parent.document.title='from the frame'">in the frame</button>`,
  "/covered":
    `<button id=b>Under</button><div id=o style="position:fixed;inset:0;background:#fffd">overlay</div>`,
  "/gone":
    `<button onclick="this.remove(); other.hidden = false">Once</button><button id=other hidden>Other</button>`,
  "/dialogs": `<button onclick="document.title = confirm('Sure?') + prompt('Name?', 'Ann')">Ask</button>`,
  "/popup": `<a href="/next" target=_blank>Elsewhere</a>`,
  "/long": `<title>Long</title>${"<p>line</p>".repeat(400)}<p>The very end</p>`,
  "/loop": `<button onclick="for(;;);">Hang</button>`,
};

browserTest("a page is read as numbered elements and texts, and used by the numbers", async () => {
  await using scene = await browserScene(PAGES);
  const { act, open } = scene;
  const form = await open("/");
  assertEquals([form.page.title, form.page.url], ["A form", scene.url("/")]);
  assertEquals(textsOf(form), ["Tea shop"]);
  assertEquals(elementsOf(form).map(({ number, tag }) => [number, tag]), [
    [0, "input"],
    [1, "input"],
    [2, "select"],
    [3, "textarea"],
    [4, "button"],
    [5, "a"],
    [6, "div"],
  ]);
  assertEquals(elementsOf(form)[1]?.about?.value, "•••");
  const typed = await act({ do: "type", element: 0, text: "Grüner Tee 茶" });
  assertEquals(elementsOf(typed)[0]?.about?.value, "Grüner Tee 茶");
  await act({ do: "type", element: 3, text: "new" });
  const { options } = await act({ do: "options", element: 2 });
  assertEquals(options?.map(({ text }) => text), ["small", "large pot"]);
  assertEquals((await act({ do: "choose", element: 2, text: "large pot" })).chosen, "large pot");
  assertEquals((await act({ do: "click", element: 6 })).page.title, "clicked");
  const sent = await act({ do: "click", element: 4 });
  const query = new URL(sent.page.url).searchParams;
  assertEquals([query.get("tea"), query.get("size"), query.get("note")], ["Grüner Tee 茶", "l", "new"]);
  const back = await act({ do: "back" });
  assertEquals(back.page.title, "A form");
  assertEquals((await act({ do: "click", element: numberOf(back, "Next page") })).page.title, "Next");
  assertEquals(scene.programs.length, 1);
  assertEquals(scene.programs[0]?.boxed, true);
  assert(scene.connections.some(({ decision, host }) => decision === "allowed" && host === "127.0.0.1"));
});

browserTest(
  "a number means one element for the whole session, and an outdated one clicks nothing",
  async () => {
    await using scene = await browserScene(PAGES);
    const { act, open } = scene;
    const once = await open("/gone");
    const number = numberOf(once, "Once");
    const after = await act({ do: "click", element: number });
    assertEquals(elementsOf(after).map(({ text }) => text), ["Other"]);
    assert(numberOf(after, "Other") > number);
    const gone = await assertRejects(
      () => act({ do: "click", element: number }),
      ToolError,
      "not on the page any more",
    );
    assertEquals(gone.code, "conflict");
    await open("/");
    const left = await assertRejects(
      () => act({ do: "click", element: numberOf(after, "Other") }),
      ToolError,
    );
    assertEquals(left.code, "conflict");
    const never = await assertRejects(
      () => act({ do: "click", element: 999 }),
      ToolError,
      "There is no element 999",
    );
    assertEquals(never.code, "not_found");
  },
);

browserTest("frames, open shadow roots and overlays", async () => {
  await using scene = await browserScene(PAGES);
  const { act, open } = scene;
  const deep = await open("/deep");
  const shadow = await act({ do: "click", element: numberOf(deep, "in the shadow") });
  assertEquals(shadow.page.title, "from the shadow");
  const frame = await act({ do: "click", element: numberOf(deep, "in the frame") });
  assertEquals(frame.page.title, "from the frame");
  const covered = await open("/covered");
  assertEquals(elementsOf(covered), []);
});

browserTest("dialogs are answered and told, popups become tabs", async () => {
  await using scene = await browserScene(PAGES);
  const { act, open } = scene;
  const asking = await open("/dialogs");
  const asked = await act({ do: "click", element: numberOf(asking, "Ask") });
  assertEquals(asked.page.title, "trueAnn");
  assertEquals(asked.happened, [
    `The page showed a dialog (confirm): "Sure?"; it was answered with OK`,
    `The page showed a dialog (prompt): "Name?"; it was answered with "Ann"`,
  ]);
  const popup = await open("/popup");
  const elsewhere = await act({ do: "click", element: numberOf(popup, "Elsewhere") });
  assertEquals(elsewhere.page.title, "Next");
  assertEquals(elsewhere.page.tabs.map(({ id, current }) => [id, current]), [[0, false], [1, true]]);
  assertEquals((await act({ do: "tab", tab: 0 })).page.url, scene.url("/popup"));
  await act({ do: "tab", tab: 1 });
  assertEquals((await act({ do: "close" })).page.tabs.length, 1);
  await assertRejects(() => act({ do: "tab", tab: 1 }), ToolError, "There is no tab 1");
});

browserTest("scrolling, finding a text, keys, pictures and HTML", async () => {
  await using scene = await browserScene(PAGES);
  const { act, open } = scene;
  const top = await open("/long");
  assertEquals(top.page.scroll.above, 0);
  const down = await act({ do: "scroll", to: "down", pixels: 300 });
  assertEquals([down.page.scroll.above, down.scrolled], [300, 300]);
  const end = await act({ do: "find", text: "the very end" });
  assert(textsOf(end).some((text) => text.includes("The very end")));
  await assertRejects(() => act({ do: "find", text: "not there" }), ToolError, "has no text");
  assert((await act({ do: "press", keys: "Control+Home" })).page.scroll.above < end.page.scroll.above);
  await assertRejects(() => act({ do: "press", keys: "NoSuchKey" }), ToolError, "There is no key");
  const { html } = await act({ do: "html" });
  assertStringIncludes(html ?? "", "The very end");
  const { picture } = await act({ do: "read" }, { picture: true });
  assertEquals(atob(picture!).slice(1, 4), "PNG");
});

browserTest("files come out of the browser and into it through the protocol alone", async () => {
  await using scene = await browserScene({
    "/": `<a href="/file">Get it</a><input type=file name=one>
      <script>document.querySelector("input").onchange = async ({ target: { files: [file] } }) =>
        document.title = file.name + ": " + await file.text()</script>`,
    "/file": () =>
      new Response("tea leaves", {
        headers: { "content-disposition": 'attachment; filename="../../evil name.txt"' },
      }),
  });
  const { act, open } = scene;
  const page = await open("/");
  const { files } = await act({ do: "click", element: numberOf(page, "Get it") });
  assertEquals(files?.map(({ base64 }) => atob(base64)), ["tea leaves"]);
  assert(!/[/\\]/.test(files![0]!.name) && files![0]!.name.endsWith("evil name.txt"), files![0]!.name);
  const element = numberOf(page, "one");
  const taken = await assertRejects(() => act({ do: "type", element, text: "a.txt" }), ToolError);
  assertEquals(taken.details, { takes: "file" });
  const given = await act({ do: "give", element, files: [{ name: "a.txt", base64: btoa("my file") }] });
  assertEquals(given.page.title, "a.txt: my file");
  assertEquals(given.page.tabs.length, 1);
});

browserTest("a page that hangs ends its call, and the next call has a browser", async () => {
  await using scene = await browserScene(PAGES);
  const { act, open } = scene;
  const hanging = await open("/loop");
  const stop = new AbortController();
  setTimeout(() => stop.abort(new ToolError("timeout", "too long")), 500);
  const click = act({ do: "click", element: numberOf(hanging, "Hang") }, { signal: stop.signal });
  await assertRejects(() => click, ToolError, "too long");
  const again = await open("/next");
  assertEquals(again.page.title, "Next");
  assertEquals(again.happened, ["The browser was started anew: the tabs that were open are gone"]);
});

browserTest("a browser that no call uses is ended", async () => {
  await using scene = await browserScene(PAGES, { maxIdleMs: 50 });
  await scene.open("/next");
  await scene.started[0]!.ended;
  assertEquals((await scene.open("/")).happened.length, 1);
});
