import type { Browser, CDPSession, Page } from "puppeteer-core";

import { ToolError } from "../../../schemas/error.ts";
import { within } from "./page/waiting.ts";

/** How often a page is opened that does not begin. */
const TRIES = 3;
/** Longest time until an empty page is there, in milliseconds. */
const BEGINS_MS = 10_000;

/** Opens an empty page. Throws `external_failure` if none begins. */
export type OpenPage = () => Promise<Page>;

/**
 * Returns what opens the pages of a browser. The process that the browser kept for its next page may have died: the page
 * never begins then, and another one takes its place.
 */
export async function pageOpener(browser: Browser): Promise<OpenPage> {
  const session = await browser.target().createCDPSession();
  await session.send("Target.setDiscoverTargets", { discover: true });
  return async () => {
    for (let tries = TRIES; tries > 0; tries--) {
      const page = await openOnce(browser, session);
      if (page !== null) return page;
    }
    throw new ToolError("external_failure", "No page can be opened: its process ends each time");
  };
}

/** Returns `null` for a page that does not begin; it is closed. Rejects if the browser has ended. */
async function openOnce(browser: Browser, session: CDPSession): Promise<Page | null> {
  const crashed = new Set<string>();
  let onCrash = () => {};
  const hear = ({ targetId }: { targetId: string }) => {
    crashed.add(targetId);
    onCrash();
  };
  // It may be told before the answer that names the page.
  session.on("Target.targetCrashed", hear);
  try {
    const { targetId } = await session.send("Target.createTarget", { url: "about:blank" });
    const crash = new Promise<null>((resolve) => {
      onCrash = () => crashed.has(targetId) && resolve(null);
      onCrash();
    });
    const page = await within(Promise.race([pageOf(browser, targetId), crash]), BEGINS_MS).catch(() => null);
    // It may have ended by itself.
    if (page === null) await session.send("Target.closeTarget", { targetId }).catch(() => {});
    return page;
  } finally {
    session.off("Target.targetCrashed", hear);
  }
}

async function pageOf(browser: Browser, id: string): Promise<Page | null> {
  // Ids of targets are public in the protocol, and not in the library.
  const isIt = (target: unknown) => (target as { _targetId: string })._targetId === id;
  return await (await browser.waitForTarget(isIt, { timeout: BEGINS_MS })).page();
}
