import { pause } from "./waiting.ts";
import type { Tab } from "./tabs.ts";

/** What a page does a moment after an action shows within this time, in milliseconds. */
const BEGINS_MS = 20;
/** Longest wait for a page, in milliseconds; it is read as it is then. */
const LOADS_MS = 10_000;
const LOOK_MS = 10;

/**
 * Waits until the page has loaded that an action began to load.
 *
 * @param options Without `hasActed`, nothing was done that could begin to load one
 */
export async function settle(tab: Tab, { hasActed = true } = {}): Promise<void> {
  if (hasActed) await pause(BEGINS_MS);
  const ends = performance.now() + LOADS_MS;
  const isOnWay = () => tab.loading || performance.now() < tab.expectedUntil;
  while (isOnWay() && !tab.page.isClosed() && performance.now() < ends) await pause(LOOK_MS);
}
