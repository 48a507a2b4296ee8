import type { CommandAnalysis } from "../../../schemas/command.ts";
import type { ProgramEndReason } from "../../../schemas/program.ts";
import type { Outlook } from "../box/outlook.ts";
import { explainForeign } from "../git/linked_repository.ts";
import { programsOf } from "../shell/programs_of.ts";
import { frozenHints } from "./frozen_files.ts";
import { missingPrograms } from "./missing_programs.ts";
import { needsNetwork, tellsOfNoNetwork } from "./needs_network.ts";
import { PAST_PROXIES } from "./network_table.ts";

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

/** What git says where it sees no repository, or not what a `.git` names. */
const NO_REPOSITORY = /^fatal: (?:not a git repository|invalid gitfile)/m;

/** Says what of a command will be missing in its sandbox: programs, and the network. */
export function foreseenHints(analysis: CommandAnalysis, outlook: Outlook): string[] {
  return [
    ...missingPrograms(programsOf(analysis), outlook).map(({ message }) => message),
    ...networkHints(foreseenWithout(analysis, outlook), outlook),
    ...(programsOf(analysis).includes("git") ? outlook.closed.foreign ?? [] : []).map(explainForeign),
  ];
}

/** Says which of its walls made a program fail, so that the user knows the flag that helps. */
export function failureHints(analysis: CommandAnalysis | null, end: ObservedEnd, outlook: Outlook): string[] {
  return [
    ...missing(analysis, end, outlook),
    ...withoutNetwork(analysis, end, outlook),
    ...(end.exitCode === 0 ? [] : frozenHints(end.output, outlook)),
    ...(NO_REPOSITORY.test(end.output) ? outlook.closed.foreign ?? [] : []).map(explainForeign),
  ];
}

/** Returns what to do about a program whose time was up without a network; `null` if that was not the reason. */
export function timeoutAdvice(
  analysis: CommandAnalysis | null,
  end: ObservedEnd,
  outlook: Outlook,
): string | null {
  return end.reason === "timeout" ? withoutNetwork(analysis, end, outlook)[0] ?? null : null;
}

function missing(
  analysis: CommandAnalysis | null,
  { exitCode, output }: ObservedEnd,
  outlook: Outlook,
): string[] {
  const named = NOT_FOUND_MESSAGES.flatMap((message) =>
    Array.from(output.matchAll(message), ([, name]) => name!)
  );
  const started = analysis === null ? [] : programsOf(analysis);
  const names = NOT_FOUND_CODES.includes(exitCode) ? [...started, ...named] : named;
  return missingPrograms(names, outlook).map(({ message }) => message);
}

function withoutNetwork(
  analysis: CommandAnalysis | null,
  { exitCode, reason, output }: ObservedEnd,
  outlook: Outlook,
): string[] {
  const known = analysis === null ? [] : foreseenWithout(analysis, outlook);
  const failed = exitCode !== 0 || reason === "timeout";
  const isTold = tellsOfNoNetwork(output);
  if (known.length > 0 && (failed || isTold)) return networkHints(known, outlook);
  return failed && isTold ? networkHints(["the program"], outlook) : [];
}

/** The programs of a command that need what their box has not. */
function foreseenWithout(analysis: CommandAnalysis, { network }: Outlook): string[] {
  if (network === "machine") return [];
  const programs = needsNetwork(analysis);
  return network === "none" ? programs : programs.filter((name) => PAST_PROXIES.has(name));
}

function networkHints(programs: readonly string[], { network, isNarrow = false }: Outlook): string[] {
  if (programs.length === 0 || network === "machine") return [];
  const one = programs.length === 1;
  const names = programs.join(", ");
  if (network === "gate") {
    return [
      `only a proxy leads out of this sandbox, and ${names} ${one ? "does" : "do"} not use it: ` +
      (isNarrow
        ? "it stands in HTTPS_PROXY, if a setting can name one"
        : `pass --share-net to give ${one ? "it" : "them"} the network of this machine`),
    ];
  }
  return [
    `no network in this sandbox, which ${names} ${
      one ? "needs" : "need"
    }: pass --allow-net=HOSTS for these hosts, ` +
    (isNarrow
      ? 'and name them under "net" of its entry, if it has one'
      : `or --share-net to give ${one ? "it" : "them"} that of this machine`),
  ];
}
