import { assert, assertEquals } from "@std/assert";

import type { ToolResult } from "../../../schemas/result.ts";
import { browserTest } from "../../support/web/browser_scene.ts";
import { webBrowser } from "../../support/cli/serve/web_browser.ts";

const ROOT = new URL("../../..", import.meta.url).pathname;
const PAGE = new URL("../../../runtime/server/page", import.meta.url).href;
/** What the server says, with nothing allowed that it does not allow. */
const RULES = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
  "img-src 'self' data: blob:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const HTML = `<!doctype html><html lang="en"><title>Shown</title><link rel="stylesheet" href="/app.css">
  <h1>Shown</h1><main></main><h2>Streamed</h2><div id="stream"></div><script type="module" src="/app.js"></script></html>`;
/** Runs in the browser: shows what a run would produce, by the parts of the page that show it. */
const ENTRY = `
import { render } from "preact";
import { html } from "${PAGE}/base/html.ts";
import { Diff } from "${PAGE}/show/diff/diff.ts";
import { Markdown } from "${PAGE}/show/markdown/markdown.ts";
import { CallArguments } from "${PAGE}/show/result/call_arguments.ts";
import { ShownResult } from "${PAGE}/show/result/shown_result.ts";
import { Screen } from "${PAGE}/show/screen.ts";

