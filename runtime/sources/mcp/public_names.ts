/** A tool of a server, by their own names. */
export interface ServerTool {
  server: string;
  tool: string;
}

/** Longest name that all providers of models take, in characters. */
const MAX_NAME = 64;

/**
 * Gives tools of servers the names by which models call them: `mcp_<server>_<tool>`, cleaned, at most 64 characters. No two
 * are the same, in any case of letters: where cleaning loses something or two would meet, a mark is added that stays the
 * same as long as the names do. The order of the tools counts only where marks meet.
 *
 * @returns The names, in the order of the tools
 */
export function publicNames(tools: readonly ServerTool[]): string[] {
  const plain = tools.map(plainName);
  const times = new Map<string, number>();
  for (const name of plain) times.set(key(name), (times.get(key(name)) ?? 0) + 1);
  const isPlain = plain.map((name, at) =>
    times.get(key(name)) === 1 && name === `mcp_${tools[at]!.server}_${tools[at]!.tool}`
  );
  const taken = new Set(plain.filter((_, at) => isPlain[at]).map(key));
  return tools.map((tool, at) => {
    if (isPlain[at]) return plain[at]!;
    for (let round = 0;; round++) {
      const mark = `_${markOf(tool, round)}`;
      const name = `${plain[at]!.slice(0, MAX_NAME - mark.length)}${mark}`;
      if (taken.has(key(name))) continue;
      taken.add(key(name));
      return name;
    }
  });
}

/** Models and servers of models mix up cases. */
function key(name: string): string {
  return name.toLowerCase();
}

function plainName({ server, tool }: ServerTool): string {
  return `mcp_${server}_${tool}`.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, MAX_NAME);
}

/** A short number made of both names (FNV-1a), in letters and digits. */
function markOf({ server, tool }: ServerTool, round: number): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(JSON.stringify([server, tool, round]))) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash.toString(36).padStart(7, "0");
}
