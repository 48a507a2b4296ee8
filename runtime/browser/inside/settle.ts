import { inFrame } from "./page/page_world.ts";
import { pause, within } from "./page/waiting.ts";
import type { Tab } from "./tab.ts";

/** What a page does a moment after an action shows within this time, in milliseconds. */
const BEGINS_MS = 20;
/** Longest wait for a page, in milliseconds; it is read as it is then. */
const LOADS_MS = 10_000;
const LOOK_MS = 10;
/** Longest wait until a page has done what it was asked for, in milliseconds; one that hangs never has. */
const ANSWERS_MS = 1_000;
/** Longest wait for parts of a page to come to rest that move or fade, in milliseconds. */
const MOVES_MS = 600;
/** Most characters of an address that is told. */
const MOST_CHARS = 200;

/** How soon a page stops to load, in milliseconds. */
const STOPS_MS = 1_000;

/**
 * Waits until the page has loaded that an action began to load, and until what it moves is at rest. Returns what is to be said of
 * a page that did not come, else `null`.
 *
 * @param options Without `hasActed`, nothing was done that could begin to load one
 */
export async function settle(tab: Tab, { hasActed = true } = {}): Promise<string | null> {
  if (hasActed) {
    await answered(tab);
    await pause(BEGINS_MS);
  }
  const ends = performance.now() + LOADS_MS;
  const isOnWay = () => tab.loading || performance.now() < tab.expectedUntil;
  while (isOnWay() && !tab.page.isClosed() && performance.now() < ends) await pause(LOOK_MS);
  const { asked } = tab;
  const isLate = !tab.page.isClosed() && performance.now() >= ends && await stopIfUnanswered(tab);
  if (hasActed) await rest(tab);
  return isLate && asked !== null
    ? `${asked.url.slice(0, MOST_CHARS)} has not answered within ${
      LOADS_MS / 1000
    } seconds: it is waited for no more`
    : null;
}

/** Gives up a page of which nothing came, so that the one before can be used. Returns whether there was such a one. */
export async function stopIfUnanswered({ session, asked }: Tab): Promise<boolean> {
  if (asked === null || asked.status !== null) return false;
  await within(session.send("Page.stopLoading"), STOPS_MS).catch(() => {
    // It hangs, or has gone.
  });
  return true;
}

/** An action may be over before it is told what page it wants; that is told before this answer, on the same way. */
async function answered({ session, crash, hasCrashed }: Tab): Promise<void> {
  if (hasCrashed) return;
  const answer = session.send("Runtime.evaluate", { expression: "0" });
  await within(Promise.race([answer, crash.promise]), ANSWERS_MS).catch(() => {
    // It hangs, or has gone.
  });
}

/** What a page shows while it moves soon is no more where it was, or covers what can be used then. */
async function rest(tab: Tab): Promise<void> {
  const ends = performance.now() + MOVES_MS;
  while (!tab.page.isClosed() && !tab.hasCrashed && performance.now() < ends) {
    const isMoving = await within(inFrame(tab.page.mainFrame(), "isMoving"), MOVES_MS).catch(() => false);
    if (!isMoving) return;
    await pause(LOOK_MS);
  }
}
