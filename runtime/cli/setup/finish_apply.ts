import { takeBackUnfinished } from "../../state/overlay/apply_overlay.ts";
import { type Io, printError } from "../io/io.ts";

/** Takes back what an interrupted `apply` left half done in a workspace, and says so, before anything else is done there. */
export async function finishApply(
  state: string,
  workspace: string,
  { io, force = false }: { io: Io; force?: boolean },
): Promise<void> {
  const count = await takeBackUnfinished(state, workspace, { force });
  if (count > 0) await printError(io, "bulkhead: took back an apply that was interrupted\n");
}
