import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import { ToolError } from "../../../schemas/error.ts";
import { browserScene, browserTest, elementsOf, numberOf, textsOf } from "../../support/web/browser_scene.ts";
import { waysTo } from "../../support/web/ways_out.ts";

const FORM = `<title>A form</title><h1>Tea shop</h1>
<form action="/sent"><input name="tea" placeholder="Which tea?"><input type="password" name="code" value="abc">
<select name="size"><option value="s">small</option><option value="l">large pot</option></select>
<textarea name="note">old note</textarea><button>Order</button></form>
<a href="/next">Next page</a><div style="display:none"><button>hidden</button></div>
<div onclick="document.title='clicked'">A part that can be clicked</div>`;

const PAGES = {
  "/": FORM,
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
};

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

browserTest("a browser that no call uses is ended", async () => {
  await using scene = await browserScene(PAGES, { maxIdleMs: 50 });
  await scene.open("/next");
  await scene.started[0]!.ended;
  assertEquals((await scene.open("/")).happened.length, 1);
});

browserTest("a page does not reach the gate's own door as a place", async () => {
  await using scene = await browserScene(waysTo("127.0.0.1:3128"));
  await scene.open("/attack");
  await scene.act({ do: "wait", ms: 1_000 });
  assert(scene.connections.every(({ decision, port }) => decision === "refused" || port !== 3128));
  assert(scene.connections.some(({ decision, port }) => decision === "refused" && port === 3128));
});
