import { join } from "@std/path";

import type { CatalogEntry } from "../../runtime/calls/catalog/catalog.ts";
import { RememberedConsents } from "../../runtime/calls/consent.ts";
import type { CallControl } from "../../runtime/calls/control.ts";
import { CallLine } from "../../runtime/calls/call_line.ts";
import type { Machine } from "../../runtime/calls/machine.ts";
import { makeRoomCarrier } from "../../runtime/calls/room_carrier.ts";
import { makeAnswers } from "../../runtime/calls/answers/make_answers.ts";
import { RoomPool } from "../../runtime/rooms/room_pool.ts";
import type { OpenLink } from "../../runtime/rooms/room.ts";
import { makeArtifactFolder } from "../../runtime/state/artifact_folder.ts";
import { memorySession } from "../../runtime/state/tool_state.ts";
import { type GrantFlags, makeGrants } from "../../runtime/walls/grants/make_grants.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import { noGate } from "./net/no_gate.ts";
import { noBrowser, noDesktop, noProgramHost } from "./no_programs.ts";

/** Lets every call through, as far as its tool's own permission does. */
export const OPEN_CONTROL: CallControl = {
  runId: "run-1",
  role: null,
  configure: (tool) => tool,
  permissions: (tool) => [tool.permission],
  confirm: null,
  consents: new RememberedConsents(),
  ask: null,
  hooks: [],
  audit: null,
  redact: (text) => text,
};

/** Makes a machine for a workspace. Its rooms must be closed. */
export function testMachine(
  workspace: string,
  openLink: OpenLink,
  { flags = {}, control = {}, maxIdle = 2 }: {
    flags?: GrantFlags;
    control?: Partial<CallControl>;
    maxIdle?: number;
  } = {},
) {
  const machine: Machine = {
    grants: makeGrants(flags, { workspace, cwd: workspace, realPath: Deno.realPathSync }),
    home: "",
    artifacts: makeArtifactFolder(() => join(workspace, "artifacts")),
    control: { ...OPEN_CONTROL, consents: new RememberedConsents(), ...control },
    line: new CallLine(3),
  };
  const rooms = new RoomPool({ openLink, maxIdle });
  const state = memorySession();
  const answers = makeAnswers({
    ...{ rooms, programs: noProgramHost, state, control: machine.control },
    ...{
      browser: noBrowser,
      desktop: noDesktop,
      model: null,
      changes: { keep: null, write: [] },
      ignores: { find: () => Promise.resolve({ user: "", above: [] }), read: [workspace] },
      serveApart: () => Promise.resolve(null),
    },
  });
  const carrier = makeRoomCarrier({ ...machine, rooms, answers, settings: {}, gate: noGate });
  return { machine, carrier, rooms, entryOf: (tool: ManifestEntry): CatalogEntry => ({ tool, carrier }) };
}
