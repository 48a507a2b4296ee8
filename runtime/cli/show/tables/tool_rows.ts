import type { Needs } from "../../../../schemas/access.ts";
import type { ManifestEntry } from "../../../../schemas/manifest.ts";
import type { Permission } from "../../../../schemas/permission.ts";
import type { OfferedTool } from "../../../calls/catalog/choose_tools.ts";
import { missingGrant } from "../../../rooms/missing_grant.ts";
import type { Host } from "../../../host/open_host.ts";
import { firstSentence } from "./first_sentence.ts";
import { renderTable } from "./columns.ts";

/** A tool with what it needs, and whether that is granted. */
export interface ToolRow {
  name: string;
  /** The name under which it is offered, `null` if that is its own. */
  alias: string | null;
  toolset: string;
  description: string;
  needs: Needs;
  parallel: boolean;
  optional: boolean;
  granted: boolean;
  /** The flag, or the box, that is missing; `null` if the tool can run. */
  missing: string | null;
  /** The permissions that its own definition and the configuration give. */
  permissions: readonly Permission[];
}

/** Says what a tool needs, and whether the run grants it. */
export function toolRow(
  { entry: { tool: entry }, name }: OfferedTool,
  { host, boxed }: { host: Host; boxed: boolean },
): ToolRow {
  const { full_name, toolset, description, needs, parallel, optional } = entry;
  const missing = missingGrant(entry, host, boxed);
  return {
    name: full_name,
    alias: name === entry.name ? null : name,
    toolset,
    description,
    needs,
    parallel,
    optional,
    granted: missing === null,
    missing,
    permissions: shownPermissions(entry, host),
  };
}

/** Functions do not come from the command line. */
function shownPermissions(entry: ManifestEntry, { control }: Host): Permission[] {
  const permissions = control.permissions(entry);
  return permissions.filter((permission) => typeof permission !== "function");
}

/** Says in words whether a tool may run. */
export function showGrant({ missing, permissions }: ToolRow): string {
  if (permissions.includes("deny")) return "denied by the configuration";
  if (missing !== null) return `needs ${missing}`;
  const conditions = permissions.flatMap((permission) => {
    if (permission === "allow") return [];
    if (permission === "confirm") return ["asks first"];
    return [
      typeof permission === "object" && "roles" in permission ? "for some roles" : "for some arguments",
    ];
  });
  return ["granted", ...new Set(conditions)].join(", ");
}

/** One line a tool; a terminal shows as much of it as it has columns for. */
export function renderToolRows(rows: readonly ToolRow[], width: number | null): string {
  const cells = rows.map((row) => [
    row.alias === null ? row.name : `${row.name}=${row.alias}`,
    Object.keys(row.needs).join(" ") || "nothing",
    showGrant(row),
    (row.optional ? "(optional) " : "") + firstSentence(row.description),
  ]);
  const narrow = [[3, 22], [2, 14]] as const;
  return renderTable([["TOOL", "NEEDS", "GRANT", "WHAT IT DOES"], ...cells], { width, narrow });
}
