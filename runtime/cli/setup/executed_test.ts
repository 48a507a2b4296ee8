import { join } from "@std/path";

import { makeExecutedLookup } from "../../programs/git/executed_lookup.ts";
import type { Overlay } from "../../state/overlay/overlay_store.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { isProtected } from "../../walls/grants/protected_paths.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import type { Io } from "../io/io.ts";

/**
 * Returns what says whether the user's own tools would execute a file of an overlay's workspace: by its name, or because
 * git resolves to it, as the workspace is now or as it would be with all changes of the overlay. Needs `read`.
 */
export async function executedTest({ workspace, tree }: Overlay, io: Io): Promise<(path: string) => boolean> {
  const home = io.env("HOME") ?? "";
  const lookIn = async (folder: string) => {
    const options = {
      workspace: folder,
      write: [folder],
      home: realOrNull(home) ?? home,
      env: io.variables(),
    };
    return (await makeExecutedLookup(options)()).executed ?? [];
  };
  const inTree = (await lookIn(tree)).filter((path) => isInside(tree, path));
  const executed = [
    ...await lookIn(workspace),
    ...inTree.map((path) => join(workspace, path.slice(tree.length))),
  ];
  return (path) => isProtected(path) || executed.some((at) => isInside(at, path));
}
