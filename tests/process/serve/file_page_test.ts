import { assertEquals } from "@std/assert";

import type { HandlerAnswer } from "../../../runtime/server/contract/answer.ts";
import { fileAnswer } from "../../../runtime/server/changes/file_answer.ts";
import { browserScene, browserTest } from "../../support/web/browser_scene.ts";

/** Files that tell of themselves at `/hit` if a browser runs them, by the type that a listing gives them. */
const EVIL: Readonly<Record<string, readonly [type: string, text: string]>> = {
  "a.html": ["text/html", `<script>fetch("/hit?html")</script><img src="/hit?img" onerror="1">`],
  "a.svg": [
    "image/svg+xml",
    `<svg xmlns="http://www.w3.org/2000/svg"><script>fetch("/hit?svg")</script><image href="/hit?image"/></svg>`,
  ],
  "a.xhtml": [
    "application/xhtml+xml",
    `<html xmlns="http://www.w3.org/1999/xhtml"><script>fetch("/hit?xhtml")</script></html>`,
  ],
  "a.js": ["text/javascript", `fetch("/hit?js")`],
  "a.txt": ["text/plain", `fetch("/hit?text"); /* <script>fetch("/hit?sniffed")</script> */`],
  "a.json": ["application/json", `fetch("/hit?json")`],
  "a.css": ["text/css", `body { background: url("/hit?css") }`],
};

/** Every way in which a page can take a file in. */
function pageWith(folder: string): string {
  const ways = Object.keys(EVIL).map((name) => {
    const at = `${folder}/${name}`;
    return `<iframe src="${at}"></iframe><embed src="${at}"><object data="${at}"></object><img src="${at}">` +
      `<script src="${at}"></script><script type="module" src="${at}"></script><link rel="stylesheet" href="${at}">`;
  });
  return `<title>page</title>${ways.join("")}<p>end</p>`;
}

browserTest(
  "no file of a run runs in a browser as a page of the server, or in one of its pages",
  async () => {
    const hits: string[] = [];
    const told = ({ headers = {}, bytes }: HandlerAnswer) =>
      new Response(bytes?.bytes, { headers: { ...headers, "content-type": bytes!.type } });
    const files = Object.entries(EVIL).flatMap(([name, [type, text]]) => {
      const bytes = new TextEncoder().encode(text);
      return [
        [`/shut/${name}`, () => told(fileAnswer(name, { bytes, type }))],
        [`/open/${name}`, () => told({ bytes: { bytes, type } })],
      ] as const;
    });
    const hit = ({ url }: Request) => (hits.push(new URL(url).search.slice(1)), new Response("hit"));
    const pages = { "/": "start", "/shut": pageWith("/shut"), "/open": pageWith("/open"), "/hit": hit };
    await using scene = await browserScene({ ...pages, ...Object.fromEntries(files) });
    await scene.open("/shut");
    for (const name of Object.keys(EVIL)) {
      // What is saved is no page.
      await scene.open(`/shut/${name}`).catch(() => {});
    }
    await scene.open("/");
    assertEquals(hits, []);
    // The same files do run where nothing shuts them.
    await scene.open("/open");
    await scene.open("/");
    assertEquals(["html", "js", "svg", "xhtml"].filter((word) => !hits.includes(word)), []);
  },
);
