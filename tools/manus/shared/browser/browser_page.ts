import type { BrowserAction, BrowserAnswer } from "../../../../schemas/browser/browser.ts";
import type { ToolContext } from "../../../../schemas/context.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { changeText, linesOf, pageText } from "../../../engine/browser/page_text.ts";

/** Key of the session's state: the page as the model saw it last. */
const SEEN = "browser_page";
/** After these the page is shown whole. */
const SHOWS_ALL: readonly BrowserAction["do"][] = ["open", "tab", "back", "reload", "wait", "close"];

/**
 * Shows the model the page after an action: attaches its picture, and returns its text, or what of it has changed since the
 * model saw it last.
 */
export async function showPage(
  { page, picture }: BrowserAnswer,
  context: ToolContext,
  { after }: { after: BrowserAction["do"] },
): Promise<string> {
  if (picture !== undefined) context.attach({ mimeType: "image/png", bytes: fromBase64(picture) });
  const before = await seen(context);
  await context.session.set(SEEN, { url: page.url, lines: linesOf(page) });
  return SHOWS_ALL.includes(after) ? pageText(page) : changeText(page, before);
}

/** What an action was about, for the words of its failure. */
export interface ActedOn {
  action: string;
  index?: number | undefined;
  text?: string | undefined;
}

/** Their numbers or texts are not those of an element. */
const NO_INDEX = ["switch_tab", "close_tab", "select_dropdown_option"];

/** The refusals of the gate and of the arguments have words of their own; other failures have the document's. */
export function inDocumentWords({ action, text, index }: ActedOn, error: unknown): unknown {
  if (!(error instanceof ToolError)) return error;
  const { code, message, retryable, details } = error;
  if (code === "permission_denied" || code === "cancelled" || code === "unavailable") return error;
  const lead = action === "scroll_to_text" && text !== undefined
    ? "Failed to scroll to text"
    : code === "not_found" && index !== undefined && !NO_INDEX.includes(action)
    ? `Element with index ${index} not found`
    : `Browser action '${action}' failed`;
  return new ToolError(code, `${lead}: ${message}`, { retryable, details, cause: error });
}

/** Says whether a field takes files instead of a text. */
export function takesFile(error: unknown): boolean {
  return error instanceof ToolError && error.details.takes === "file";
}

/** Returns the bytes of base64. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
}

async function seen({ session }: ToolContext): Promise<{ url: string; lines: string[] } | null> {
  const kept = await session.get(SEEN) as { url?: unknown; lines?: unknown } | undefined;
  if (typeof kept?.url !== "string" || !Array.isArray(kept.lines)) return null;
  return { url: kept.url, lines: kept.lines.filter((line) => typeof line === "string") };
}
