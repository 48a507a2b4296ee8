/** Tells under which name a tool of the same set is offered; `null` if it is not. */
export type NameOf = (tool: string) => string | null;

/**
 * Puts the names of tools into a sentence: `{A|B}` stands for the names under which those tools are offered. A
 * part in `[…]` that names only tools that are not offered is left out.
 *
 * @returns `null` if the sentence itself names only tools that are not offered
 */
export function fillToolNames(sentence: string, nameOf: NameOf): string | null {
  const whole = sentence.replace(/\[(.*?)\]/g, (_, part: string) => fillToolNames(part, nameOf) ?? "");
  let isAbout = true;
  const filled = whole.replace(/\{(.*?)\}/g, (_, tools: string) => {
    const names = tools.split("|").map(nameOf).filter((name) => name !== null);
    isAbout &&= names.length > 0;
    return listWords(names);
  });
  return isAbout ? filled : null;
}

/** Writes a description and the sentences after it that name other tools, as far as those are offered. */
export function describeTool(start: string, seeAlso: readonly string[], nameOf: NameOf): string {
  const sentences = seeAlso.map((sentence) => fillToolNames(sentence, nameOf));
  return [start, ...sentences.filter((sentence) => sentence !== null)].join(" ");
}

/** Lists words as a sentence does: `a`, `a and b`, `a, b and c`. */
export function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** The toolset of the tools of all MCP servers. */
export const SERVERS_TOOLSET = "mcp";

/** The toolsets of sources. */
const SOURCE_TOOLSETS: readonly string[] = ["own", "script", "here", SERVERS_TOOLSET];

/** Says whether a full name, or a pattern for some, is about tools that are not known before their source is loaded. */
export function isOfSource(fullName: string): boolean {
  return SOURCE_TOOLSETS.includes(fullName.split("/", 1)[0]!);
}
