import type { ToolContext } from "../../../../schemas/context.ts";
import { ToolError } from "../../../../schemas/error.ts";

/** The name under which sites speak to this program. */
export const ROBOT = "bulkhead";

/** What a site says about crawling. */
export interface RobotRules {
  /** Says whether a page of the site may be crawled. */
  mayCrawl(url: string): boolean;
  /** Seconds that the site wants between two requests; 0 if it does not say. */
  delaySeconds: number;
  /** Why nothing may be crawled although the site does not say so, `null` if it says. */
  failure: string | null;
}

interface Robots {
  isAllowed(url: string, robot: string): boolean | undefined;
  getCrawlDelay(robot: string): number | undefined;
}

/** Longest file that is read: the standard asks for no more. */
const MAX_BYTES = 500 * 1024;
const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 10_000;

const EVERYTHING: RobotRules = { mayCrawl: () => true, delaySeconds: 0, failure: null };

/**
 * Asks a site for its robots.txt, as RFC 9309 says: a site that has none allows everything, one that fails allows nothing.
 *
 * @param origin Such as `https://example.com`
 * @throws {ToolError} `permission_denied` if the site may not be reached
 */
export async function fetchRobotRules(
  origin: string,
  { web, signal }: Pick<ToolContext, "web" | "signal">,
): Promise<RobotRules> {
  const url = `${origin}/robots.txt`;
  let answer;
  try {
    answer = await web.request({
      url,
      maxBytes: MAX_BYTES,
      maxRedirects: MAX_REDIRECTS,
      timeoutMs: TIMEOUT_MS,
    });
  } catch (error) {
    if (!(error instanceof ToolError) || error.code === "permission_denied" || signal.aborted) throw error;
    return nothing(error.message);
  }
  const { status, body } = answer;
  if (status >= 500 || status === 429) return nothing(`it answers HTTP ${status}`);
  if (status < 200 || status >= 300) return EVERYTHING;
  const { default: library } = await import("robots-parser");
  // Its types speak of another form of modules.
  const readRobots = library as unknown as (url: string, text: string) => Robots;
  const robots = readRobots(url, new TextDecoder().decode(body));
  const delay = Number(robots.getCrawlDelay(ROBOT) ?? 0);
  return {
    mayCrawl: (page) => robots.isAllowed(page, ROBOT) ?? true,
    delaySeconds: Number.isFinite(delay) && delay > 0 ? delay : 0,
    failure: null,
  };
}

function nothing(failure: string): RobotRules {
  return { mayCrawl: () => false, delaySeconds: 0, failure };
}
