import { dirname } from "@std/path";

import { ToolError } from "../../../../schemas/error.ts";
import { realOrNull } from "../../../walls/files/file_facts.ts";
import { realTarget } from "../../../walls/files/real_target.ts";
import { namedFileError } from "../../../walls/files/system_error.ts";
import { isInside } from "../../../walls/grants/inside.ts";

/** A clone brings links of strangers: what is written for the project stays in it. */
export function requireInside(workspace: string, path: string): void {
  const root = realOrNull(workspace) ?? workspace;
  const real = realTarget(path, { workspace: root, aliases: [] });
  if (real !== null && isInside(root, real)) return;
  const where = real === null ? "in a circle" : `out of the project, to "${real}"`;
  throw new ToolError(
    "permission_denied",
    `Cannot write "${path}": a link leads ${where}; remove the link, or add the entry by hand`,
    { details: { path, workspace: root } },
  );
}

/** Changes a text file as a whole: readers see the old text or the new one. A link stays one. Returns whether it changed. */
export async function changeFile(path: string, edit: (text: string) => string): Promise<boolean> {
  const real = realOrNull(path) ?? path;
  const before = await textOrNull(real, path);
  const after = edit(before ?? "");
  if (after === before) return false;
  const temporary = `${real}.${crypto.randomUUID()}`;
  try {
    await Deno.mkdir(dirname(real), { recursive: true });
    const mode = before === null ? 0o600 : ((await Deno.stat(real)).mode ?? 0o600) & 0o777;
    await Deno.writeTextFile(temporary, after, { createNew: true, mode });
    await Deno.chmod(temporary, mode);
    if (await textOrNull(real, path) !== before) {
      throw new ToolError("conflict", `"${path}" was changed by somebody else meanwhile: try again`);
    }
    await Deno.rename(temporary, real);
    return true;
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error instanceof ToolError ? error : namedFileError(error, "write", path);
  }
}

async function textOrNull(real: string, path: string): Promise<string | null> {
  try {
    return await Deno.readTextFile(real);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw namedFileError(error, "read", path);
  }
}
