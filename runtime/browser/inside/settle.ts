import { pause } from "./waiting.ts";
import type { Tab } from "./tabs.ts";

/** What an action began shows within this time, in milliseconds. */
const BEGINS_MS = 50;
/** Longest wait for a page, in milliseconds; it is read as it is then. */
const LOADS_MS = 10_000;
const LOOK_MS = 20;

/** Waits until the page has loaded that an action began to load. */
export async function settle(tab: Tab, { loadsMs = LOADS_MS }: { loadsMs?: number } = {}): Promise<void> {
  await pause(BEGINS_MS);
  const ends = performance.now() + loadsMs;
  while (tab.loading && !tab.page.isClosed() && performance.now() < ends) await pause(LOOK_MS);
}
