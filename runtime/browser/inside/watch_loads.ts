import type { Page } from "puppeteer-core";

import type { Tab } from "./tab.ts";

/** How soon a page begins to load that was asked for, in milliseconds. */
const EXPECTED_MS = 3_000;
/** Answers that have no page, by themselves. */
const NO_PAGE: readonly number[] = [204, 205];
/** World of a page's scripts for {@linkcode STAY_INSIDE}. */
const WORLD = "inside";
/** Schemes of pages and downloads; other addresses are for programs outside of the browser. */
const PAGES = /^(?:https?|data|blob|about|filesystem|javascript):/i;
/**
 * Runs in each page before its scripts. Nobody answers the browser's own question about a program outside of it, which holds
 * back every click after it.
 */
const STAY_INSIDE = `navigation.addEventListener("navigate", (event) => {
  if (event.cancelable && !${PAGES}.test(event.destination.url)) event.preventDefault();
});`;
const MOST_CHARS = 200;
const PDF = "application/pdf";

/**
 * Follows where the page of a tab is on its way to, by what the browser tells.
 *
 * @param tell Adds a sentence to the next answer
 */
export async function watchLoads(tab: Tab, tell: (sentence: string) => void): Promise<void> {
  const { session, page } = tab;
  const isMain = ({ frameId }: { frameId?: string }) => frameId === mainFrameOf(page);
  session.on("Page.frameStartedLoading", (event) => {
    if (isMain(event)) [tab.loading, tab.gotNoPage, tab.expectedUntil, tab.asked] = [true, false, 0, null];
  });
  session.on("Page.frameRequestedNavigation", (event) => {
    // It is told before the action has ended that wants it; of what never begins, nothing more is heard.
    if (isMain(event) && event.disposition === "currentTab") {
      tab.expectedUntil = performance.now() + EXPECTED_MS;
    }
  });
  session.on("Page.frameScheduledNavigation", ({ url }) => {
    if (PAGES.test(url)) return;
    tell(`Nothing was opened for ${url.slice(0, MOST_CHARS)}: it is for a program outside of the browser`);
  });
  session.on("Page.navigatedWithinDocument", (event) => void (isMain(event) && (tab.expectedUntil = 0)));
  session.on("Page.frameNavigated", ({ frame }) => {
    if (frame.parentId !== undefined) return;
    [tab.gotNoPage, tab.isPdf, tab.asked] = [false, tab.asked?.isPdf === true, null];
  });
  session.on("Page.frameStoppedLoading", (event) => void (isMain(event) && (tab.loading = false)));
  session.on("Network.requestWillBeSent", (event) => {
    if (event.type !== "Document" || !isMain(event)) return;
    tab.asked = { id: event.requestId, url: event.request.url, status: null, isPdf: false };
  });
  session.on("Network.responseReceived", ({ requestId, response }) => {
    if (tab.asked?.id !== requestId) return;
    [tab.asked.status, tab.asked.isPdf] = [response.status, response.mimeType === PDF];
  });
  session.on("Network.loadingFailed", ({ requestId, canceled }) => {
    const { asked } = tab;
    if (asked?.id !== requestId) return;
    tab.asked = null;
    const { status, url } = asked;
    if (canceled !== true || status === null) return;
    if (NO_PAGE.includes(status)) {
      tell(`${url.slice(0, MOST_CHARS)} has no page to show (status ${status}): the page stays as it was`);
    } else tab.gotNoPage = true;
  });
  await Promise.all([
    session.send("Page.enable"),
    session.send("Network.enable", { maxTotalBufferSize: 0 }),
    session.send("Page.addScriptToEvaluateOnNewDocument", { source: STAY_INSIDE, worldName: WORLD }),
  ]);
}

/** Ids of frames are public in the protocol, and not in the library. */
function mainFrameOf(page: Page): string {
  return (page.mainFrame() as unknown as { _id: string })._id;
}
