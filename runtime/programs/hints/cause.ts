import { flagWord, showFlags } from "../../walls/grants/flag_word.ts";
import type { Outlook } from "../box/outlook.ts";

/** What a program lacked in its sandbox. */
export type Cause =
  /** No network at all. `hosts` is empty if nothing names them. */
  | { kind: "no network"; programs: readonly string[]; hosts: readonly string[] }
  /** No network of a kind that the program uses. */
  | { kind: "only a proxy"; programs: readonly string[] }
  /** An address of the sandbox itself, where nothing listens. */
  | { kind: "own loopback"; hosts: readonly string[] }
  /** A program, or the interpreter of one; `folders` show it. */
  | { kind: "hidden program"; name: string; needed: string; place: string; folders: readonly string[] }
  | { kind: "hidden file"; name: string; path: string }
  | { kind: "protected"; shown: string; flags: readonly string[] }
  | { kind: "secret"; shown: string; flags: readonly string[] };

/** How each cause is told, and the flag that is right for it: the one place where a hint is worded. */
const ADVICE: {
  readonly [Kind in Cause["kind"]]: (
    cause: Extract<Cause, { kind: Kind }>,
    outlook: Pick<Outlook, "opens" | "isNarrow">,
  ) => readonly string[];
} = {
  "no network": ({ programs, hosts }, { opens, isNarrow = false }) => {
    const lead = `no network in this sandbox, which ${programs.join(", ")} ${
      one(programs, "needs", "need")
    }: `;
    const denied = hosts.filter((host) => opens.net(host) === null);
    if (denied.length > 0) return [`${lead}${denied.join(", ")} ${one(denied, "is", "are")} denied`];
    const flags = [...Map.groupBy(hosts, opens.net)].map(([flag, some]) => flagWord(flag!, some));
    const pass = flags.length > 0
      ? `pass ${showFlags(flags)}`
      : "pass --allow-net=HOST with the host that it asks";
    return isNarrow ? [`${lead}${pass}, and name it under "net" of its entry, if it has one`] : [
      `${lead}${pass}`,
      `--share-net in its place gives ${one(programs, "it", "them")} all of this machine's network`,
    ];
  },
  "only a proxy": ({ programs }, { isNarrow = false }) => [
    `only a proxy leads out of this sandbox, and ${programs.join(", ")} ${
      one(programs, "does", "do")
    } not use it: ` +
    (isNarrow
      ? "it stands in HTTPS_PROXY, if a setting can name one"
      : `pass --share-net to give ${one(programs, "it", "them")} the network of this machine`),
  ],
  "own loopback": ({ hosts }) => [
    `${hosts.join(", ")} ${one(hosts, "is an address", "are addresses")} of the sandbox itself: pass ${
      showFlags([flagWord("--allow-private-net", hosts)])
    } to reach what listens there on this machine`,
  ],
  "hidden program": ({ needed, place, folders }) => [
    `${needed} is in ${place}, which the sandbox does not show: pass ${
      showFlags([flagWord("--sandbox-show", folders)])
    }`,
  ],
  // A program that was told a file by name need not see the folder around it.
  "hidden file": ({ name, path }) => [
    `${name} is a file that the sandbox does not show: pass ${showFlags([flagWord("--allow-read", [path])])}`,
  ],
  "protected": ({ shown, flags }) => [
    `"${shown}" is protected, since other programs execute or obey it: pass ${
      showFlags(flags)
    } to let programs change it`,
  ],
  "secret": ({ shown, flags }) => [`"${shown}" is a secret, and closed: pass ${showFlags(flags)} to open it`],
};

/** Says what a program lacked, and the flag that helps. */
export function adviseCause(cause: Cause, outlook: Pick<Outlook, "opens" | "isNarrow">): readonly string[] {
  const advise = ADVICE[cause.kind] as (cause: Cause, known: typeof outlook) => readonly string[];
  return advise(cause, outlook);
}

function one(list: readonly string[], single: string, many: string): string {
  return list.length === 1 ? single : many;
}
