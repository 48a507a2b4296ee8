import { scriptFiles } from "../../sources/script/script_files.ts";
import type { SourceSettings } from "../../sources/source.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { isInside } from "../../walls/grants/inside.ts";

/** Tools that a run may change would be other ones the next time. A folder that holds the workspace is left as it is. */
export function frozenFiles(
  { files = [], scripts = [], mcp = [], project = [] }: SourceSettings,
  { workspace, home }: { workspace: string | null; home: string },
): string[] {
  const named = mcp.flatMap((place) => "file" in place ? [place.file] : []);
  const ofScripts = scripts.map((script) => scriptFiles(script, home));
  const paths = [
    ...files.map(({ path }) => path),
    ...named,
    ...project.flatMap(({ toolFiles }) => toolFiles),
    ...ofScripts.flatMap(({ path, files }) => [path, ...files]),
  ];
  return paths.flatMap((path) => {
    const real = realOrNull(path);
    return real === null || (workspace !== null && isInside(real, workspace)) ? [] : [real];
  });
}
