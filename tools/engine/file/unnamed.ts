import type { ToolContext } from "../../../schemas/context.ts";

/** What stands in a name for bytes that are not UTF-8. */
const REPLACEMENT = "\ufffd";

/**
 * Says whether an entry of a folder has a name that is not UTF-8. What is listed then is not its name, and no path leads
 * to it. Needs `read`.
 */
export function isUnnamed(name: string, path: string): boolean {
  if (!name.includes(REPLACEMENT)) return false;
  try {
    Deno.lstatSync(path);
    return false;
  } catch (error) {
    return error instanceof Deno.errors.NotFound;
  }
}

/** Says how many entries are missing in a result because they cannot be named. */
export function warnAboutUnnamed(count: number, context: Pick<ToolContext, "warn">): void {
  if (count === 0) return;
  context.warn(
    `Left out ${
      count === 1 ? "1 entry whose name is" : `${count} entries whose names are`
    } not UTF-8, with all below; ` +
      "rename them to see them",
  );
}
