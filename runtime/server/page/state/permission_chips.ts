import type { PermissionFields } from "./permission_fields.ts";
import type { Info, RunNow } from "../net/shapes.ts";

/** What a run may touch of one kind, in few words, and the field that takes some of it away; `null` if none does. */
export interface PermissionChip {
  words: string;
  field: keyof PermissionFields | null;
}

type Without = NonNullable<RunNow["grants"]>;
type Granted = Pick<Info, "policy" | "allow" | "deny" | "secrets" | "programs">;

/**
 * Says what a run may touch in a folder.
 *
 * @param without What its request does without
 */
export function permissionChips(info: Granted, folder: string, without: Without = {}): PermissionChip[] {
  const { allow, deny, secrets } = info;
  const policy = without.policy ?? info.policy;
  const isReading = policy.startsWith("read-only");
  const not = (kind: "read" | "write" | "net" | "run") => [
    ...listOf(deny[kind], folder),
    ...listOf(without[`deny_${kind}`], folder),
  ];
  const noNet = policy === "read-only-no-net" || deny.net === true || without.deny_net === true;
  return [
    {
      words: scopeWords("reads", allow.read, { folder, not: not("read"), isNothing: deny.read === true }),
      field: "denyRead",
    },
    {
      words: scopeWords("writes", allow.write, {
        ...{ folder, not: not("write") },
        isNothing: isReading || deny.write === true || without.deny_write === true,
      }),
      field: "denyWrite",
    },
    {
      words: `tools: ${noNet ? "no network" : netWords(allow.net, "public web", not("net"))}`,
      field: "denyNet",
    },
    { words: `programs: ${programWords(info, { noNet, without, not: not("run") })}`, field: "denyRun" },
    {
      words: secrets.length === 0 ? "secrets closed" : `secrets open in ${secrets.map(nameOf).join(", ")}`,
      field: "denyRead",
    },
    ...without.tools === undefined ? [] : [{ words: `only ${without.tools.length} tools`, field: null }],
  ];
}

function scopeWords(
  verb: string,
  scope: unknown,
  { folder, not, isNothing }: { folder: string; not: readonly string[]; isNothing: boolean },
): string {
  const paths = Array.isArray(scope) ? scope as string[] : [];
  if (isNothing || scope !== true && paths.length === 0) return `${verb} nothing`;
  const more = paths.filter((path) => path !== folder && !folder.startsWith(`${path}/`)).map(nameOf);
  const where = scope === true ? "everything" : [nameOf(folder), ...more].join(", ");
  return `${verb} ${where}${exceptWords(not)}`;
}

function netWords(scope: unknown, all: string, not: readonly string[]): string {
  if (scope === true) return `${all}${exceptWords(not)}`;
  const hosts = (Array.isArray(scope) ? scope as string[] : []).map((host) => host === "public" ? all : host);
  return hosts.length === 0 ? "no network" : `${shortList(hosts)}${exceptWords(not)}`;
}

function programWords(
  { programs: { boxed, net }, deny }: Granted,
  { noNet, without, not }: { noNet: boolean; without: Without; not: readonly string[] },
): string {
  if (deny.run === true || without.deny_run === true) return "none";
  const place = boxed ? "in a sandbox" : "no sandbox, only those that are named";
  if (net === "host") return `${place}, the network of this machine`;
  return `${place}, ${noNet ? "no network" : netWords(net, "public web", [])}${exceptWords(not)}`;
}

function exceptWords(not: readonly string[]): string {
  return not.length === 0 ? "" : ` but not ${shortList(not)}`;
}

function shortList(values: readonly string[]): string {
  const more = values.length - 3;
  return more > 0 ? `${values.slice(0, 3).join(", ")} and ${more} more` : values.join(", ");
}

/** Paths in the folder are told from there. */
function listOf(value: unknown, folder: string): string[] {
  if (!Array.isArray(value)) return [];
  return value.map(String).map((one) => one.startsWith(`${folder}/`) ? one.slice(folder.length + 1) : one);
}

function nameOf(path: string): string {
  return path.split("/").at(-1) || path;
}
