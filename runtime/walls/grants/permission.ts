import type { ManifestEntry } from "../../../schemas/manifest.ts";
import type { Permission, PermissionPredicate, Verdict } from "../../../schemas/permission.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import { readAnswer } from "../../../schemas/own/answers.ts";

/** A call as permissions see it: with its arguments as the tool will read them. */
export interface PermissionCall {
  /** Full name. */
  tool: string;
  input: unknown;
  /** The caller's role, `null` if it is unknown. */
  role: string | null;
  /** What the arguments that are paths lead to, by their names. @default no argument is a path */
  paths?: ReadonlyMap<string, PathForms>;
}

/** A path of a call, in the forms in which conditions compare it. */
export interface PathForms {
  /** Absolute paths that it may lead to, all links followed; more than one only where tools read it differently. */
  real: readonly string[];
  /** The same, each relative to the workspace if it lies there, and absolute. Empty for links in a circle. */
  targets: readonly (readonly string[])[];
  /** As it is written, with `.` and `..` resolved, in the same forms. */
  spelled: readonly string[];
}

/** What all permissions of a tool decide together. */
export interface Judgement {
  verdict: Verdict;
  /** The reason for any other effect than `allow`, for a message; `""` for `allow`. */
  reason: string;
  /** The permission that decided, as data; `null` for a function and for `allow`. */
  permission: Permission | null;
}

const STRICTNESS: Readonly<Record<Verdict, number>> = { allow: 0, confirm: 1, deny: 2 };

/** Decides one call by a permission that is data, in time linear in the length of the arguments. */
export function decide(
  permission: Permission,
  call: Pick<PermissionCall, "input" | "role" | "paths">,
): Verdict {
  if (typeof permission === "string") return permission;
  if ("roles" in permission) {
    const { roles, otherwise = "deny" } = permission;
    return call.role !== null && roles.includes(call.role) ? "allow" : otherwise;
  }
  const { when, then = "allow", otherwise = "deny" } = permission;
  const refuses = STRICTNESS[then] > STRICTNESS[otherwise];
  const holds = Object.entries(when).every(([name, listed]) => {
    const patterns = [listed].flat();
    const path = call.paths?.get(name);
    if (path) return leadsTo(patterns, path, { refuses });
    const value = textOf(argumentOf(call.input, name));
    return value !== null && patterns.some((pattern) => matchesPattern(pattern, value));
  });
  return holds ? then : otherwise;
}

/** Decides one call by all permissions of its tool: the strictest counts, and a function that fails denies. */
export async function judge(
  permissions: readonly (Permission | PermissionPredicate)[],
  call: PermissionCall,
): Promise<Judgement> {
  let strictest: Judgement = { verdict: "allow", reason: "", permission: null };
  for (const permission of permissions) {
    const next = typeof permission === "function" ? await ask(permission, call) : judgeData(permission, call);
    // A word that is none, which no schema let pass, is not weaker than any other.
    if (!(STRICTNESS[next.verdict] <= STRICTNESS[strictest.verdict])) strictest = next;
  }
  return strictest;
}

/** Says whether a permission looks at the arguments or may show them, so that they must be repaired first. */
export function readsInput(permission: Permission | PermissionPredicate): boolean {
  return permission !== "allow" && permission !== "deny";
}

/** Returns arguments with defaults for those that are absent: the tool will get these. */
export function withDefaults(entry: ManifestEntry, input: unknown): unknown {
  const { properties } = entry.input_schema;
  if (!isObject(input) || !isObject(properties)) return input;
  const defaults = Object.entries(properties)
    .filter(([name, field]) =>
      !Object.hasOwn(input, name) && isObject(field) && Object.hasOwn(field, "default")
    )
    .map(([name, field]) => [name, (field as { default: unknown }).default]);
  return { ...input, ...Object.fromEntries(defaults) };
}

/** Says whether a pattern matches a whole text. Each `*` stands for any text, also the empty one. */
export function matchesPattern(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === first;
  const end = text.length - last.length;
  if (!text.startsWith(first) || end < first.length || !text.endsWith(last)) return false;
  let at = first.length;
  // The leftmost match of each part leaves the most room for the later parts.
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/**
 * Says whether a path is one that patterns mean. A permission that allows more looks only at what the path leads to; one
 * that refuses more also at how it is written, and at no difference between ways to write the same letter.
 */
function leadsTo(
  patterns: readonly string[],
  { targets, spelled }: PathForms,
  { refuses }: { refuses: boolean },
): boolean {
  const meant = patterns.map((pattern) => pattern.replace(/^(?:\.\/+)+(?=.)/, "").replace(/(?<=.)\/+$/, ""));
  const isMeant = (form: string) => meant.some((pattern) => matchesPattern(pattern, form));
  if (!refuses) return targets.length > 0 && targets.every((forms) => forms.some(isMeant));
  const composed = meant.map((pattern) => pattern.normalize());
  return [...targets.flat(), ...spelled].some((form) =>
    isMeant(form) || composed.some((pattern) => matchesPattern(pattern, form.normalize()))
  );
}

function judgeData(permission: Permission, call: PermissionCall): Judgement {
  const verdict = decide(permission, call);
  return { verdict, reason: verdict === "allow" ? "" : reasonOf(permission, call), permission };
}

function reasonOf(permission: Permission, { role, paths, input }: PermissionCall): string {
  if (typeof permission === "string") return `its permission is "${permission}"`;
  if ("roles" in permission) {
    const allowed = permission.roles.join(", ") || "(none)";
    return `it is for the roles ${allowed}, and ${
      role === null ? "no role was given" : `the role is "${role}"`
    }`;
  }
  const names = Object.keys(permission.when).map((name) => {
    const path = paths?.get(name)?.targets[0]?.[0];
    const isPlain = path === undefined || path === argumentOf(input, name);
    return isPlain ? `"${name}"` : `"${name}", which leads to "${path}"`;
  });
  return `its permission depends on the arguments (${names.join(", ") || "none"})`;
}

async function ask(predicate: PermissionPredicate, call: PermissionCall): Promise<Judgement> {
  const by = (verdict: Verdict, reason: string): Judgement => ({ verdict, reason, permission: null });
  try {
    // A copy: a permission must not change the call.
    const paths = Object.fromEntries(
      [...call.paths ?? []].map(([name, { real }]) => [name, real[0] ?? null]),
    );
    const { tool, input, role } = call;
    const given = await predicate({ tool, input: structuredClone(input), role, paths });
    const answer = readAnswer("permissions", given);
    if (answer === true || answer === "allow") return by("allow", "");
    if (answer === "confirm") return by("confirm", "its permission asks for it");
    return by("deny", "its permission refuses this call");
  } catch (error) {
    return by("deny", `its permission failed: ${error instanceof Error ? error.message : error}`);
  }
}

/** Finds an argument by its name, else by names of nested ones with dots between. */
function argumentOf(input: unknown, name: string): unknown {
  if (isObject(input) && Object.hasOwn(input, name)) return input[name];
  let found = input;
  for (const part of name.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Record<string, unknown>)[part];
  }
  return found;
}

/** `null` if there is no such value. */
function textOf(value: unknown): string | null {
  if (value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value) ?? null;
}
