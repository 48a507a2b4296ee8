import { connect } from "puppeteer-core";

import type { BrowserAction, BrowserAnswer } from "../../../schemas/browser/browser.ts";
import type { PageView } from "../../../schemas/browser/page.ts";
import { ToolError } from "../../../schemas/error.ts";
import { Downloads } from "./downloads.ts";
import { NumberedPage } from "./page/numbered_page.ts";
import { inFrame, isGoneError } from "./page/page_world.ts";
import { pause, within } from "./page/waiting.ts";
import { readShownDocument } from "./page/shown_document.ts";
import { takePicture } from "./picture.ts";
import { endIfHung, whenHung } from "./hung_page.ts";
import { settle, stopIfUnanswered } from "./settle.ts";
import type { Tab } from "./tab.ts";
import { Tabs } from "./tabs.ts";
import { clickPoint, drag } from "./use_mouse.ts";
import { chooseOption, clickElement, giveFiles, listOptions, pressKeys, typeInto } from "./use_element.ts";
import type { DriverWire } from "./wire.ts";

/** Longest time for the way to a page, in milliseconds. */
const OPEN_MS = 30_000;
/** How often a page is read again that changes to another one meanwhile. */
const READ_TRIES = 5;
/** How long a page may take to scroll by a key, in milliseconds. */
const KEYS_MS = 50;
/** Most characters of a page's HTML. */
const MOST_HTML = 8 * 1024 * 1024;

const PDF = "application/pdf";

/** What changes nothing of a page. */
const LOOKS: readonly BrowserAction["do"][] = ["read", "options", "html", "wait"];

/** What an action gives beside the page. */
type Given = Pick<BrowserAnswer, "options" | "html" | "document" | "chosen" | "scrolled">;

/** Drives one browser: does what it is asked, and reads the page after it. */
export class Driver {
  readonly #tabs: Tabs;
  readonly #downloads: Downloads;
  readonly #numbers = new NumberedPage();

  private constructor(tabs: Tabs, downloads: Downloads) {
    this.#tabs = tabs;
    this.#downloads = downloads;
  }

  /** Greets a browser, which puts downloads into a folder; one of the user's (`null`) keeps its own tabs. Rejects if it does not speak the protocol. */
  static async open(wire: DriverWire, folder: string | null): Promise<Driver> {
    const browser = await connect({ transport: wire, defaultViewport: null });
    const tabs = await Tabs.of(browser, { isUsers: folder === null });
    return new Driver(tabs, await Downloads.of(browser, tabs, folder));
  }

  /** Does one action. A page whose process ends while it is shown is loaded once more. Throws `ToolError`. */
  async act(action: BrowserAction, { picture }: { picture: boolean }): Promise<BrowserAnswer> {
    try {
      return await this.#actOnce(action, picture);
    } catch (error) {
      if (!loads(action) || opensTab(action) || this.#tabs.isEmpty || !this.#tabs.current.hasCrashed) {
        throw error;
      }
      return await this.#actOnce(action, picture);
    }
  }

