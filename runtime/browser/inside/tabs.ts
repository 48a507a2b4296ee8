import type { Browser, Dialog, Page, Target } from "puppeteer-core";

import type { BrowserTab } from "../../../schemas/browser/page.ts";
import { ToolError } from "../../../schemas/error.ts";
import { type OpenPage, pageOpener } from "./open_page.ts";
import { pause, within } from "./page/waiting.ts";
import type { Tab } from "./tab.ts";
import { watchLoads } from "./watch_loads.ts";

/** Most sentences about one action. */
const MOST_HAPPENED = 20;
/** Most characters that a dialog's text, or a title, is told with. */
const MOST_CHARS = 300;
/** Most tabs; what a page opens beyond is closed again. */
const MOST_TABS = 20;

/** Where a page is before it loads. */
const EMPTY = "about:blank";
/** How long a page that another one opened may stay empty, in milliseconds. */
const BEGINS_MS = 1_000;
const LOOK_MS = 20;
/** Longest wait for the title of a page, in milliseconds. */
const TITLE_MS = 1_000;

/** The tabs of a browser, in the order in which they opened, and what happens in them by itself. */
export class Tabs {
  readonly #openPage: OpenPage;
  readonly #tabs: Tab[] = [];
  /** Sentences for the next answer, and how often each was said. */
  readonly #happened = new Map<string, number>();
  /** All pages that are tabs, or are just becoming one. */
  readonly #known = new WeakMap<Page, Promise<Tab>>();
  #current: Tab | null = null;
  #opened = 0;
  /** Pages that are no tabs. */
  readonly #apart = new WeakSet<Page>();
  /** The page that is just being opened from here. */
  #opening: Promise<unknown> = Promise.resolve();
  /** Ids of tabs that the browser has told of, and until when they are waited for. */
  readonly #coming = new Map<string, number>();
  /** Tabs that are just being taken in. */
  #arriving: Promise<void> = Promise.resolve();

  private constructor(openPage: OpenPage) {
    this.#openPage = openPage;
  }

  /** Takes the tabs that are there, and all that open later. Of a browser of the user's, only those that were opened from here. */
  static async of(browser: Browser, { isUsers }: { isUsers: boolean }): Promise<Tabs> {
    const tabs = new Tabs(await pageOpener(browser));
    if (!isUsers) { for (const page of await browser.pages()) await tabs.add(page); }
    // The type of the library's events leaves this one out.
    browser.on("targetdiscovered" as never, (info) => {
      const { type, targetId } = info as { type: string; targetId: string };
      if (type === "page") tabs.#coming.set(targetId, performance.now() + BEGINS_MS);
    });
    browser.on("targetcreated", (target) => {
      if (target.type() !== "page") return;
      if (isUsers && !tabs.#hasOpened(target)) return void tabs.#coming.delete(idOf(target));
      tabs.#arriving = tabs.#arriving.then(() => tabs.#takeIn(target)).catch(() => {
        // It was closed before it could be taken in.
      }).finally(() => tabs.#coming.delete(idOf(target)));
    });
    return tabs;
  }

