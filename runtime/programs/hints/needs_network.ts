import type { SimpleCommand } from "../../../schemas/command.ts";
import { operandsOf } from "../shell/facts/arguments.ts";
import { gitSubcommand, gitTransfers } from "../shell/facts/git.ts";
import { isElsewhere, NETWORK } from "../shell/facts/program_lists.ts";
import { NETWORK_WORDS, NO_NETWORK_MESSAGES, PAST_PROXIES } from "./network_table.ts";

/** Addresses of the sandbox itself. */
export const LOOPBACK = /(?:^|[/@])(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|0\.0\.0\.0)(?=[:/]|$)/i;
/** A repository in a folder, not on another machine. */
const LOCAL_PLACE = /^(?:\.{0,2}\/|\.{1,2}$|~|file:)/;
const OVER_SSH = /^(?:ssh:\/\/|[\w.-]+@[\w.-]+:(?!\/\/))/;
const PYTHON = /^python[\d.]*$/;

/** Returns addresses of the sandbox itself that the words of a command name, each with its port. */
export function loopbackHosts({ args }: SimpleCommand): string[] {
  return args.flatMap((arg) => {
    const [, host, port] =
      /(?:^|[/@])(localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::(\d+))?(?=[/?#]|$)/i.exec(arg ?? "") ?? [];
    return host === undefined ? [] : [port ? `${host}:${port}` : host];
  });
}

/** Says whether a program of a command uses no proxy, so that a granted host does not help it. */
export function usesNoProxy({ program, args }: SimpleCommand): boolean {
  return PAST_PROXIES.has(program) ||
    program === "git" && args.some((arg) => arg !== null && OVER_SSH.test(arg));
}

/** Says whether an output tells that there was no network. */
export function tellsOfNoNetwork(output: string): boolean {
  return NO_NETWORK_MESSAGES.some((message) => message.test(output));
}

/**
 * Returns a program that needs the network, as a person names it: `curl`, `git clone`. `null` for one that needs none, or
 * only reaches for the sandbox itself.
 */
export function networkName(command: SimpleCommand): string | null {
  const { program, path, args } = command;
  if (isElsewhere(path) || args.some((arg) => arg !== null && LOOPBACK.test(arg))) return null;
  if (PYTHON.test(program)) return networkName(asModule(command));
  if (asks(args)) return null;
  if (program === "git") return gitName(args);
  if (NETWORK.has(program)) return program;
  const words = Object.hasOwn(NETWORK_WORDS, program) ? NETWORK_WORDS[program]! : [];
  if (words === true) return program;
  const [first = ""] = operandsOf(args);
  const isNamed = words.includes(first ?? " ") ||
    args.some((arg) => arg?.startsWith("-") && words.includes(arg));
  return isNamed ? `${program} ${first ?? ""}`.trimEnd() : null;
}

function gitName(args: SimpleCommand["args"]): string | null {
  if (!gitTransfers(args)) return null;
  const { subcommand, args: rest } = gitSubcommand(args);
  const isLocal = operandsOf(rest).some((one) => one !== null && LOCAL_PLACE.test(one));
  return isLocal ? null : `git ${subcommand}`;
}

/** `python -m pip install x` is `pip install x`. */
function asModule(command: SimpleCommand): SimpleCommand {
  const at = command.args.indexOf("-m");
  const program = at < 0 ? "" : command.args[at + 1] ?? "";
  return { ...command, program, path: program, args: command.args.slice(at + 2) };
}

function asks(args: SimpleCommand["args"]): boolean {
  return args.length === 1 && ["--version", "--help", "-V", "-h", "version", "help"].includes(args[0] ?? "");
}
