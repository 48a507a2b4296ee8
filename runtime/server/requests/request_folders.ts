import { join } from "@std/path";

import type { TraceRequest } from "../openai/begin_run.ts";
import type { Runs } from "../runs/runs.ts";

/** Where the folders of requests are made, and what they tell of. */
export interface RequestFolderOptions {
  /** Absolute path of a folder that is there. */
  folder: string;
  runs: Pick<Runs, "settled">;
  now(): Date;
  /** Called when a row cannot be written. */
  warn(message: string): void;
}

/**
 * Makes the folder of a request as ResearchHarness does: `run_DATE_TIME_8HEX/` with `agent_trace/api_trace.jsonl`, and
 * `agent_workspace/` unless the request names a workspace. Needs `write` of the folder.
 */
export function requestFolders({ folder, runs, now, warn }: RequestFolderOptions): TraceRequest {
  return ({ model, meant, workspace: given }) => {
    const place = join(folder, `run_${stamp(now())}_${crypto.randomUUID().slice(0, 8)}`);
    const asked = given ?? null;
    const workspace = asked ?? join(place, "agent_workspace");
    Deno.mkdirSync(join(place, "agent_trace"), { recursive: true, mode: 0o700 });
    if (asked === null) Deno.mkdirSync(workspace, { mode: 0o700 });
    const tell = (event: string, payload: unknown) => {
      const row = { timestamp: now().getTime() / 1000, event, payload };
      const line = JSON.stringify(row) + "\n";
      Deno.writeTextFileSync(join(place, "agent_trace", "api_trace.jsonl"), line, {
        append: true,
        mode: 0o600,
      });
    };
    tell("workspace_selection", {
      requested: asked,
      workspace_root: workspace,
      reason: asked === null ? "not_provided" : "request_workspace_root_exists",
    });
    tell("model_selection", { requested: model, ...meant });
    return {
      ...asked === null && { workspace },
      begun(id) {
        runs.settled(id, ["question"]).then((detail) =>
          tell("agent_result", {
            run_id: id,
            result_text: detail.answer,
            termination: detail.termination_reason,
            error: detail.error,
            usage: detail.usage,
          })
        ).catch((error) => warn(`Cannot write the end of run ${id} to ${place}: ${error.message}`));
      },
    };
  };
}

/** `YYYYMMDD_HHMMSS` in universal time. */
function stamp(now: Date): string {
  return now.toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "_");
}
