import { ToolError } from "../../../schemas/error.ts";
import type { ToolDefinition } from "../../../schemas/tool.ts";

/** The tool's module by full name. */
export type ToolLoaders = Readonly<Record<string, () => Promise<{ default: unknown }>>>;

/** Loads a tool by its name, each once: an import takes its time also if the module is there. */
export function loadOnce(loaders: ToolLoaders): (name: string) => Promise<ToolDefinition> {
  const loaded = new Map<string, ToolDefinition>();
  return async (name) => {
    const known = loaded.get(name);
    if (known) return known;
    const load = loaders[name];
    if (!load) throw new ToolError("internal", `No loader for tool "${name}"`);
    const tool = (await load()).default as ToolDefinition;
    loaded.set(name, tool);
    return tool;
  };
}
