import type { CommandAnalysis, SimpleCommand } from "../../../schemas/command.ts";
import type { ProgramEndReason } from "../../../schemas/program.ts";
import type { Outlook } from "../box/outlook.ts";
import { explainForeign } from "../git/linked_repository.ts";
import { NETWORK, READERS } from "../shell/facts/program_lists.ts";
import { programsOf } from "../shell/programs_of.ts";
import { adviseCause, type Cause } from "./cause.ts";
import { closedNamed, closedTold } from "./closed_files.ts";
import { missingPrograms } from "./missing_programs.ts";
import { loopbackHosts, networkName, tellsOfNoNetwork, usesNoProxy } from "./needs_network.ts";
import { hostsOf, hostsTold, usualHosts } from "./network_hosts.ts";

/** What of an end tells why a program failed. */
export interface ObservedEnd {
  exitCode: number;
  reason: ProgramEndReason;
  /** The start and the end of its output. */
  output: string;
}

/** Shells and `env` end with these if there is no such program, or none that can start. */
const NOT_FOUND_CODES = [126, 127];
/** How shells, `env`, Node and Python name a program that is not there. */
const NOT_FOUND_MESSAGES: readonly RegExp[] = [
  /(?:^|[\s:])([^\s:'"‘’]+): (?:command )?not found/gm,
  /(?:^|\s)([^\s:]+): (?:bad interpreter|No such file or directory|cannot execute)/gm,
  /env: [‘'"]?([^\s’'":]+)[’'"]?: No such file/g,
  /spawn ([^\s]+) ENOENT/g,
  /No such file or directory: '([^']+)'/g,
];
/** What programs say where nothing listens, or nothing leads. */
const NOT_REACHED = /Connection refused|ECONNREFUSED|Failed to connect|Couldn't connect|could not connect/i;
/** What the system says of a rename that leads to another disk, as that of a folder from below in an overlay. */
const CROSS_DEVICE = /cross-device|\bEXDEV\b/i;
/** What git says where it sees no repository, or not what a `.git` names. */
const NO_REPOSITORY = /^fatal: (?:not a git repository|invalid gitfile)/m;
/** What programs say of a file that the system keeps from them. */
const DENIED = /permission denied|\bEACCES\b/i;
const UNKNOWN = "the program";

/** Says what of a command will be missing in its sandbox: programs, files, and the network. */
export function foreseenHints(analysis: CommandAnalysis, outlook: Outlook): string[] {
  const paths = analysis.commands.flatMap(({ args }) =>
    args.filter((arg) => arg?.startsWith("/")) as string[]
  );
  const causes = [
    ...missingPrograms([...programsOf(analysis), ...paths], outlook),
    ...networkCauses(needing(analysis, outlook), [], outlook),
    ...closedNamed(analysis, outlook),
  ];
  return [
    ...told(causes, outlook),
    ...(programsOf(analysis).includes("git") ? outlook.closed.foreign ?? [] : []).map(explainForeign),
  ];
}

/**
 * Says which of its walls made a program fail, so that the user knows the flag that helps. A command of several programs
 * may end with 0 though one of them failed: then what they said counts, and what surely cannot have worked.
 */
export function failureHints(analysis: CommandAnalysis | null, end: ObservedEnd, outlook: Outlook): string[] {
  const causes = [
    ...missing(analysis, end, outlook),
    ...withoutNetwork(analysis, end, outlook),
    ...closedTold(end.output, outlook),
  ];
  return [
    ...told(causes, outlook),
    ...(outlook.closed.isLaid && CROSS_DEVICE.test(end.output)
      ? [
        "a folder that the workspace had before cannot be renamed in this overlay: copy it and remove the old one, or " +
        "begin with --overlay=copy",
      ]
      : []),
    ...(outlook.closed.others?.length && DENIED.test(end.output)
      ? [
        `"${
          outlook.closed.others[0]
        }" belongs to another user, and root has none of its powers in a sandbox: run bulkhead as ` +
        "that user, or with --overlay, and bring the changes in with: bulkhead apply",
      ]
      : []),
    ...(NO_REPOSITORY.test(end.output) ? outlook.closed.foreign ?? [] : []).map(explainForeign),
  ];
}

