import axe from "axe-core";
import { type Browser, connect, type Page } from "puppeteer-core";

import { CHROMIUM } from "../../web/browser_scene.ts";

/** A page of a browser, and what a test does with it. */
export interface OpenPage {
  page: Page;
  /** Errors and refusals that the browser told. */
  problems: string[];
  /** Waits for an element, by a selector such as `::-p-text(Stop)`, and clicks it. */
  click(selector: string): Promise<void>;
  /** Waits until an element's text has these words; gives the text. */
  see(selector: string, words: string): Promise<string>;
  /** What a person with a screen reader, or with weak eyes, would trip over. */
  barriers(): Promise<string[]>;
  /** By how many pixels the page is too wide for its window. */
  sidewaysPx(): Promise<number>;
}

interface Violation {
  id: string;
  impact: string;
  nodes: { target: string[] }[];
}

/** Longest wait for something to be seen, in milliseconds: the machine may have much else to do. */
const WAIT_MS = 60_000;

/** Starts Chromium with a profile of its own; it ends with its folder. */
export async function webBrowser() {
  const profile = await Deno.makeTempDir({ prefix: "bulkhead-page-test-" });
  const child = new Deno.Command(CHROMIUM!, {
    args: [
      ...["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
      ...["--disable-component-update", "--disable-sync", "--remote-debugging-port=0"],
      ...[`--user-data-dir=${profile}`, "about:blank"],
    ],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const { endpoint, rest } = await endpointOf(child.stderr);
  const browser = await connect({ browserWSEndpoint: endpoint, defaultViewport: null });
  return {
    /** Where it takes commands. */
    endpoint,
    open: (address: string, size?: { width: number; height: number }) => openPage(browser, { address, size }),
    async [Symbol.asyncDispose]() {
      await browser.close().catch(() => {});
      const { code: _ } = await child.status;
      await rest;
      await Deno.remove(profile, { recursive: true });
    },
  };
}

async function endpointOf(
  stderr: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<{ endpoint: string; rest: Promise<void> }> {
  const reader = stderr.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the browser did not start: ${said}`);
    said += value;
    const [, endpoint] = /DevTools listening on (ws:\S+)\s/.exec(said) ?? [];
    if (endpoint === undefined) continue;
    const drain = async () => {
      while (!(await reader.read()).done) { /* What it says later. */ }
    };
    return { endpoint, rest: drain() };
  }
}

async function openPage(
  browser: Browser,
  { address, size = { width: 1200, height: 900 } }: {
    address: string;
    size?: { width: number; height: number } | undefined;
  },
): Promise<OpenPage> {
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => void problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  page.setDefaultTimeout(WAIT_MS);
  await page.setViewport(size);
  await page.goto(address);
  return {
    page,
    problems,
    click: (selector) => page.locator(selector).setTimeout(WAIT_MS).click(),
    async see(selector, words) {
      const text = await page.waitForFunction(
        `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.textContent)` +
          `.find((text) => text.includes(${JSON.stringify(words)}))`,
      ).catch(async () => {
        const shown = await page.evaluate("document.body.innerText");
        throw new Error(`${selector} never said ${JSON.stringify(words)}; the page shows:\n${shown}`);
      });
      return String(await text.jsonValue());
    },
    async barriers() {
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate("axe.run()") as { violations: Violation[] };
      return violations.map(({ id, impact, nodes }) =>
        `${impact} ${id}: ${nodes.map(({ target }) => target).join(", ")}`
      );
    },
    sidewaysPx: async () =>
      Number(
        await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
      ),
  };
}
