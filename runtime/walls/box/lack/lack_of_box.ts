import { installWords } from "../../process/install_words.ts";

/** Why bubblewrap makes no box here, and what mends that. */
export interface BoxLack {
  /** It is not installed, the system forbids what it does, or it does not work by itself. */
  cause: "missing" | "forbidden" | "broken";
  reason: string;
  /** The next step, as an order. */
  advice: string;
}

/** What of the system decides whether a box can be made. */
export interface BoxFacts {
  /** Values of switches of the kernel by their names, as `sysctl` writes them; those that there are. */
  switches: Readonly<Record<string, string>>;
  /** A filter of system calls holds this process. */
  isFiltered: boolean;
  isContainer: boolean;
  isRoot: boolean;
  /** Words that install packages here. */
  install(packages: readonly string[]): string;
}

/** Switches that forbid namespaces of users. */
const SWITCHES: readonly { name: string; forbids: string; mend: string; holdsRoot: boolean }[] = [
  { name: "user.max_user_namespaces", forbids: "0", mend: "15000", holdsRoot: true },
  { name: "kernel.unprivileged_userns_clone", forbids: "0", mend: "1", holdsRoot: false },
  { name: "kernel.apparmor_restrict_unprivileged_userns", forbids: "1", mend: "0", holdsRoot: false },
];
/** What bubblewrap says where the system does not let it. */
const FORBIDDEN =
  /namespace|[ug]id[_ ]map|RTM_NEWADDR|pivot_root|mount|\/ slave|Operation not permitted|Permission denied/i;
const OWN_FAULT = /execvp|unknown option|unexpected capabilities|error while loading|GLIBC|syntax error/i;
const OF_CONTAINERS = "--security-opt seccomp=unconfined --security-opt apparmor=unconfined " +
  "--security-opt systempaths=unconfined";

/** Where the names of switches are told. */
export const SWITCH_NAMES: readonly string[] = SWITCHES.map(({ name }) => name);

/** Returns the lack of a bubblewrap that is not there. */
export function missingBox(install: BoxFacts["install"] = installWords): BoxLack {
  return {
    cause: "missing",
    reason: "bubblewrap (bwrap) is not installed",
    advice: `install it with: ${install(["bubblewrap"])}`,
  };
}

/**
 * Tells apart what keeps an installed bubblewrap from making a box.
 *
 * @param bwrap Its absolute path
 * @param said What it said
 */
export function explainBox(bwrap: string, said: string, facts: BoxFacts): BoxLack {
  if (OWN_FAULT.test(said) || !FORBIDDEN.test(said)) return brokenBox(bwrap, said, facts.install);
  const found = SWITCHES.filter(({ name, forbids, holdsRoot }) =>
    facts.switches[name] === forbids && (holdsRoot || !facts.isRoot)
  );
  const shown = found.map(({ name, forbids }) => `${name}=${forbids}`);
  const words = said.replace(/^bwrap: /, "").replace(/\.$/, "");
  // A switch of the host forbids it in a container, too.
  const where = shown.length > 0 ? "here" : facts.isContainer ? "in this container" : "here";
  const why = shown.length > 0
    ? `${shown.join(", ")} forbids it`
    : facts.isFiltered && !facts.isContainer
    ? `a filter of system calls forbids it (${words})`
    : words;
  const mends = [
    ...found.length === 0 ? [] : [
      `allow it${facts.isContainer ? " on the host" : ""} with: ${
        facts.isRoot && !facts.isContainer ? "" : "sudo "
      }` +
      `sysctl -w ${found.map(({ name, mend }) => `${name}=${mend}`).join(" ")}`,
    ],
    ...facts.isContainer && (facts.isFiltered || found.length === 0)
      ? [`start the container with ${OF_CONTAINERS}, or with --privileged`]
      : facts.isFiltered && found.length === 0
      ? ["leave RestrictNamespaces and such filters out of the unit of systemd that starts it"]
      : [],
  ];
  return {
    cause: "forbidden",
    reason: `bubblewrap may not make namespaces ${where}: ${why}`,
    advice: [...mends, "see: bulkhead help deploy"].join("; "),
  };
}

/** Returns the lack of a bubblewrap that does not work by itself. */
export function brokenBox(
  bwrap: string,
  said: string,
  install: BoxFacts["install"] = installWords,
): BoxLack {
  const isOld = /unknown option/i.test(said);
  return {
    cause: "broken",
    reason: `${bwrap} does not work: ${said || "it failed without a word"}`,
    advice: isOld
      ? `it is too old, update it with: ${install(["bubblewrap"])}`
      : `try it with: ${bwrap} --ro-bind / / true; if that fails, remove it and install it anew`,
  };
}