  async #actOnce(action: BrowserAction, picture: boolean): Promise<BrowserAnswer> {
    if (this.#tabs.isEmpty || opensTab(action)) await this.#tabs.open();
    else if (loads(action) && await endIfHung(this.#tabs.current)) {
      this.#tabs.tell("The page before did not answer any more: its process was ended");
    }
    const given = await unlessLost(this.#tabs.current, action, (tab) => this.#do(action, tab));
    await this.#tabs.arrived();
    if (this.#tabs.isEmpty) await this.#tabs.open();
    const late = await settle(this.#tabs.current, { hasActed: !LOOKS.includes(action.do) });
    if (late !== null) this.#tabs.tell(late);
    return await unlessLost(this.#tabs.current, { do: "read" }, () => this.#show(given, picture));
  }

  async #show(given: Given, picture: boolean): Promise<BrowserAnswer> {
    const files = await this.#downloads.take({ isExpected: takeFlag(this.#tabs.current) });
    const page = await this.#read(this.#tabs.current);
    const happened = this.#tabs.takeHappened();
    const shown = picture ? { picture: await takePicture(this.#tabs.current, this.#numbers, page) } : {};
    return { page, happened, ...given, ...shown, ...files.length > 0 && { files } };
  }

  async #do(action: BrowserAction, tab: Tab): Promise<Given> {
    const { page } = tab;
    const at = { page, numbers: this.#numbers };
    switch (action.do) {
      case "read":
        return {};
      case "open":
        return await page.goto(action.url, { waitUntil: "load", timeout: OPEN_MS }).then(
          nothing,
          (error) => failed(action.url, tab, error),
        );
      case "back":
        return await within(
          page.goBack({ waitUntil: "domcontentloaded", timeout: OPEN_MS }).then(nothing),
          OPEN_MS,
        );
      case "reload":
        return await page.reload({ waitUntil: "load", timeout: OPEN_MS }).then(
          nothing,
          (error) => failed(page.url(), tab, error),
        );
      case "click":
        if (await clickElement(action.element, at)) tab.gotNoPage = true;
        return {};
      case "point":
        return await clickPoint(action.at, page).then(nothing);
      case "drag":
        return await drag(action, at).then(nothing);
      case "type":
        return await typeInto(action.element, action.text, at).then(nothing);
      case "press":
        return await pressKeys(action.keys, page).then(() => pause(KEYS_MS)).then(nothing);
      case "scroll": {
        const way = action.to === "down" ? 1 : -1;
        return { scrolled: await inFrame(page.mainFrame(), "scroll", way, action.pixels ?? null) };
      }
      case "find":
        return await this.#find(action.text, tab);
      case "options":
        return { options: await listOptions(action.element, at) };
      case "choose":
        return { chosen: await chooseOption(action.element, action.text, at) };
      case "give":
        return await giveFiles(action.element, action.files, at).then(nothing);
      case "wait":
        return await pause(action.ms).then(nothing);
      case "tab":
        return await this.#tabs.select(action.tab).then(nothing);
      case "close": {
        const closed = this.#tabs.find(action.tab ?? tab.id);
        await endIfHung(closed, { onlyKnown: true });
        return await closed.page.close({ runBeforeUnload: false }).then(nothing);
      }
      case "html":
        if (tab.isPdf) {
          return { document: { type: PDF, base64: await within(readShownDocument(page), OPEN_MS) } };
        }
        return { html: (await within(page.content(), OPEN_MS)).slice(0, MOST_HTML) };
    }
  }

  async #find(text: string, { page }: Tab): Promise<Given> {
    for (const frame of page.frames()) {
      const isThere = await within(inFrame(frame, "find", text), OPEN_MS).catch((error) => {
        if (frame === page.mainFrame() && !isGoneError(error)) throw error;
        return false;
      });
      if (isThere) return {};
    }
    throw new ToolError("not_found", `The page has no text ${JSON.stringify(text)}`);
  }

  /** A page may go on to another one while it is read. */
  async #read(tab: Tab): Promise<PageView> {
    for (let tries = READ_TRIES;; tries -= 1) {
      try {
        const { page } = tab;
        const read = await this.#numbers.read(page);
        const [tabs, title] = await Promise.all([this.#tabs.list(), page.title()]);
        return { url: page.url(), title, tabs, ...read, ...tab.isPdf && { isPdf: true } };
      } catch (error) {
        if (tries === 0 || !isGoneError(error) || tab.page.isClosed()) throw readFailure(error);
        await settle(tab);
      }
    }
  }
}

/**
 * A page whose process has ended, or that hangs, answers nothing. Loading starts another process, also if it ends in the middle of
 * that: a spare one may end with it.
 * Throws `external_failure`, or `timeout` if it hangs.
 */
async function unlessLost<T>(tab: Tab, action: BrowserAction, work: (tab: Tab) => Promise<T>): Promise<T> {
  if (action.do === "tab" || action.do === "close") return await work(tab);
  for (let tries = loads(action) ? LOAD_TRIES : 1;; tries--) {
    if (loads(action) && tab.hasCrashed) [tab.hasCrashed, tab.crash] = [false, Promise.withResolvers()];
    const crashed = tab.crash.promise.then(() => CRASHED);
    const working = tab.hasCrashed ? crashed : work(tab);
    // What is waited for may be the end of what keeps it busy.
    const done = await Promise.race([
      action.do === "wait" ? working : answered<unknown>(tab, working),
      crashed,
    ]);
    if (done !== CRASHED) return done as T;
    if (tries === 1) {
      throw new ToolError("external_failure", "The page has crashed: load it again, or open another one");
    }
  }
}

/** Rejects once the page hangs in which something is done. */
async function answered<T>(tab: Tab, working: Promise<T>): Promise<T> {
  let isOver = false;
  const hung = whenHung(tab, () => isOver).then((error) => {
    if (error !== null) throw error;
    return working;
  });
  hung.catch(() => {});
  try {
    return await Promise.race([working, hung]);
  } finally {
    isOver = true;
    working.catch(() => {});
  }
}

function loads(action: BrowserAction): boolean {
  return action.do === "open" || action.do === "reload";
}

function opensTab(action: BrowserAction): boolean {
  return action.do === "open" && action.newTab === true;
}

const LOAD_TRIES = 4;

/** Stands for a page's process that ended. */
const CRASHED = Symbol("crashed");

/** A load that gave no page is looked at once. */
function takeFlag(tab: Tab): boolean {
  const { gotNoPage } = tab;
  if (!tab.loading) tab.gotNoPage = false;
  return gotNoPage && !tab.loading;
}

const nothing = (): Given => ({});

/** A page that is slow is read as it is; one that cannot be loaded, or of which nothing came, is an error. */
async function failed(url: string, tab: Tab, error: unknown): Promise<Given> {
  const message = error instanceof Error ? error.message : String(error);
  if (/timeout/i.test(message)) {
    tab.loading = false;
    if (!await stopIfUnanswered(tab)) return {};
    throw new ToolError("timeout", `${url} has not answered within ${OPEN_MS / 1000} seconds`, {
      details: { url },
      cause: error,
    });
  }
  if (/ERR_ABORTED/.test(message)) return {};
  const [code = message] = /net::ERR_\w+/.exec(message) ?? [];
  throw new ToolError("external_failure", `Cannot load ${url}: ${code}`, {
    details: { url, code },
    cause: error,
  });
}

function readFailure(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ToolError("external_failure", `The page cannot be read: ${message}`, { cause: error });
}
