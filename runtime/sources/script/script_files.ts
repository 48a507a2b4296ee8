import { dirname, resolve } from "@std/path";

import { isObject } from "../../../schemas/json/shape.ts";
import type { NamedScript } from "../source.ts";

/**
 * Returns the absolute paths of all that belongs to a script, which may not be read yet.
 *
 * @param home The user's home, for `~/`
 */
export function scriptFiles(
  { said, folder }: Pick<NamedScript, "said" | "folder">,
  home: string,
): { path: string; files: string[] } {
  const { path, files } = isObject(said) ? said : {};
  const absolute = (name: string, start: string) =>
    name.startsWith("~/") ? `${home}${name.slice(1)}` : resolve(start, name);
  const script = absolute(typeof path === "string" ? path : "", folder);
  const others = Array.isArray(files) ? files.filter((file) => typeof file === "string") : [];
  return { path: script, files: others.map((file) => absolute(file, dirname(script))) };
}
