import type { ManifestEntry } from "../../../schemas/manifest.ts";
import type { ToldTool } from "../../rooms/protocol.ts";

/** What is known of the user's settings and choices. */
export interface Known {
  /** Variables of the user's environment. */
  settings: Readonly<Record<string, string>>;
  /** The names under which the caller can call tools, by full name. @default every tool by its own name */
  names?: ReadonlyMap<string, string> | undefined;
  /** Name of the model that calls. @default no model calls */
  model?: string | undefined;
  /** Names of the keys that the gate adds. @default none */
  keys?: readonly string[] | undefined;
}

/** Returns what a tool is told: the settings that it declares, and names of tools of its own set. */
export function tellTool(tool: ManifestEntry, { settings, names, model, keys = [] }: Known): ToldTool {
  const declared = tool.settings.flatMap((name) => {
    const value = Object.hasOwn(settings, name) ? settings[name] : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...{ settings: Object.fromEntries(declared), keys },
    ...(names && { names: ownNames(tool, names) }),
    ...(model !== undefined && { model }),
  };
}

function ownNames({ toolset }: ManifestEntry, names: ReadonlyMap<string, string>): Record<string, string> {
  const lead = `${toolset}/`;
  const own: [string, string][] = [];
  names.forEach((name, full) => {
    if (full.startsWith(lead)) own.push([full.slice(lead.length), name]);
  });
  return Object.fromEntries(own);
}
