import type { NewRun } from "../net/shapes.ts";
import { listedValues } from "./words.ts";

/** What a person takes away from a run, as it stands in the fields. */
export interface PermissionFields {
  policy: string;
  denyRead: string;
  denyWrite: string;
  denyNet: string;
  denyRun: string;
  isNetDenied: boolean;
  isRunDenied: boolean;
  /** Full names; `null` for all. */
  tools: readonly string[] | null;
}

/** Nothing is taken away. */
export const ALL_ALLOWED: PermissionFields = {
  ...{ policy: "", denyRead: "", denyWrite: "", denyNet: "", denyRun: "" },
  ...{ isNetDenied: false, isRunDenied: false, tools: null },
};

/** What the fields take away, for the server; `undefined` if that is nothing. */
export function grantsOf(fields: PermissionFields): NewRun["grants"] {
  const { policy, tools, isNetDenied, isRunDenied } = fields;
  const [read, write, net, run] = [fields.denyRead, fields.denyWrite, fields.denyNet, fields.denyRun].map(
    listedValues,
  ) as [string[], string[], string[], string[]];
  const grants: NonNullable<NewRun["grants"]> = {
    ...(policy === "read-only" || policy === "read-only-no-net") && { policy },
    ...tools && { tools: [...tools] },
    ...read.length > 0 && { deny_read: read },
    ...write.length > 0 && { deny_write: write },
    ...(isNetDenied || net.length > 0) && { deny_net: isNetDenied || net },
    ...(isRunDenied || run.length > 0) && { deny_run: isRunDenied || run },
  };
  return Object.keys(grants).length > 0 ? grants : undefined;
}

/** The fields that take this away. */
export function permissionFieldsOf(grants: NewRun["grants"] | null): PermissionFields {
  const { policy = "", tools = null, deny_read, deny_write, deny_net, deny_run } = grants ?? {};
  const text = (given: true | readonly string[] | undefined) => Array.isArray(given) ? given.join(", ") : "";
  return {
    ...{ policy, tools, denyRead: text(deny_read), denyNet: text(deny_net), denyRun: text(deny_run) },
    denyWrite: deny_write === true ? "." : text(deny_write),
    ...{ isNetDenied: deny_net === true, isRunDenied: deny_run === true },
  };
}
