import type { Page } from "puppeteer-core";

import { ToolError } from "../../../../schemas/error.ts";

/** Most bytes of a document. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Returns the bytes of a document that the browser shows by itself, as base64. It is asked for once more, by its page: with the same
 * cookies, through the same walls.
 *
 * @throws {ToolError} `external_failure` if it does not come again; `limit_exceeded`
 */
export async function readShownDocument(page: Page): Promise<string> {
  const read = await page.mainFrame().isolatedRealm().evaluate(READ_PAGE) as Read;
  if (typeof read === "string") return read;
  if ("bytes" in read) {
    throw new ToolError(
      "limit_exceeded",
      `The document has ${read.bytes} bytes: at most ${MOST_BYTES} are read`,
    );
  }
  throw new ToolError("external_failure", `The document cannot be read again: ${read.why}`, {
    details: { url: page.url() },
  });
}

type Read = string | { why: string } | { bytes: number };

/** Runs in the page. */
const READ_PAGE = `(async (most) => {
  try {
    const answer = await fetch(location.href, { cache: "force-cache", credentials: "include" });
    if (!answer.ok) return { why: "the server answers " + answer.status };
    const blob = await answer.blob();
    if (blob.size > most) return { bytes: blob.size };
    return await new Promise((resolve, reject) => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
      reader.onerror = () => reject(reader.error);
      reader.readAsDataURL(blob);
    });
  } catch (error) {
    return { why: String(error.message ?? error) };
  }
})(${MOST_BYTES})` as unknown as () => Promise<Read>;
