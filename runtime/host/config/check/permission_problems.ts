import type { Config, PermissionConfig } from "../../../../schemas/config.ts";
import { hostWordProblem } from "../../../walls/net/host_word.ts";

/** Says what is wrong with the permissions of a configuration, beyond their schema. */
export function permissionProblems({ permissions = {}, sandbox = {} }: Config): string[] {
  const { secrets, private_net, env } = permissions;
  return [
    ...accessProblems("permissions", permissions),
    ...emptyProblems({
      "permissions.secrets": secrets,
      "permissions.env": env,
      "sandbox.show": sandbox.show,
    }),
    ...privateNetProblems("permissions.private_net", private_net),
  ];
}

/** Says what is wrong with a list of private hosts. */
export function privateNetProblems(at: string, list: true | readonly string[] | undefined): string[] {
  return Array.isArray(list)
    ? [...emptyProblems({ [at]: list }), ...hostProblems(at, list, { isPrivate: true })]
    : [];
}

/**
 * Says what is wrong with lists of what is allowed and denied.
 *
 * @param at Where they are said; `""` where they have no place around them
 */
export function accessProblems(
  at: string,
  { allow = {}, deny = {} }: Pick<PermissionConfig, "allow" | "deny">,
): string[] {
  const lead = at === "" ? "" : `${at}.`;
  return Object.entries({ allow, deny }).flatMap(([verb, lists]) => [
    ...emptyProblems(
      Object.fromEntries(Object.entries(lists).map(([kind, list]) => [`${lead}${verb}.${kind}`, list])),
    ),
    ...Array.isArray(lists.net) ? hostProblems(`${lead}${verb}.net`, lists.net, { isPrivate: false }) : [],
  ]);
}

/** A flag cannot give an empty name either. */
function emptyProblems(lists: Readonly<Record<string, true | readonly string[] | undefined>>): string[] {
  return Object.entries(lists).flatMap(([at, list]) =>
    Array.isArray(list) && list.includes("") ? [`${at} has an empty text, name something`] : []
  );
}

function hostProblems(at: string, words: readonly string[], kind: { isPrivate: boolean }): string[] {
  return words.filter((word) => word !== "").flatMap((word) => {
    const problem = hostWordProblem(word, kind);
    return problem === null ? [] : [`${at}: ${problem}`];
  });
}