/** Returns what to do about a program whose time was up without a network; `null` if that was not the reason. */
export function timeoutAdvice(
  analysis: CommandAnalysis | null,
  end: ObservedEnd,
  outlook: Outlook,
): string | null {
  return end.reason === "timeout" ? told(withoutNetwork(analysis, end, outlook), outlook)[0] ?? null : null;
}

function told(causes: readonly Cause[], outlook: Outlook): string[] {
  return [...new Set(causes.flatMap((cause) => adviseCause(cause, outlook)))];
}

function missing(
  analysis: CommandAnalysis | null,
  { exitCode, output }: ObservedEnd,
  outlook: Outlook,
): Cause[] {
  const named = NOT_FOUND_MESSAGES.flatMap((message) =>
    Array.from(output.matchAll(message), ([, name]) => name!)
  );
  const started = analysis === null ? [] : programsOf(analysis);
  return missingPrograms(NOT_FOUND_CODES.includes(exitCode) ? [...started, ...named] : named, outlook);
}

function withoutNetwork(
  analysis: CommandAnalysis | null,
  { exitCode, reason, output }: ObservedEnd,
  outlook: Outlook,
): Cause[] {
  if (outlook.network === "machine") return [];
  const failed = exitCode !== 0 || reason === "timeout";
  const isTold = tellsOfNoNetwork(output);
  const needed = analysis === null ? [] : needing(analysis, outlook);
  // Those that do nothing without a network and name their host cannot have worked, whatever the end is.
  const sure = failed || isTold ? needed : needed.filter(isSure);
  const hosts = isTold ? hostsTold(output) : [];
  const loopback = NOT_REACHED.test(output) ? ownLoopback(analysis) : [];
  if (sure.length > 0) return [...networkCauses(sure, hosts, outlook), ...loopback];
  // What reads a text tells what stands in it.
  const mayQuote = analysis !== null && analysis.commands.every(({ program }) => READERS.has(program));
  return isTold && outlook.network === "none" && (failed || !mayQuote)
    ? [{ kind: "no network", programs: [UNKNOWN], hosts }, ...loopback]
    : loopback;
}

function ownLoopback(analysis: CommandAnalysis | null): Cause[] {
  const hosts = [...new Set(analysis?.commands.flatMap(loopbackHosts) ?? [])];
  return hosts.length === 0 ? [] : [{ kind: "own loopback", hosts }];
}

/** A program of a command that needs the network, as a person names it. */
interface Needing {
  name: string;
  command: SimpleCommand;
}

/** The programs of a command that need what their box has not. */
function needing({ commands }: CommandAnalysis, { network }: Outlook): Needing[] {
  if (network === "machine") return [];
  const found = commands.flatMap((command) => {
    const name = networkName(command);
    return name === null ? [] : [{ name, command }];
  });
  return network === "none" ? found : found.filter(({ command }) => usesNoProxy(command));
}

function isSure({ command }: Needing): boolean {
  return (NETWORK.has(command.program) || command.program === "git") && hostsOf(command).length > 0;
}

function networkCauses(needed: readonly Needing[], said: readonly string[], { isNarrow }: Outlook): Cause[] {
  // What knows no proxy is not helped by a host that is granted.
  const past = isNarrow ? [] : needed.filter(({ command }) => usesNoProxy(command));
  const others = needed.filter((one) => !past.includes(one));
  const names = (some: readonly Needing[]) => [...new Set(some.map(({ name }) => name))];
  const hosts = new Set(
    others.flatMap(({ command }) => {
      const own = hostsOf(command);
      return own.length > 0 || said.length > 0 ? own : usualHosts(command.program);
    }),
  );
  return [
    ...others.length === 0
      ? []
      : [{ kind: "no network" as const, programs: names(others), hosts: [...hosts.union(new Set(said))] }],
    ...past.length === 0 ? [] : [{ kind: "only a proxy" as const, programs: names(past) }],
  ];
}
