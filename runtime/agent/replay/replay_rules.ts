import { ToolError } from "../../../schemas/error.ts";
import type { RunEvent } from "../../../schemas/agent/events.ts";
import { explainPermission } from "../../calls/call_tool.ts";
import type { OfferedTools } from "../../calls/catalog/offered_tools.ts";
import { refusalEvent } from "../../calls/results/refusal_event.ts";
import type { Machine } from "../../calls/machine.ts";
import { stripControls } from "../../text/strip_controls.ts";
import type { ReplayCallsOptions } from "./replay_calls.ts";

/**
 * Returns which calls of a replay are run again, and what today's grants say to the others. Permissions and
 * targets are checked as before a real call, but no person is asked, no hook runs, and no tool runs.
 */
export function replayRules(
  { machine, offered, emit }: {
    machine: Machine;
    offered: OfferedTools;
    emit(event: RunEvent): void;
  },
): Pick<ReplayCallsOptions, "runsAgain" | "mayRun"> {
  return {
    // A tool without needs does not depend on chance, time or a person's answer.
    runsAgain({ full_name }) {
      const described = offered.entryOf(full_name)?.tool;
      const kinds = Object.keys(described?.needs ?? {});
      return described?.read_only === true && kinds.length > 0 && kinds.every((kind) => kind === "read");
    },
    async mayRun({ id, tool, arguments: given }, { signal }) {
      const entry = offered.entryOf(tool.full_name);
      const error = entry
        ? await explainPermission(entry, given, machine) ??
          (await entry.carrier.explain(entry.tool, given, { signal })).error
        : new ToolError("not_found", `Tool ${tool.full_name} is not offered in this run`).toInfo();
      if (error === null) return null;
      const event = refusalEvent(id, error);
      if (event !== null) emit(event);
      const content = stripControls(`${entry?.tool.error_lead ?? ""}${error.message}`);
      return { id, tool: tool.full_name, ok: false, content, pictures: [], error, duration_ms: 0 };
    },
  };
}
