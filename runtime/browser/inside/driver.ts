import { connect } from "puppeteer-core";

import type { BrowserAction, BrowserAnswer } from "../../../schemas/browser/browser.ts";
import type { PageView } from "../../../schemas/browser/page.ts";
import { ToolError } from "../../../schemas/error.ts";
import { Downloads } from "./downloads.ts";
import { NumberedPage } from "./numbered_page.ts";
import { inFrame, isGoneError } from "./page_world.ts";
import { pause, within } from "./waiting.ts";
import { takePicture } from "./picture.ts";
import { settle } from "./settle.ts";
import { type Tab, Tabs } from "./tabs.ts";
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

/** What changes nothing of a page. */
const LOOKS: readonly BrowserAction["do"][] = ["read", "options", "html", "wait"];

/** What an action gives beside the page. */
type Given = Pick<BrowserAnswer, "options" | "html" | "chosen" | "scrolled">;

/** Drives one browser: does what it is asked, and reads the page after it. */
export class Driver {
  readonly #tabs: Tabs;
  readonly #downloads: Downloads;
  readonly #numbers = new NumberedPage();

  private constructor(tabs: Tabs, downloads: Downloads) {
    this.#tabs = tabs;
    this.#downloads = downloads;
  }

  /** Greets a browser, which puts downloads into a folder. Rejects if it does not speak the protocol. */
  static async open(wire: DriverWire, folder: string): Promise<Driver> {
    const browser = await connect({ transport: wire, defaultViewport: null });
    const tabs = await Tabs.of(browser);
    return new Driver(tabs, await Downloads.of(browser, tabs, folder));
  }

  /** Does one action. A page whose process ends while it is shown is loaded once more. Throws `ToolError`. */
  async act(action: BrowserAction, { picture }: { picture: boolean }): Promise<BrowserAnswer> {
    try {
      return await this.#actOnce(action, picture);
    } catch (error) {
      const loads = action.do === "reload" || action.do === "open" && !opensTab(action);
      if (!loads || this.#tabs.isEmpty || !this.#tabs.current.hasCrashed) throw error;
      return await this.#actOnce(action, picture);
    }
  }

  async #actOnce(action: BrowserAction, picture: boolean): Promise<BrowserAnswer> {
    if (this.#tabs.isEmpty || opensTab(action)) await this.#tabs.open();
    const given = await unlessCrashed(this.#tabs.current, action, (tab) => this.#do(action, tab));
    await this.#tabs.arrived();
    if (this.#tabs.isEmpty) await this.#tabs.open();
    await settle(this.#tabs.current, { hasActed: !LOOKS.includes(action.do) });
    return await unlessCrashed(this.#tabs.current, { do: "read" }, () => this.#show(given, picture));
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
          (error) => failed(action.url, error),
        );
      case "back":
        return await within(
          page.goBack({ waitUntil: "domcontentloaded", timeout: OPEN_MS }).then(nothing),
          OPEN_MS,
        );
      case "reload":
        return await page.reload({ waitUntil: "load", timeout: OPEN_MS }).then(
          nothing,
          (error) => failed(page.url(), error),
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
      case "close":
        return await this.#tabs.find(action.tab ?? tab.id).page.close({ runBeforeUnload: false }).then(
          nothing,
        );
      case "html":
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
        return { url: page.url(), title, tabs, ...read };
      } catch (error) {
        if (tries === 0 || !isGoneError(error) || tab.page.isClosed()) throw readFailure(error);
        await settle(tab);
      }
    }
  }
}

/**
 * A page whose process has ended answers nothing. Loading starts another process, also if it ends in the middle of that: a spare
 * one may end with it.
 * Throws `external_failure`.
 */
async function unlessCrashed<T>(tab: Tab, action: BrowserAction, work: (tab: Tab) => Promise<T>): Promise<T> {
  if (action.do === "tab" || action.do === "close") return await work(tab);
  const loads = action.do === "open" || action.do === "reload";
  for (let tries = loads ? LOAD_TRIES : 1;; tries--) {
    if (loads && tab.hasCrashed) [tab.hasCrashed, tab.crash] = [false, Promise.withResolvers()];
    const crashed = tab.crash.promise.then(() => CRASHED);
    const working = tab.hasCrashed ? crashed : work(tab);
    working.catch(() => {});
    const done = await Promise.race([working, crashed]);
    if (done !== CRASHED) return done as T;
    if (tries === 1) {
      throw new ToolError("external_failure", "The page has crashed: load it again, or open another one");
    }
  }
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

/** A page that is slow is read as it is; one that cannot be loaded is an error. */
function failed(url: string, error: unknown): Given {
  const message = error instanceof Error ? error.message : String(error);
  if (/timeout/i.test(message) || /ERR_ABORTED/.test(message)) return {};
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
