import type { Browser, CDPSession, Page } from "puppeteer-core";

import type { BrowserFile } from "../../../schemas/browser/browser.ts";
import { pause, within } from "./page/waiting.ts";
import type { Tabs } from "./tabs.ts";

/** Most bytes of a file that is passed on. */
const MOST_BYTES = 32 * 1024 * 1024;
/** How long an action waits for a download that it began, in milliseconds. */
const WAIT_MS = 20_000;
const LOOK_MS = 20;
/** How soon a download begins that takes the place of a page, in milliseconds. */
const BEGINS_MS = 3_000;
/** Longest time for reading a file, in milliseconds. */
const READ_MS = 30_000;
const MOST_NAME = 200;

interface Download {
  name: string;
  bytes: number;
  state: "inProgress" | "completed" | "canceled";
}

/** What the pages of a browser download. The files lie in its sandbox and come out through the protocol alone. */
export class Downloads {
  readonly #tabs: Tabs;
  readonly #open = new Map<string, Download>();

  readonly #folder: string | null;

  private constructor(tabs: Tabs, folder: string | null) {
    this.#tabs = tabs;
    this.#folder = folder;
  }

  /**
   * Takes note of all downloads from now on.
   *
   * @param folder Where the browser puts them, as it sees the disk; `null` for where its user has them
   */
  static async of(browser: Browser, tabs: Tabs, folder: string | null): Promise<Downloads> {
    const downloads = new Downloads(tabs, folder);
    await downloads.#watch(await browser.target().createCDPSession());
    return downloads;
  }

  /**
   * Returns the files that are there since the last time. Waits for those that are on their way.
   *
   * @param options With `isExpected` one may just be beginning
   */
  async take({ isExpected }: { isExpected: boolean }): Promise<BrowserFile[]> {
    const begins = performance.now() + BEGINS_MS;
    while (isExpected && this.#open.size === 0 && performance.now() < begins) await pause(LOOK_MS);
    const ends = performance.now() + WAIT_MS;
    const isOnWay = () => [...this.#open.values()].some(({ state }) => state === "inProgress");
    while (isOnWay() && performance.now() < ends) await pause(LOOK_MS);
    const files: BrowserFile[] = [];
    for (const [guid, { name, bytes, state }] of this.#open) {
      if (state === "inProgress") {
        this.#tabs.tell(`The download of ${name} goes on: ${bytes} bytes so far`);
        continue;
      }
      this.#open.delete(guid);
      if (state === "canceled") this.#tabs.tell(`The download of ${name} did not end well`);
      else if (bytes > MOST_BYTES) this.#tabs.tell(`The download of ${name} is too large: ${bytes} bytes`);
      else if (this.#folder === null) this.#tabs.tell(`${name} was downloaded into the browser's own folder`);
      else files.push({ name, base64: await this.#read(guid) });
    }
    return files;
  }

  async #watch(session: CDPSession): Promise<void> {
    session.on("Browser.downloadWillBegin", ({ guid, suggestedFilename }) => {
      this.#open.set(guid, { name: safeName(suggestedFilename), bytes: 0, state: "inProgress" });
    });
    session.on("Browser.downloadProgress", ({ guid, receivedBytes, state }) => {
      const download = this.#open.get(guid);
      if (download === undefined) return;
      download.bytes = receivedBytes;
      download.state = state;
    });
    await session.send("Browser.setDownloadBehavior", {
      ...this.#folder === null
        ? { behavior: "default" }
        : { behavior: "allowAndName", downloadPath: this.#folder },
      eventsEnabled: true,
    });
  }

  /** A field for files in a page of its own reads the file: so it needs no way into the sandbox. */
  async #read(guid: string): Promise<string> {
    const page = await this.#tabs.openApart();
    try {
      return await within(readIn(page, `${this.#folder}/${guid}`), READ_MS);
    } finally {
      await page.close();
    }
  }
}

async function readIn(page: Page, path: string): Promise<string> {
  await page.setContent("<input type=file>");
  const input = await page.$("input");
  await input!.uploadFile(path);
  return await page.evaluate(READ_FILE);
}

/** Runs in the page of its own. */
const READ_FILE = `new Promise((resolve, reject) => {
  const reader = new FileReader();
  reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(document.querySelector("input").files[0]);
})` as unknown as () => Promise<string>;

/** A page may name a file as it likes. */
function safeName(name: string): string {
  // deno-lint-ignore no-control-regex
  const plain = name.replace(/[\x00-\x1f\x7f/\\]/g, "_").replace(/^\.+/, "_").slice(-MOST_NAME);
  return plain.trim() === "" ? "download" : plain;
}
