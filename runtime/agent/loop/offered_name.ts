import { plainName } from "../../text/spelled_like.ts";
import type { AgentTool } from "./parts.ts";

/** What models put before the name of a tool, from the form in which servers show tools to them. */
const SPACES = /^(?:functions?|tools?|default_api|api|multi_tool_use)(?:\.|:|\/|__)/i;

/**
 * Finds the tool that a name means: as it was offered, by its full name, or with what servers leave around it (blanks, a
 * prefix such as `functions.` or `default_api:`, the marks of a channel behind it, a number such as `:0`, another case or
 * spelling, such as `WebSearchTool` for `web_search_tool`), or by the name that its server has for it.
 *
 * @returns The name under which exactly one tool was offered, `null` if none or several fit
 */
export function offeredName(said: string, tools: ReadonlyMap<string, AgentTool>): string | null {
  const offered = [...tools.values()];
  const bare = said.replace(/<\|[\s\S]*$/, "").trim().replace(/:\d+$/, "");
  for (const wanted of [said, bare, bare.replace(SPACES, "")]) {
    if (tools.has(wanted)) return wanted;
    for (const same of [isSame, isSameInAnyCase, isSameInOtherSpelling]) {
      const found = offered.filter(({ name, full_name }) => same(name, wanted) || same(full_name, wanted));
      if (found.length === 1) return found[0]!.name;
    }
    // Prompts of other systems name tools of servers as the servers do.
    const owned = offered.filter(({ own_name }) => own_name === wanted);
    if (owned.length === 1) return owned[0]!.name;
  }
  return null;
}

function isSame(a: string, b: string): boolean {
  return a === b;
}

function isSameInAnyCase(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function isSameInOtherSpelling(a: string, b: string): boolean {
  return plainName(b) !== "" && plainName(a) === plainName(b);
}
