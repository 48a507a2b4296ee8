import { type Browser, connect, type ConnectionTransport } from "puppeteer-core";

import { browserBinary } from "../../runtime/browser/browser_binary.ts";
import { chromiumWords, THROUGH_PIPES } from "../../runtime/browser/chromium_words.ts";
import { findChromium } from "../../runtime/browser/find_chromium.ts";
import { findProgram } from "../../runtime/walls/files/find_program.ts";
import { median, OpenBatch } from "./measure.ts";
import type { Ratio } from "./report.ts";

const FIRST_RUNS = 3;
const RUNS = 11;
const PAGE =
  `<!doctype html><title>A shop</title><button onclick="this.textContent = 'clicked'">Order</button>
${"<p>A line of the page, with <a href='#'>a link</a>.</p>".repeat(100)}`;

/**
 * Measures the browser as a tool in a batch against its bare driver, without a sandbox and without a gate: how long the first
 * page takes in a running batch, and a click with the picture after it.
 *
 * @param place `folder` is where the batch runs
 * @returns A reason if it cannot be measured here
 */
export async function benchBrowser(
  label: string,
  argv: readonly string[],
  { folder, searchPath }: { folder: string; searchPath: string },
): Promise<Ratio[] | string> {
  const found = findChromium(Deno.env.toObject(), (name) => findProgram(name, searchPath));
  if (found === null) return "no browser is installed";
  const path = browserBinary(found.path);
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response(PAGE, { headers: { "content-type": "text/html; charset=utf-8" } }),
  );
  const host = `127.0.0.1:${server.addr.port}`;
  const url = `http://${host}/`;
  const bareFirst: number[] = [];
  const ownFirst: number[] = [];
  // By turns, since a machine is not as busy at all times.
  for (let run = 0; run < FIRST_RUNS; run++) {
    await using bare = await bareBrowser(path, url);
    bareFirst.push(bare.firstMs);
    const batch = openBatch(argv, folder, host);
    // The room is warm then, and the browser is not: it starts with the first action.
    await batch.call("manus/browser_use", { action: "go_to_url" }).catch(() => {});
    ownFirst.push((await batch.call("manus/browser_use", { action: "go_to_url", url })).ms);
    await batch.close();
  }
  await using bare = await bareBrowser(path, url);
  const bareMs = await median(RUNS, bare.click);
  const batch = openBatch(argv, folder, host);
  await batch.call("manus/browser_use", { action: "go_to_url", url });
  const click = { action: "click_element", index: 0 };
  const ownMs = await median(RUNS, async () => (await batch.call("manus/browser_use", click)).ms);
  await batch.close();
  const peer = "the driver alone, no sandbox";
  return [
    {
      name: `${label} browser, first page`,
      ms: middle(ownFirst),
      peer,
      peerMs: middle(bareFirst),
      bound: 1.2,
    },
    { name: `${label} browser, click and picture`, ms: ownMs, peer, peerMs: bareMs, bound: 1.5 },
  ];
}

function openBatch(argv: readonly string[], folder: string, host: string): OpenBatch {
  return new OpenBatch(argv, folder, [`--allow-private-net=${host}`]);
}

interface BareBrowser extends AsyncDisposable {
  firstMs: number;
  click(): Promise<number>;
}

/** Starts the browser with a profile of its own, and opens a page; a process of its own would load the driver first. */
async function bareBrowser(path: string, url: string): Promise<BareBrowser> {
  const profile = Deno.makeTempDirSync({ prefix: "bulkhead-bench-" });
  const [command = "", ...before] = THROUGH_PIPES;
  const words = chromiumWords(path).filter((word) => !/^--(?:proxy|host-resolver|user-data)/.test(word));
  const started = performance.now();
  const child = new Deno.Command(command, {
    args: [...before, ...words, `--user-data-dir=${profile}`],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const browser = await connect({ transport: pipes(child), defaultViewport: null });
  const page = await browser.newPage();
  await page.goto(url);
  await page.screenshot({ captureBeyondViewport: false });
  const firstMs = performance.now() - started;
  return {
    firstMs,
    async click() {
      const from = performance.now();
      await page.click("button");
      await page.screenshot({ captureBeyondViewport: false });
      return performance.now() - from;
    },
    [Symbol.asyncDispose]: () => end(browser, child, profile),
  };
}

async function end(browser: Browser, child: Deno.ChildProcess, profile: string): Promise<void> {
  await browser.close().catch(() => {});
  await child.status;
  Deno.removeSync(profile, { recursive: true });
}

/** The protocol through the pipes of a program: messages end with a zero. */
function pipes(child: Deno.ChildProcess): ConnectionTransport {
  const writer = child.stdin.getWriter();
  const transport: ConnectionTransport = {
    send: (message) => void writer.write(new TextEncoder().encode(`${message}\0`)).catch(() => {}),
    close: () => {},
  };
  void (async () => {
    let rest = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + text).split("\0");
      rest = parts.pop() ?? "";
      for (const part of parts) transport.onmessage?.(part);
    }
  })();
  return transport;
}

function middle(all: readonly number[]): number {
  return all.toSorted((one, other) => one - other)[all.length >> 1]!;
}
