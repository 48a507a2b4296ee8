import type { WebAnswer } from "../../../../../schemas/context.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { failed } from "../../service/ask_service.ts";
import type { Service } from "../../service/services.ts";
import type { PageElement, Parent } from "../../page/dom/node.ts";
import type { SearchHit } from "../results/search.ts";

/** What a page of results looks like to a browser without scripts. */
export const BROWSER = {
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8",
} as const;

/** How the pages of an engine are told apart. */
export interface PageSigns {
  /** Words or markup of a page that asks whether a person is there. */
  blocked: RegExp;
  /** Words or markup of a page without results. */
  empty: RegExp;
}

/**
 * Judges a page of results by what it holds.
 *
 * @param hits What was found on it
 * @returns The results; an empty list only if the engine itself says that there are none
 * @throws {ToolError} `external_failure` for a page that asks whether a person is there, and for any other page
 */
export function judgeResults(
  service: Service,
  { answer, text, hits, signs }: {
    answer: WebAnswer;
    text: string;
    hits: readonly SearchHit[];
    signs: PageSigns;
  },
): SearchHit[] {
  const { status } = answer;
  if (hits.length > 0 && status === 200) return [...hits];
  if (signs.blocked.test(text) || BLOCKED.has(status)) throw blocked(service, status);
  if (status !== 200) throw failed(service, `it answers HTTP ${status}`, status >= 500);
  if (signs.empty.test(text)) return [];
  throw failed(service, "its page is not the page of results that it was");
}

/** Statuses of engines for those whom they take for robots. */
const BLOCKED: ReadonlySet<number> = new Set([202, 401, 403, 418, 429]);

/** Returns the error for a page that asks whether a person is there. */
export function blocked({ name, label }: Service, status: number): ToolError {
  const reason = `${label} blocked the search: it takes this computer for a robot (HTTP ${status})`;
  return new ToolError("external_failure", reason, { details: { service: name, status, blocked: true } });
}

/** The text of an answer: these engines write UTF-8. */
export function textOf({ body }: WebAnswer): string {
  return new TextDecoder().decode(body);
}

/** The text of an element on one line. */
export function lineOf(element: Parent | null | undefined): string {
  return (element?.textContent ?? "").replace(/\s+/g, " ").trim();
}

/** The elements with one of these names, parted by commas, that have this class. */
export function withClass(root: Parent, names: string, className: string): PageElement[] {
  return root.querySelectorAll(names).filter((element) => hasClass(element, className));
}

/** Says whether an element has a class. */
export function hasClass(element: PageElement, className: string): boolean {
  return element.className.split(/\s+/).includes(className);
}

/** Says whether an element, or one around it, is as asked. */
export function isInside(element: PageElement, test: (element: PageElement) => boolean): boolean {
  for (let at: PageElement | null = element; at !== null; at = at.parentElement) {
    if (test(at)) return true;
  }
  return false;
}

/** Leaves out results that lead where an earlier one leads. */
export function onlyFirst(hits: readonly SearchHit[]): SearchHit[] {
  const seen = new Set<string>();
  return hits.filter(({ url }) => !seen.has(url) && seen.add(url));
}
