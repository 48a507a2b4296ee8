import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import { findProgram } from "../../../runtime/walls/files/find_program.ts";
import { ToolError } from "../../../schemas/error.ts";
import { isAlive, until } from "../../support/cli/processes.ts";
import { inOwnNetwork } from "../../support/net/own_network.ts";
import { browserProcesses } from "../../support/web/browser_processes.ts";
import {
  browserScene,
  browserTest,
  CHROMIUM,
  elementsOf,
  numberOf,
  textsOf,
} from "../../support/web/browser_scene.ts";
import { unreachedPlace } from "../../support/web/ways_out.ts";

const REBINDING = new URL("../../fixtures/net/browser_rebinding.ts", import.meta.url).pathname;
const ANEW = "The browser was started anew: the tabs that were open are gone";

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

browserTest("files come out of the browser and into it through the protocol alone", async () => {
  await using scene = await browserScene({
    "/": `<a href="/file">Get it</a><input type=file name=one>
      <script>document.querySelector("input").onchange = async ({ target: { files: [file] } }) =>
        document.title = file.name + ": " + await file.text()</script>`,
    "/file": () =>
      new Response("tea leaves", {
        headers: { "content-disposition": 'attachment; filename="../evil name.txt"' },
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
  const stop = new AbortController();
  await using scene = await browserScene({
    ...PAGES,
    "/loop":
      `<button onclick="const x = new XMLHttpRequest(); x.open('GET', '/hangs', false); x.send(); for (;;);">
      Hang</button>`,
    "/hangs": () => (stop.abort(new ToolError("timeout", "too long")), new Response("")),
  });
  const { act, open } = scene;
  const hanging = await open("/loop");
  const click = act({ do: "click", element: numberOf(hanging, "Hang") }, { signal: stop.signal });
  await assertRejects(() => click, ToolError, "too long");
  const again = await open("/next");
  assertEquals(again.page.title, "Next");
  assertEquals(again.happened, [ANEW]);
});

browserTest("a browser that is killed leaves nothing, and the next action starts another one", async () => {
  await using scene = await browserScene(PAGES);
  await scene.open("/next");
  const { main, all } = browserProcesses(scene);
  assertEquals(main.length, 1);
  for (const pid of main) Deno.kill(pid, "SIGKILL");
  await scene.started[0]!.ended;
  await until("its processes are gone", () => !all.some(isAlive));
  const again = await scene.act({ do: "open", url: scene.url("/next") });
  assertEquals([again.page.title, again.happened], ["Next", [ANEW]]);
});

browserTest("hosts beside those of --allow-net are refused, and what is granted works", async () => {
  await using place = await unreachedPlace("127.0.0.1");
  const host = `localhost:${place.port}`;
  await using scene = await browserScene({
    "/": `<img src="http://elsewhere.example/picture"><p>here</p>`,
  }, { grants: { policy: "read-only-no-net", allow: { net: ["good.example"] } } });
  const refused = await assertRejects(
    () => scene.act({ do: "open", url: "http://elsewhere.example/" }),
    ToolError,
  );
  assertEquals([refused.code, refused.details.flag], [
    "permission_denied",
    "--allow-net=elsewhere.example:80",
  ]);
  const { page, happened } = await scene.open("/");
  assertEquals(page.lines, [{ text: "here" }]);
  assertEquals(happened.length, 1);
  assert(happened[0]!.startsWith("The page asked for elsewhere.example:80, which was refused"), happened[0]);
  await assertRejects(() => scene.act({ do: "open", url: `http://${host}/` }), ToolError);
  assertEquals(place.reached.count, 0);
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

browserTest("without a sandbox, a browser starts only if it is named", async () => {
  await using scene = await browserScene({ "/": "here" }, { boxed: false, grants: { allow: {} } });
  const refused = await assertRejects(() => scene.open("/"), ToolError, "there is no sandbox");
  assertEquals([refused.code, refused.details.flag], ["permission_denied", `--allow-run=${CHROMIUM}`]);
  assertEquals(scene.started, []);
}, { boxed: false });

function folderOf(argv: readonly string[]): string {
  const word = argv.find((word) => word.startsWith("--user-data-dir="));
  return word!.slice("--user-data-dir=".length).replace(/\/profile$/, "");
}
