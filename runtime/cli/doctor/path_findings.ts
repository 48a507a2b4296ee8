import { isAbsolute } from "@std/path";

import type { Host } from "../../host/open_host.ts";
import { wallsOf } from "../../programs/box/box_of.ts";
import { foldersToShow } from "../../programs/box/folders_to_show.ts";
import { programFiles, viewOf } from "../../programs/box/program_view.ts";
import { realDisk } from "../../walls/box/disk_view.ts";
import { namesIn, realOrNull } from "../../walls/files/file_facts.ts";
import { flagWord, showFlags } from "../../walls/grants/flag_word.ts";
import type { DoctorFinding } from "./finding.ts";

/** Says which toolchains of the home programs in the sandbox see, and which folders of `PATH` they do not see. */
export async function pathFindings(
  { grants, home, toolchains, box }: Pick<Host, "grants" | "home" | "toolchains" | "box">,
  searchPath: string,
): Promise<DoctorFinding[]> {
  const found = await toolchains();
  const { profile } = await wallsOf(box);
  const view = viewOf(programFiles(grants, home), {
    cwd: grants.workspace,
    folders: grants.sandboxShow,
    looked: found,
    disk: realDisk,
    ...profile && { system: profile.system.folders },
  });
  const isHidden = (folder: string) => {
    const real = realOrNull(folder);
    return real !== null && !view.shows(real) && !found.path.includes(real) && namesIn(real).length > 0;
  };
  const hidden = [...new Set(searchPath.split(":"))].filter((folder) =>
    isAbsolute(folder) && isHidden(folder)
  );
  const shown = found.found.map(({ name, folder }) => `${name} (${folder})`);
  const refused = found.refused.map(({ folder, why }) => `${folder} is not shown: ${why}`);
  const { shows } = view;
  const missing = hidden.flatMap((folder) => foldersToShow(`${folder}/x`, { home, shows }));
  const flag = showFlags([flagWord("--sandbox-show", [...new Set(missing)])]);
  return [
    {
      check: "toolchains",
      state: refused.length > 0 ? "warn" : "ok",
      detail: [shown.join(", ") || "none of the home is shown", ...refused].join("; "),
    },
    hidden.length === 0
      ? { check: "path", state: "ok", detail: "programs in the sandbox see every folder of PATH" }
      : {
        check: "path",
        state: "warn",
        detail: `programs in the sandbox do not see ${hidden.join(", ")}: pass ${flag} to show them`,
      },
  ];
}
