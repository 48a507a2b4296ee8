import { assert, assertEquals, assertMatch } from "@std/assert";

import type { Running } from "../../support/program.ts";
import { type Answer, makeScene } from "../../support/cli/scene.ts";
import { hostilePages } from "../../support/web/hostile_pages.ts";

const PAGES = Object.entries(hostilePages(10));
/** To read it takes longer than all that comes before. */
const SLOW_PAGE = PAGES.findIndex(([title]) => title === "very many brackets");
/** Longest times of a call, in seconds. On each machine one of them ends while the reader reads {@linkcode SLOW_PAGE}. */
const LATE_SECONDS = [1, 1.5, 2, 3, 4.5, 7, 10, 15];
/** What is said where the time is over before the page has come, or before a reader has it. */
const TOO_EARLY = /^http:\S+ took longer than \d+ ms$|^harness\/WebFetch was stopped/;

/** Serves the pages by their numbers. */
function pageServer() {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const [, { html } = { html: () => "<p>A short page.</p>" }] =
      PAGES[Number(new URL(request.url).pathname.slice(1))] ?? [];
    return new Response(html(), {
      headers: { "content-type": "text/html" },
    });
  });
  return { port: server.addr.port, [Symbol.asyncDispose]: () => server.shutdown() };
}

async function call(running: Running, tool: string, input: unknown): Promise<Answer> {
  await running.write(`${JSON.stringify({ id: 1, tool, arguments: input })}\n`);
  const line = await running.nextLine();
  assert(line !== null, "the batch ended");
  return JSON.parse(line);
}

/** Counts the rooms that are processes of their own below a process. */
async function countRooms(pid: number): Promise<number> {
  const { stdout } = await new Deno.Command("ps", { args: ["-eo", "pid=,ppid=,args="] }).output();
  const rows = new TextDecoder().decode(stdout).trim().split("\n").map((row) => row.trim().split(/\s+/));
  const below = new Set([String(pid)]);
  for (let size = 0; size !== below.size;) {
    size = below.size;
    for (const [child = "", parent = ""] of rows) if (below.has(parent)) below.add(child);
  }
  const isRoom = (words: readonly string[]) => words.includes("__room") && !words[0]?.endsWith("/bwrap");
  return rows.filter(([child = "", , ...words]) => below.has(child) && isRoom(words)).length;
}

Deno.test("pages that are made to break readers are read in 15 seconds, in the memory that a reader may take", async () => {
  await using server = pageServer();
  using scene = makeScene();
  const flags = [`--allow-private-net=127.0.0.1:${server.port}`];
  const running = scene.start(["batch", "-", ...flags], { timeoutMs: 240_000 });
  for (const [at, [title]] of PAGES.entries()) {
    const { ok, error } = await call(running, "WebFetch", { url: `http://127.0.0.1:${server.port}/${at}` });
    assertEquals([title, ok, error?.message], [title, true, undefined]);
  }
  await running.closeInput();
  await running.ended();
});

Deno.test("a reader that takes longer than its time is killed, and the next page gets another", async () => {
  await using server = pageServer();
  using scene = makeScene();
  const url = `http://127.0.0.1:${server.port}`;
  for (const seconds of LATE_SECONDS) {
    const flags = [
      `--allow-private-net=127.0.0.1:${server.port}`,
      "--tool-timeout",
      `WebFetch=${seconds}`,
    ];
    const running = scene.start(["batch", "-", ...flags]);
    const late = await call(running, "WebFetch", { url: `${url}/${SLOW_PAGE}` });
    // The tool's own room may stay. The system takes a moment for the end of the reader's.
    while (await countRooms(running.pid) > 1) { /* Look again. */ }
    const next = await call(running, "par/read_webpage", { url: `${url}/short` });
    await running.closeInput();
    await running.ended();
    assertEquals([late.error?.code, next.ok], ["timeout", true]);
    const message = late.error?.message ?? "";
    const isLast = seconds === LATE_SECONDS.at(-1);
    if (!isLast && TOO_EARLY.test(message)) continue;
    assertMatch(message, /^The page reader was stopped/);
    return;
  }
});