const { texts, diff, screen, result } = await (await fetch("/texts.json")).json();
const parts = [
  ...texts.map((text) => html\`<\${Markdown} text=\${text} />\`),
  html\`<\${Diff} text=\${diff} />\`,
  html\`<\${Screen} text=\${screen} />\`,
  html\`<\${CallArguments} tool="a/b" input=\${{ text: texts.join("\\n"), [texts[0]]: 1 }} />\`,
  html\`<\${ShownResult} tool=\${texts[0]} result=\${result} run="r1" />\`,
];
render(parts.map((part, at) => html\`<section key=\${at}>\${part}</section>\`), document.querySelector("main"));

// Shows a text as it comes, in that many pieces.
window.stream = (text, pieces) => {
  for (let piece = 1; piece <= pieces; piece++) {
    const known = text.slice(0, text.length * piece / pieces);
    render(html\`<\${Markdown} text=\${known} streaming />\`, document.querySelector("#stream"));
  }
};
`;
const ESC = "\u001b";

/** Texts that try to run something, or to load something from `outside`. */
function hostileTexts(outside: string): string[] {
  const run = "window.ran=(window.ran||0)+1";
  return [
    `<img src=x onerror="${run}"><script>${run}</script><svg/onload=${run}><iframe srcdoc="<script>parent.ran=1</script>">`,
    `[a](javascript:${run}) [b](JaVaScRiPt&colon;${run}) [c](java&#10;script:${run}) [d](data:text/html,<script>${run}</script>) [e](vbscript:x) <javascript:${run}>`,
    `![x](${outside}/a.png) ![y](javascript:${run}) ![z](data:text/html,hi) ![w](//${
      outside.slice(7)
    }/b.png) ![v](/runs/../folders)`,
    `![s](data:image/svg+xml,${
      encodeURIComponent(
        `<svg xmlns="http://www.w3.org/2000/svg" onload="${run}"><script>${run}</script><image href="${outside}/c.png"/></svg>`,
      )
    })`,
    `<a href="${outside}" ping="${outside}/p">t</a> <link rel=stylesheet href="${outside}/d.css"><style>@import '${outside}/e.css';*{display:none}</style>`,
    `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${run}&gt;">`,
    '```js" onmouseover="' + run + "\nlet a = '<img src=x onerror=" + run + ">';\n```",
    "```ts\nconst a = `<script>${" + run + "}</script>`;\n```",
    "```html\n<script>" + run + "</script>\n```",
    "$\\href{javascript:" + run + "}{x}$ $\\includegraphics{" + outside +
    "/f.png}$ $\\htmlStyle{color:red}{x}$ $$\\frac{a}{b}$$",
    "$\\def\\a{\\a\\a}\\a$ \\(\\rule{9999em}{9999em}\\) $\\text{<img src=x onerror=" + run + ">}$",
    '```mermaid\nflowchart TD\n A["<img src=x onerror=' + run + '>"] --> B\n click A "javascript:' + run +
    '"\n click B href "javascript:' + run + '"\n style A fill:url(' + outside + "/g.png)\n```",
    "```mermaid\nsequenceDiagram\n A->>B: <script>" + run + "</script>\n```",
    "```mermaid\nnot a diagram at all\n```",
    "| a | b |\n|---|---|\n| <b onclick=" + run + ">x</b> | [l](javascript:" + run +
    ") |\n\n- [x] done\n- [ ] open <input autofocus onfocus=" + run + ">",
    "[r]: javascript:" + run + "\n\n[r] see \u202Egpj.exe and <form action=" + outside +
    "><button>ok</button></form>",
  ];
}

function hostileResult(outside: string, texts: readonly string[]): ToolResult {
  const text = texts.join("\n");
  return {
    ...{ tool_name: text, ok: false, text, audio: [], metadata: { duration_ms: 1, place: "worker" } },
    result: { [text]: text, pages: [{ url: "javascript:window.ran=1", title: text, snippet: text }] },
    images: [{ mime_type: "text/html", data: btoa("<script>parent.ran=1</script>") }],
    artifacts: [{ name: '../../x"onerror=.svg', path: text, bytes: 1 }, {
      name: "a.html",
      path: "",
      bytes: 2,
    }],
    warnings: [text],
    error: { code: "internal", message: `${text} ${outside}`, retryable: true, details: { [text]: text } },
  };
}

browserTest(
  "nothing that a run produces runs in the page, loads anything from outside, or breaks the page's rules",
  async () => {
    let asked = 0;
    await using outside = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => {
      asked++;
      return new Response("outside");
    });
    const address = `http://127.0.0.1:${outside.addr.port}`;
    const texts = hostileTexts(address);
    await using files = await shownFiles({
      texts,
      diff: `--- a/x\n+++ b/<img src=x onerror=window.ran=1>\n@@ -1 +1 @@\n-${texts[0]}\n+${texts[4]}\n`,
      screen: `${ESC}]8;;javascript:window.ran=1${ESC}\\x${ESC}]8;;${ESC}\\ ${ESC}[31m${
        texts[0]
      }${ESC}[0m ${ESC}[38;2;1;2;3mz${ESC}[2J`,
      result: hostileResult(address, texts),
    });
    await using browser = await webBrowser();
    const { page, problems, see, barriers } = await browser.open(files.address);
    await page.waitForFunction("document.querySelectorAll('.diagram img').length === 2");
    await page.waitForSelector("math mfrac");
    await page.waitForSelector(".hljs-keyword");
    await see("main", "⟨U+202E⟩");
    await page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)");
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    assertEquals(await page.evaluate("window.ran ?? 0"), 0);
    const made = "main :is(script,style,iframe,object,embed,form,link,base,svg,video,audio)";
    assertEquals(await page.evaluate(`document.querySelectorAll(${JSON.stringify(made)}).length`), 0);
    assertEquals(await page.evaluate(ADDRESSES), []);
    assertEquals(asked, 0);
    // The picture of a file that the test's server does not have is the one thing that is missed.
    assertEquals(problems.filter((problem) => !problem.includes("404")), []);
    assertEquals((await barriers()).filter((one) => /^(?:serious|critical)/.test(one)), []);
  },
);

