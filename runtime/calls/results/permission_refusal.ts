import { ToolError } from "../../../schemas/error.ts";
import type { ManifestEntry } from "../../../schemas/manifest.ts";
import { showFlags } from "../../walls/grants/flag_word.ts";
import type { Judgement } from "../../walls/grants/permission.ts";

/**
 * Returns the error for a call that a permission does not let pass, with the next step.
 *
 * @param control The caller's role, and who can be asked; `null` for nobody
 * @param answer `said` is why the person refused, as they said it
 */
export function refusal(
  { full_name: name }: ManifestEntry,
  control: { role: string | null; confirm: unknown },
  { judgement: { verdict, reason, permission }, said = "" }: { judgement: Judgement; said?: string },
): ToolError {
  const details = { rule: "permission", tool: name, verdict, permission, role: control.role };
  const where = `under "tools" in the configuration`;
  if (verdict === "deny") {
    const [role] = typeof permission === "object" && permission && "roles" in permission
      ? permission.roles
      : [];
    const how = role !== undefined
      ? `pass ${showFlags([`--role=${role}`])} if you call in that role`
      : `the user can change it ${where}`;
    return new ToolError("denied_by_policy", `${name} is refused: ${reason}; ${how}`, { details });
  }
  const why = control.confirm === null
    ? `no person can be asked: the user can set "permission": "allow" for it ${where}`
    : said === ""
    ? "the user did not give it"
    : `the user did not give it: ${said}`;
  return new ToolError("denied_by_policy", `${name} needs a person's consent (${reason}), and ${why}`, {
    details,
  });
}
