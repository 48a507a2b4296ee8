import { makeJudge } from "../../runtime/programs/launch/judge_command.ts";
import { analyseCommand } from "../../runtime/programs/shell/analyse_command.ts";
import { chooseBox } from "../../runtime/walls/box/choose_box.ts";
import { join } from "@std/path";

import { makeArtifactFolder } from "../../runtime/state/artifact_folder.ts";
import { commandPolicy } from "../../runtime/walls/grants/policies.ts";
import type { ProgramHost } from "../../runtime/programs/process/program_host.ts";
import type { Launcher } from "../../runtime/programs/launch/launch.ts";
import { makeApartLauncher } from "../../runtime/programs/apart/apart_launcher.ts";
import { makeApartFolder } from "../../runtime/state/apart_folder.ts";
import { makeLauncher } from "../../runtime/programs/launch/launcher.ts";
import { makeProgramHost } from "../../runtime/programs/process/make_program_host.ts";
import { PROGRAM_LIMITS } from "../../schemas/config.ts";
import type { Grants } from "../../schemas/grants.ts";

/** Makes the host of a test's programs: they may read and write the workspace, in the box where there is one. */
export function testProgramHost(root: string): ProgramHost {
  const searchPath = Deno.env.get("PATH") ?? "";
  const artifacts = makeArtifactFolder(() => join(root, ".artifacts"));
  const grants = coderGrants(root);
  const parts = {
    grants,
    home: "",
    box: chooseBox({ mode: "auto", searchPath }),
    searchPath,
    env: {},
    limits: PROGRAM_LIMITS,
  };
  const usual = makeLauncher({ ...parts, asideFolder: () => artifacts.folder("aside") });
  const { open: folder } = makeApartFolder(() => join(root, ".apart"), { keeps: true });
  const apart = makeApartLauncher({ ...parts, folder });
  const launcher: Launcher = {
    prepare: (spec, options) => (spec.apart ? apart : usual).prepare(spec, options),
  };
  const judge = makeJudge(grants, analyseCommand);
  return makeProgramHost({ launcher, judge, limits: PROGRAM_LIMITS, searchPath, keepFile: artifacts.open });
}

function coderGrants(root: string): Grants {
  return {
    policy: "coder",
    commands: commandPolicy("coder"),
    workspace: root,
    allow: { read: [root], write: [root], net: [], run: true },
    frozen: [],
    own: [],
    makes: [],
    deny: { read: [], write: [], net: [], run: [] },
    secrets: [],
    privateNet: [],
    netNamed: [],
    writeNamed: [],
    shareNet: false,
    sandboxShow: [],
    aliases: [],
  };
}