  /** The tab that actions are for. Throws `conflict` if all are closed. */
  get current(): Tab {
    if (this.#current !== null) return this.#current;
    throw new ToolError("conflict", "All tabs are closed: open an address in a new one");
  }

  get isEmpty(): boolean {
    return this.#tabs.length === 0;
  }

  /** Opens a tab, which becomes the current one. */
  async open(): Promise<Tab> {
    const opening = this.#openPage().then((page) => ({ tab: this.add(page) }));
    this.#opening = opening;
    return await (await opening).tab;
  }

  /** Opens a page that is no tab. */
  async openApart(): Promise<Page> {
    const opening = this.#openPage().then((page) => {
      this.#apart.add(page);
      return page;
    });
    this.#opening = opening;
    return await opening;
  }

  /** Settles once tabs that were opened meanwhile are known. */
  async arrived(): Promise<void> {
    const isComing = () => [...this.#coming.values()].some((ends) => performance.now() < ends);
    while (isComing()) await pause(LOOK_MS);
    this.#coming.clear();
    await this.#arriving;
  }

  #hasOpened(target: Target): boolean {
    const opener = target.opener();
    return opener !== undefined && this.#tabs.some(({ page }) => page.target() === opener);
  }

  async #takeIn(target: Target): Promise<void> {
    const page = await target.page();
    await this.#opening;
    if (page !== null && !this.#apart.has(page) && !this.#known.has(page)) {
      await this.add(page, { isPopup: true });
    }
  }

  /** Takes a page as a tab, once; it becomes the current one. */
  add(page: Page, { isPopup = false }: { isPopup?: boolean } = {}): Promise<Tab> {
    const adding = this.#known.get(page) ?? this.#add(page, isPopup);
    this.#known.set(page, adding);
    return adding;
  }

  async #add(page: Page, isPopup: boolean): Promise<Tab> {
    if (this.#tabs.length >= MOST_TABS) {
      await page.close();
      this.tell(`A tab was closed again: a browser has at most ${MOST_TABS}`);
      return this.current;
    }
    const session = await page.createCDPSession();
    const states = { loading: false, expectedUntil: 0, gotNoPage: false, hasCrashed: false };
    const tab: Tab = {
      ...{ id: this.#opened++, page, session, ...states, asked: null, isPdf: false },
      crash: Promise.withResolvers(),
    };
    this.#tabs.push(tab);
    this.#current = tab;
    page.on("dialog", (dialog) => void this.#answer(dialog));
    page.on("close", () => this.#remove(tab));
    page.on("error", () => {
      [tab.hasCrashed, tab.loading] = [true, false];
      tab.crash.resolve();
    });
    await watchLoads(tab, (sentence) => this.tell(sentence));
    if (isPopup) await begun(tab);
    if (isPopup) this.tell(`The page opened tab ${tab.id}, which is the current one now`);
    return tab;
  }

  /** Returns a tab. Throws `not_found`. */
  find(id: number): Tab {
    const tab = this.#tabs.find((tab) => tab.id === id);
    if (tab !== undefined) return tab;
    const ids = this.#tabs.map(({ id }) => id).join(", ");
    throw new ToolError("not_found", `There is no tab ${id}: there are ${ids === "" ? "none" : ids}`);
  }

  /** Makes another tab the current one. Throws `not_found`. */
  async select(id: number): Promise<void> {
    const tab = this.find(id);
    this.#current = tab;
    await tab.page.bringToFront();
  }

  /** Adds a sentence to the next answer. */
  tell(sentence: string): void {
    const times = this.#happened.get(sentence) ?? 0;
    if (times > 0 || this.#happened.size < MOST_HAPPENED) this.#happened.set(sentence, times + 1);
  }

  /** Returns what happened since this was asked the last time. */
  takeHappened(): string[] {
    const said = [...this.#happened].map(([sentence, times]) =>
      times === 1 ? sentence : `${sentence} (${times} times)`
    );
    this.#happened.clear();
    return said;
  }

  /** Lists the tabs for who looks at them. */
  async list(): Promise<BrowserTab[]> {
    return await Promise.all(this.#tabs.map(async (tab) => ({
      id: tab.id,
      url: tab.page.url(),
      title: tab.hasCrashed ? "(crashed)" : await titleOf(tab),
      current: tab === this.#current,
    })));
  }

  /** A page waits for the answer to a dialog, and nobody else sees it. */
  async #answer(dialog: Dialog): Promise<void> {
    const [kind, text] = [dialog.type(), dialog.message().slice(0, MOST_CHARS)];
    const value = dialog.defaultValue();
    const answer = kind === "prompt" ? `with ${JSON.stringify(value)}` : "with OK";
    if (kind === "beforeunload") this.tell("The page asked whether it may be left; it was left");
    else this.tell(`The page showed a dialog (${kind}): ${JSON.stringify(text)}; it was answered ${answer}`);
    await dialog.accept(kind === "prompt" ? value : undefined).catch(() => {
      // It is gone already.
    });
  }

  #remove(tab: Tab): void {
    const at = this.#tabs.indexOf(tab);
    if (at >= 0) this.#tabs.splice(at, 1);
    if (this.#current === tab) this.#current = this.#tabs.at(-1) ?? null;
  }
}

/** A page that another one opens is empty at first, and begins to load before it can be watched. */
async function begun(tab: Tab): Promise<void> {
  const ends = performance.now() + BEGINS_MS;
  while (tab.page.url() === EMPTY && !tab.page.isClosed() && performance.now() < ends) await pause(LOOK_MS);
  if (tab.page.url() === EMPTY) return;
  const state = await tab.session.send("Runtime.evaluate", { expression: "document.readyState" }).catch(() =>
    null
  );
  tab.loading = state !== null && state.result.value !== "complete";
}

/** A page that hangs has none. */
async function titleOf({ page }: Tab): Promise<string> {
  return (await within(page.title(), TITLE_MS).catch(() => "")).slice(0, MOST_CHARS);
}

function idOf(target: Target): string {
  return (target as unknown as { _targetId: string })._targetId;
}
