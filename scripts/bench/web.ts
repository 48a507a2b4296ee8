import { readHtmlBare } from "./bare_page.ts";
import { median, OpenBatch } from "./measure.ts";
import type { Ratio } from "./report.ts";

const RUNS = 7;
/** How long the service takes for a search, in milliseconds. */
const WAIT_MS = 50;
const PAGE_BYTES = 1_000_000;
/** Most time for the page, in milliseconds. */
const MOST_MS = 1000;

/**
 * Measures how long a page of 1 MB takes through the gate and the reader of pages, in a running batch, against the
 * libraries alone in this process; and how long it takes to read on in it.
 *
 * @param folder Where the batch runs
 */
export async function benchWeb(label: string, argv: readonly string[], folder: string): Promise<Ratio[]> {
  const page = makePage();
  const body = new TextEncoder().encode(page);
  const headers = { "content-type": "text/html; charset=utf-8" };
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response(body, { headers }),
  );
  const { port } = server.addr;
  const bareMs = await median(RUNS, () => {
    const started = performance.now();
    readHtmlBare(page);
    return Promise.resolve(performance.now() - started);
  });
  const batch = new OpenBatch(argv, folder, [`--allow-private-net=127.0.0.1:${port}`]);
  let run = 0;
  // Each run asks for another page: the cache would answer for the same one.
  const url = () => `http://127.0.0.1:${port}/${run}`;
  const fetchMs = await median(RUNS, async () => {
    run++;
    return (await batch.call("WebFetch", { url: url() })).ms;
  });
  const onMs = await median(
    RUNS,
    async () => (await batch.call("WebFetch", { url: url(), start_line: 500 })).ms,
  );
  await batch.close();
  const stepsMs = await timeSearches(argv, folder);
  const bare = "linkedom, Readability and turndown alone";
  return [
    { name: `${label} WebFetch of 1 MB`, ms: fetchMs, peer: bare, peerMs: bareMs, bound: 1.2 },
    { name: `${label} WebFetch of 1 MB`, ms: fetchMs, peer: "a second", peerMs: MOST_MS, bound: 1 },
    { name: `${label} WebFetch, reading on`, ms: onMs, peer: "the first read", peerMs: fetchMs, bound: 0.05 },
    {
      name: `${label} WebSearch 20 times`,
      ms: stepsMs,
      peer: "7 waits for the service",
      peerMs: 7 * WAIT_MS,
      bound: 1.5,
    },
  ];
}

/** Measures 20 searches of one batch, of which three go at once, against a service that takes its time. */
async function timeSearches(argv: readonly string[], folder: string): Promise<number> {
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async () => {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    return Response.json({ results: [{ title: "T", url: "https://t.example/", content: "S" }] });
  });
  const { port } = server.addr;
  const env = { SEARXNG_BASE_URL: `http://127.0.0.1:${port}` };
  const batch = new OpenBatch(argv, folder, [`--allow-private-net=127.0.0.1:${port}`], env);
  const search = (at: number) => batch.call("WebSearch", { query: `words ${at}` });
  const ms = await median(RUNS, async () => {
    const started = performance.now();
    await Promise.all(Array.from({ length: 20 }, (_, at) => search(at)));
    return performance.now() - started;
  });
  await batch.close();
  return ms;
}

/** Makes a manual as sites publish it: chapters of paragraphs with links, lists, tables and code. */
function makePage(): string {
  const parts = ["<!doctype html><html lang=en><head><title>The manual</title></head><body><nav>"];
  for (let at = 0; at < 200; at++) {
    parts.push(`<li class="toc-item"><a href="#c${at}">Chapter ${at}</a></li>`);
  }
  parts.push('</nav><main><article class="content">');
  let size = 0;
  for (let chapter = 0; size < PAGE_BYTES; chapter++) {
    const part = makeChapter(chapter);
    parts.push(part);
    size += part.length;
  }
  parts.push("</article></main><footer>Imprint</footer></body></html>");
  return parts.join("");
}

function makeChapter(chapter: number): string {
  const words = (count: number) =>
    Array.from({ length: count }, (_, at) => WORDS[(chapter * 7 + at * 5) % WORDS.length]).join(" ");
  const paragraph = `<p>${words(40)}, <a href="/ref/${chapter}">${words(3)}</a>, <em>${
    words(2)
  }</em> and <code>call(${WORDS[chapter % WORDS.length]})</code>. ${words(30)}.</p>`;
  const rows = Array.from(
    { length: 6 },
    (_, row) => `<tr><td>${words(1)}</td><td>${row}</td><td>${words(6)}</td></tr>`,
  );
  return `<section id="c${chapter}"><h2>${words(4)}</h2>${paragraph.repeat(3)}<ul>${
    `<li>${words(12)}</li>`.repeat(5)
  }</ul><table><thead><tr><th>Name</th><th>Count</th><th>Text</th></tr></thead><tbody>${
    rows.join("")
  }</tbody></table>` +
    `<pre><code class="language-js">${
      `const ${words(1)} = read("${words(2)}");\n`.repeat(5)
    }</code></pre></section>`;
}

const WORDS =
  "the reader takes one page after another and finds words numbers names lines of all the texts in it".split(
    " ",
  );
