import { ToolError } from "../../../schemas/error.ts";
import type { Grants } from "../../../schemas/grants.ts";
import { isInside } from "../../walls/grants/inside.ts";

/**
 * Refuses what an overlay does not cover: it is a copy of the workspace, and what is written elsewhere would be written for
 * real.
 *
 * @throws {ToolError} `invalid_input` if something outside the workspace may be written
 */
export function checkOverlay({ workspace, allow: { write } }: Pick<Grants, "workspace" | "allow">): void {
  const outside = write === true ? "everything" : write.find((path) => !isInside(workspace, path));
  if (outside === undefined) return;
  const what = write === true ? outside : `"${outside}"`;
  throw new ToolError(
    "invalid_input",
    `Option --overlay copies the workspace alone, and ${what} may be written: leave out -A and what --allow-write or the ` +
      "configuration allow outside of the workspace",
  );
}
