/** A tool of a server, by their own names. */
export interface ServerTool {
  server: string;
  tool: string;
}

/** Longest name that all providers of models take, in characters. */
const MAX_NAME = 64;

/**
 * Gives tools of servers the names by which models call them: `mcp_<server>_<tool>`, cleaned, at most 64 characters. No two
 * are the same, in any case of letters: where two would meet, a mark is added that stays the same as long as the names do,
 * but to the one that cleaning does not change, if only one of them is. The order of the tools counts only where marks
 * meet.
 *
 * @returns The names, in the order of the tools
 */
export function publicNames(tools: readonly ServerTool[]): string[] {
  const plain = tools.map(plainName);
  const same = Map.groupBy(plain.keys(), (at) => nameKey(plain[at]!));
  const isPlain = plain.map((name, at) => {
    const meeting = same.get(nameKey(name))!;
    const exact = meeting.filter((one) => isExact(tools[one]!));
    return meeting.length === 1 || (exact.length === 1 && exact[0] === at);
  });
  const taken = new Set(plain.filter((_, at) => isPlain[at]).map(nameKey));
  return tools.map((tool, at) => {
    if (isPlain[at]) return plain[at]!;
    const name = markedName(tool, plain[at]!, taken);
    taken.add(nameKey(name));
    return name;
  });
}

function markedName(tool: ServerTool, plain: string, taken: ReadonlySet<string>): string {
  for (let round = 0;; round++) {
    const mark = `_${markOf(tool, round)}`;
    const name = `${plain.slice(0, MAX_NAME - mark.length)}${mark}`;
    if (!taken.has(nameKey(name))) return name;
  }
}

/**
 * Gives a tool that comes later its name, as {@linkcode publicNames} does. What has a name keeps it.
 *
 * @param taken All names that there are, as {@linkcode nameKey} returns them
 * @returns `null` if another tool has the name already
 */
export function laterName(tool: ServerTool, taken: ReadonlySet<string>): string | null {
  const plain = plainName(tool);
  if (!taken.has(nameKey(plain))) return plain;
  return isExact(tool) ? null : markedName(tool, plain, taken);
}

/** Cleaning changes nothing. */
function isExact(tool: ServerTool): boolean {
  return plainName(tool) === `mcp_${tool.server}_${tool.tool}`;
}

/** Two names are the same if their keys are: models and servers of models mix up cases. */
export function nameKey(name: string): string {
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
