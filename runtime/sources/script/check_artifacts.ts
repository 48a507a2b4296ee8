import { basename } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import type { FileGrants } from "../../../schemas/grants.ts";
import type { Artifact } from "../../../schemas/result.ts";
import { visibleJson } from "../../text/strip_controls.ts";
import { createGuard } from "../../walls/files/guard.ts";

/** How much of a path is shown, in characters. */
const MAX_SHOWN = 500;

/**
 * Returns the files that a script says it left. Whoever gets the result may read them, so they must be files that the
 * script itself may write.
 *
 * @param paths As the script wrote them; relative ones start at the workspace
 * @throws {ToolError} `permission_denied` for a path outside of that, `output_invalid` if there is no such file
 */
export async function checkArtifacts(
  name: string,
  paths: readonly string[],
  files: FileGrants,
): Promise<Artifact[]> {
  const guard = createGuard(files, "script");
  const artifacts: Artifact[] = [];
  for (const path of paths) {
    const { real, info } = await located(path, { name, guard });
    if (!info?.isFile) {
      const why = info === null ? "there is no such file" : "it is no file";
      throw new ToolError(
        "output_invalid",
        `${name} names ${visibleJson(shown(path))} as an artifact, but ${why}`,
        {
          details: { reason: "artifact", path: shown(path) },
        },
      );
    }
    artifacts.push({ name: basename(real), path: real, bytes: info.size });
  }
  return artifacts;
}

/** What is wrong with a path is the script's fault, not the caller's. */
async function located(
  path: string,
  { name, guard }: { name: string; guard: ReturnType<typeof createGuard> },
) {
  try {
    return await guard.locate(path, "write");
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const isDenied = error.code === "permission_denied";
    throw new ToolError(
      isDenied ? "permission_denied" : "output_invalid",
      `${name} names ${visibleJson(shown(path))} as an artifact, ${
        isDenied
          ? "which it may not write itself; an artifact must be a file of the workspace, with filesystem_write"
          : "which cannot be looked at"
      }`,
      { details: { ...error.details, reason: "artifact", path: shown(path) }, cause: error },
    );
  }
}

/** A path that nobody can open may be as long as the whole answer. */
function shown(path: string): string {
  return path.length > MAX_SHOWN ? `${path.slice(0, MAX_SHOWN)}…` : path;
}
