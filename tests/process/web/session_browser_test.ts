import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import { findProgram } from "../../../runtime/walls/files/find_program.ts";
import { inOwnNetwork } from "../../support/net/own_network.ts";
import { browserScene, browserTest, elementsOf, numberOf, textsOf } from "../../support/web/browser_scene.ts";

const REBINDING = new URL("../../fixtures/net/browser_rebinding.ts", import.meta.url).pathname;

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
};

browserTest("a page is read as numbered elements and texts, and used by the numbers", async () => {
  await using scene = await browserScene(PAGES);
  const { act, open } = scene;
  const form = await open("/");
  assertEquals([form.page.title, form.page.url], ["A form", scene.url("/")]);
  assertEquals(textsOf(form), ["Tea shop"]);
  assertEquals(
    elementsOf(form).map(({ number, tag }) => [number, tag]),
    [[0, "input"], [1, "input"], [2, "select"], [3, "textarea"], [4, "button"], [5, "a"], [6, "div"]],
  );
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

browserTest("a page whose name leads to this machine later does not reach it", async () => {
  const helpers = ["ip", "unshare"].map((name) => findProgram(name, Deno.env.get("PATH") ?? ""));
  if (helpers.includes(null)) return;
  const end = { title: "no no no", isRefused: true, isAskedAgain: true };
  assertEquals(await inOwnNetwork(REBINDING), {
    ends: { "boxed.example.com": end, "unboxed.example.com": end },
    pages: 2,
    reached: 0,
  });
});

browserTest("without a sandbox, its files are private, and go with it", async () => {
  let folder = "";
  {
    await using scene = await browserScene({
      "/": `<title>Shop</title><a href="/file" download>Get it</a>`,
      "/file": () => new Response("tea leaves"),
    }, { boxed: false });
    const { act, open, started, programs, warnings, connections } = scene;
    const page = await open("/");
    assertEquals(page.page.title, "Shop");
    const { files } = await act({ do: "click", element: numberOf(page, "Get it") });
    assertEquals(files?.map(({ base64 }) => atob(base64)), ["tea leaves"]);
    assertEquals(programs.map(({ boxed }) => boxed), [false]);
    assertStringIncludes(warnings.join("\n"), "ran without a sandbox");
    assertStringIncludes(warnings.join("\n"), "Only the browser's own settings");
    assert(connections.some(({ decision, host }) => decision === "allowed" && host === "127.0.0.1"));
    folder = folderOf(started[0]!.audited().argv);
    const { mode } = Deno.statSync(folder);
    assertEquals((mode ?? 0) & 0o777, 0o700);
  }
  await assertRejects(() => Deno.stat(folder), Deno.errors.NotFound);
}, { boxed: false });

function folderOf(argv: readonly string[]): string {
  const word = argv.find((word) => word.startsWith("--user-data-dir="));
  return word!.slice("--user-data-dir=".length).replace(/\/profile$/, "");
}
