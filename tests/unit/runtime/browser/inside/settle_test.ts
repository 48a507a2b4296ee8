import { assertEquals } from "@std/assert";

import { settle } from "../../../../../runtime/browser/inside/settle.ts";
import type { Tab } from "../../../../../runtime/browser/inside/tabs.ts";

/** A tab whose page answers when it is told to. */
function slowTab() {
  const answer = Promise.withResolvers<unknown>();
  const asked = Promise.withResolvers<void>();
  const frame = { isolatedRealm: () => ({ hasContext: () => false }), detached: true };
  const tab = {
    page: { isClosed: () => false, mainFrame: () => frame },
    session: {
      send: () => {
        asked.resolve();
        return answer.promise;
      },
    },
    loading: false,
    expectedUntil: 0,
    hasCrashed: false,
    crash: Promise.withResolvers<void>(),
  };
  return { tab: tab as unknown as Tab, asked: asked.promise, answer };
}

Deno.test("a page that an action wants is waited for, also where that is told late", async () => {
  const { tab, asked, answer } = slowTab();
  let looks = 0;
  const settling = settle(tab);
  await asked;
  Object.defineProperty(tab, "loading", { get: () => ++looks < 3 });
  answer.resolve({});
  await settling;
  assertEquals(looks, 3);
});

Deno.test("a page that hangs, crashes or was only looked at keeps nobody", async () => {
  await settle(slowTab().tab);
  const { tab, asked } = slowTab();
  const settling = settle(tab);
  await asked;
  tab.hasCrashed = true;
  tab.crash.resolve();
  await settling;
  const looked = slowTab();
  let isAsked = false;
  void looked.asked.then(() => isAsked = true);
  await settle(looked.tab, { hasActed: false });
  assertEquals(isAsked, false);
});