browserTest(
  "a text of 100 KB that comes in pieces is shown whole, and a book as it is, in parts",
  async () => {
    await using files = await shownFiles({ texts: [], diff: "", screen: "", result: hostileResult("", []) });
    await using browser = await webBrowser();
    const { page } = await browser.open(files.address);
    await page.waitForFunction("window.stream !== undefined");
    const part = "## Part\n\nSome **text** with `code`, a [link](https://example.com) and $x^2$.\n\n" +
      "- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nlet a = 1;\n```\n\n";
    const parts = Math.ceil(100_000 / part.length);
    await page.evaluate(`window.stream(${JSON.stringify(part.repeat(parts))}, 500)`);
    await page.waitForFunction(`document.querySelectorAll("#stream table").length === ${parts}`);
    await page.evaluate(`window.stream(${JSON.stringify(part.repeat(parts * 5))}, 2)`);
    await page.waitForSelector("#stream .folded button");
    assertEquals(await page.$$eval("#stream *", (all) => all.length) < 20, true);
  },
);

browserTest(
  "an answer that takes long to read, or to draw, is shown as it was written, and others go on",
  async () => {
    const slow = {
      signs: "$$".repeat(60_000),
      emphasis: "_a_".repeat(60_000),
      cells: "|a|b|\n|-|-|\n" + "|1|2|\n".repeat(25_000),
      items: "1. ".repeat(50_000),
      diagram: "```mermaid\ngraph TD\n" + "A-->B\n".repeat(900) + "```\n",
      nested: "[a](b)".repeat(40_000),
    };
    await using files = await shownFiles({
      texts: [...Object.values(slow), "the **last** one"],
      ...{ diff: "", screen: "", result: hostileResult("", []) },
    });
    await using browser = await webBrowser();
    const { page, problems } = await browser.open(files.address);
    await page.waitForSelector("main section:nth-child(7) strong");
    const heads = await page.$$eval(
      "main section",
      (all) => all.map(({ textContent }) => textContent!.trim().slice(0, 4)),
    );
    assertEquals(heads.slice(0, 4), ["$$$$", "_a__", "|a|b", "1. 1"]);
    assertEquals(problems.filter((problem) => !problem.includes("404")), []);
  },
);

/** Addresses in the page that lead anywhere but to pages on the web, files of runs, and pictures in the page. */
const ADDRESSES = `[...document.querySelectorAll("main [href], main [src], main [action], main [formaction]")]
  .flatMap((one) => ["href", "src", "action", "formaction"].map((name) => one.getAttribute(name)))
  .filter((address) => address !== null && !/^(?:https?:\\/\\/|data:image\\/|\\/runs\\/r1\\/files\\/[^/]+$)/.test(address))`;

/** A server of the shown texts, under the page's rules. */
async function shownFiles(shown: Record<string, unknown>) {
  const folder = await Deno.makeTempDir({ prefix: "bulkhead-shown-" });
  await Deno.writeTextFile(`${folder}/entry.ts`, ENTRY);
  await Deno.writeTextFile(`${folder}/reader.ts`, `import "${PAGE}/reader.ts";`);
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["bundle", "--quiet", "--platform", "browser", "--code-splitting", "--format", "esm"],
      ...["--config", "deno.json", "--outdir", folder, `${folder}/entry.ts`, `${folder}/reader.ts`],
    ],
    cwd: ROOT,
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/") return answer(HTML, "text/html");
    if (pathname === "/texts.json") return Response.json(shown);
    if (pathname === "/app.css") {
      return answer(await Deno.readTextFile(`${ROOT}runtime/server/built/app.css`), "text/css");
    }
    const name = pathname === "/app.js" ? "entry.js" : pathname.slice(1);
    if (!/^[\w-]+\.js$/.test(name)) return new Response("nothing here", { status: 404 });
    return answer(await Deno.readTextFile(`${folder}/${name}`), "text/javascript");
  });
  return {
    address: `http://127.0.0.1:${server.addr.port}/`,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

function answer(text: string, type: string): Response {
  return new Response(text, {
    headers: { "content-type": `${type}; charset=utf-8`, "content-security-policy": RULES },
  });
}
