import type { Page } from "puppeteer-core";

import type { PageView } from "../../../schemas/browser/page.ts";
import { type NumberedPage } from "./page/numbered_page.ts";
import { inFrame } from "./page/page_world.ts";
import type { Tab } from "./tab.ts";
import { within } from "./page/waiting.ts";

/** Longest time for a picture, in milliseconds. */
const PICTURE_MS = 10_000;

/** Takes a picture of what is in view, with the numbers of the page as it was read. */
export async function takePicture(
  { page, session }: Pick<Tab, "page" | "session">,
  numbers: NumberedPage,
  { lines }: PageView,
): Promise<string> {
  const frames = new Map<ReturnType<Page["mainFrame"]>, number[]>();
  for (const line of lines) {
    if (!("number" in line)) continue;
    const frame = numbers.frameOf(line.number, page);
    frames.set(frame, [...frames.get(frame) ?? [], line.number]);
  }
  const drawn = Array.from(frames, ([frame, shown]) => inFrame(frame, "label", shown).catch(() => {}));
  await within(Promise.all(drawn), PICTURE_MS);
  try {
    // The library's own way asks the page several times before.
    const shot = session.send("Page.captureScreenshot", { format: "png", optimizeForSpeed: true });
    return (await within(shot, PICTURE_MS)).data;
  } finally {
    await Promise.all(Array.from(frames.keys(), (frame) => inFrame(frame, "label", []).catch(() => {})));
  }
}
