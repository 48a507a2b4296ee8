import type { Files } from "../../../schemas/context.ts";
import type { Grants } from "../../../schemas/grants.ts";
import { createGuard } from "../../walls/files/guard.ts";

/** Returns the path guard for what main itself reads for the run: only what the user granted for reading. */
export function runFiles(grants: Grants, home: string): Files {
  const { workspace, allow, deny, secrets, aliases } = grants;
  return createGuard({
    workspace,
    home,
    read: allow.read,
    write: [],
    denyRead: deny.read,
    denyWrite: [],
    secrets,
    writeNamed: [],
    aliases,
  }, "agent");
}
