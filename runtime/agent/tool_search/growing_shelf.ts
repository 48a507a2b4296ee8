import type { AddedTool, TraceLine } from "../../../schemas/agent/trace.ts";
import { toAgentTools } from "./agent_tools.ts";
import type { AgentTool, ToolShelf } from "../loop/parts.ts";
import type { ModelTools } from "./model_tools.ts";
import { SEARCH_TOOL } from "./search_tool.ts";
import { makeShelf } from "./tool_shelf.ts";

/**
 * Makes the shelf of a run, which takes in before each request what sources have added.
 *
 * @param earlier What earlier runs of the session left
 * @param onAdded Hears of added tools before the model has them; of the search it does not hear
 */
export function growingShelf(
  tools: ModelTools,
  earlier: readonly TraceLine[],
  onAdded: (added: readonly AddedTool[]) => void,
): ToolShelf {
  const shelf = makeShelf(toAgentTools(tools.offered.all), earlier);
  return {
    get all() {
      return shelf.all;
    },
    get open() {
      return shelf.open;
    },
    note: (fullName, input) => shelf.note(fullName, input),
    async grow(signal) {
      const added = toAgentTools(await tools.grow(signal));
      if (added.length === 0) return;
      const told = added.filter(({ full_name }) => full_name !== SEARCH_TOOL.fullName);
      onAdded(told.map(asAdded));
      shelf.add(added);
    },
  };
}

function asAdded({ name, full_name, description, parameters, parallel, read_only }: AgentTool): AddedTool {
  return { name, full_name, description, parameters, parallel, read_only };
}
