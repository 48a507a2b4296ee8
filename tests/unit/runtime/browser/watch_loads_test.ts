import { assertEquals } from "@std/assert";

import type { Tab } from "../../../../runtime/browser/inside/tab.ts";
import { watchLoads } from "../../../../runtime/browser/inside/watch_loads.ts";

const [MAIN, OTHER] = ["main", "other"];
type Heard = [name: string, event: Record<string, unknown>];

const begun = (frameId = MAIN): Heard => ["Page.frameStartedLoading", { frameId }];
const ended: Heard = ["Page.frameStoppedLoading", { frameId: MAIN }];
const wanted: Heard = ["Page.frameRequestedNavigation", { frameId: MAIN, disposition: "currentTab" }];
const within: Heard = ["Page.navigatedWithinDocument", { frameId: MAIN }];
const asked = (url: string): Heard[] => [
  ["Page.frameScheduledNavigation", { frameId: MAIN, url }],
  wanted,
  begun(),
  ["Network.requestWillBeSent", { requestId: "1", frameId: MAIN, type: "Document", request: { url } }],
];
const answered = (status: number, mimeType = "text/html"): Heard => [
  "Network.responseReceived",
  { requestId: "1", response: { status, mimeType } },
];
const left: Heard[] = [["Network.loadingFailed", { requestId: "1", canceled: true }], ended];
const shown: Heard[] = [["Page.frameNavigated", { frame: { id: MAIN } }], ended];
const SHOP = "https://shop.example/";

/** What is known of a tab once the browser has told all of it. */
const WAYS: [name: string, heard: Heard[], known: Partial<Tab> & { told?: string }][] = [
  ["a page", [...asked(SHOP), answered(200), ...shown], {}],
  ["a way within a page", [begun(), within, ended], {}],
  ["a way within a page that was asked for", [wanted, within], {}],
  ["a download", [...asked(SHOP), answered(200, "text/csv"), ...left], { gotNoPage: true }],
  ["an answer without a page", [...asked(SHOP), answered(204), ...left], {
    told: `${SHOP} has no page to show (status 204): the page stays as it was`,
  }],
  ["a program outside", asked("mailto:a@shop.example").slice(0, 1), {
    told: "Nothing was opened for mailto:a@shop.example: it is for a program outside of the browser",
  }],
  ["a page that never comes", [...asked(SHOP)], {
    loading: true,
    asked: { id: "1", url: SHOP, status: null, isPdf: false },
  }],
  ["a page that is given up", [...asked(SHOP), ...left], {}],
  ["a document", [...asked(SHOP), answered(200, "application/pdf"), ...shown], { isPdf: true }],
  ["a page in a page", [begun(OTHER)], {}],
];

Deno.test("what the browser tells says at once whether a page, a download or nothing comes", async () => {
  for (const [name, heard, { told, ...known }] of WAYS) {
    const hears = new Map<string, (event: unknown) => void>();
    const session = {
      on: (event: string, hear: (event: unknown) => void) => void hears.set(event, hear),
      send: () => Promise.resolve(),
    };
    const states = { loading: false, expectedUntil: 0, gotNoPage: false, isPdf: false, asked: null };
    const tab = { ...states, session, page: { mainFrame: () => ({ _id: MAIN }) } };
    const said: string[] = [];
    await watchLoads(tab as unknown as Tab, (sentence) => void said.push(sentence));
    for (const [event, data] of heard) hears.get(event)?.(data);
    const { session: _, page: __, ...now } = tab;
    assertEquals([now, said], [{ ...states, ...known }, told === undefined ? [] : [told]], name);
  }
});
