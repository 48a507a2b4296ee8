import { relative } from "@std/path";

import type { UndoPlan, UndoStep } from "./plan_undo.ts";

/** A step as it is shown, and as JSON has it. */
export interface ShownStep {
  /** Relative to the workspace if it lies there. */
  path: string;
  action: UndoStep["action"];
  /** Why it is left as it is; `null` if it is done. */
  refused: string | null;
}

/** A plan as it is shown. */
export interface ShownPlan {
  done: ShownStep[];
  refused: ShownStep[];
  all: ShownStep[];
}

/** Returns a plan as it is shown. */
export function shownPlan({ done, refused }: UndoPlan, workspace: string): ShownPlan {
  const shown = (steps: readonly UndoStep[]) =>
    steps.map(({ path, action, refused }): ShownStep => ({
      path: pathNear(workspace, path),
      action,
      refused,
    }));
  return { done: shown(done), refused: shown(refused), all: shown([...done, ...refused]) };
}

/** Returns a path as people know it: relative to the workspace if it lies there. */
export function pathNear(workspace: string, path: string): string {
  const near = relative(workspace, path);
  return near.startsWith("../") ? path : near;
}
