import { ToolError } from "../../../schemas/error.ts";
import type { Tab } from "./tab.ts";
import { pause, within } from "./page/waiting.ts";

/** A page that answers nothing for so long hangs, in milliseconds. */
const HANGS_MS = 6_000;
/** How often it is asked, in milliseconds. */
const ASK_MS = 250;
/** How long a page may take to answer that is to make room for another one, in milliseconds; and one that was found to hang. */
const LEAVES_MS = 3_000;
const HUNG_LEAVES_MS = 300;
/** How soon a process ends, in milliseconds. */
const ENDS_MS = 2_000;

/** Tabs whose page was found to hang. */
const found = new WeakSet<Tab>();

/** Settles as soon as the page of a tab answers nothing any more: with the error that says so. */
export async function whenHung(tab: Tab, isOver: () => boolean): Promise<ToolError | null> {
  while (!isOver()) {
    await pause(ASK_MS);
    if (!isOver() && !await answers(tab, HANGS_MS)) {
      found.add(tab);
      return new ToolError(
        "timeout",
        `The page ${tab.page.url()} hangs: it has answered nothing for ${HANGS_MS / 1000} seconds. ` +
          "Open an address, or load the page again: its process is ended for that",
      );
    }
  }
  return null;
}

/**
 * Ends the process of a page that hangs: nothing could be loaded into it. Other pages of that process end with it.
 *
 * @param options With `onlyKnown` a page that was not found to hang is not asked
 */
export async function endIfHung(tab: Tab, { onlyKnown = false } = {}): Promise<boolean> {
  const isKnown = found.delete(tab);
  if (onlyKnown && !isKnown) return false;
  if (tab.hasCrashed || await answers(tab, isKnown ? HUNG_LEAVES_MS : LEAVES_MS)) return false;
  // It has no answer.
  void tab.session.send("Page.crash").catch(() => {});
  await within(tab.crash.promise, ENDS_MS).catch(() => {
    // The page that comes next has as long as any other.
  });
  return true;
}

/** Any answer counts, also that there is no page just now. While the next page is awaited, no answer comes. */
async function answers(tab: Tab, ms: number): Promise<boolean> {
  const answer = tab.session.send("Runtime.evaluate", { expression: "0" }).catch(() => {});
  return await within(Promise.race([answer, tab.crash.promise]), ms).then(
    () => true,
    () => tab.hasCrashed || tab.asked !== null,
  );
}
