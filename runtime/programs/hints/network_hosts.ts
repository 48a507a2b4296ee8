import type { SimpleCommand } from "../../../schemas/command.ts";
import { readHost } from "../../walls/net/read_host.ts";
import { operandsOf } from "../shell/facts/arguments.ts";
import { gitSubcommand } from "../shell/facts/git.ts";
import { NETWORK } from "../shell/facts/program_lists.ts";
import { LOOPBACK } from "./needs_network.ts";
import { USUAL_HOSTS } from "./network_table.ts";

/** Most hosts that are named. */
const MAX_HOSTS = 6;
const URL_HOST = /\b(?:https?|ftp|wss?|git|ssh):\/\/(?:[^\s/@'"<>]*@)?(\[[\da-f:.]+\]|[\w.-]+)(?::(\d+))?/gi;
/** `git@github.com:you/repo` and `host:path` of scp. */
const SCP_HOST = /^(?:[\w.-]+@)?([\w-]+(?:\.[\w-]+)+):(?!\d+$)/;
const BARE_HOST = /^(?:[\w.-]+@)?((?:[\w-]+\.)+[a-z][\w-]*|\d+\.\d+\.\d+\.\d+)(?::(\d+))?(?:[/?#]|$)/i;
/** Programs whose operands are addresses even without a scheme. */
const TAKES_BARE = /^(?:curl|wget2?|https?|xh|ping6?|ssh|nc|ncat|telnet|dig|host|nslookup|rsync|scp|sftp)$/;
/** What programs say with a host that they did not find or reach. */
const TOLD_HOSTS: readonly RegExp[] = [
  /Could not resolve (?:host|hostname):? [‘'"]?([\w.-]+)/gi,
  /unable to resolve host(?: address)? [‘'"]?([\w.-]+)/gi,
  /Could not resolve '([\w.-]+)'/gi,
  /getaddrinfo (?:ENOTFOUND|EAI_AGAIN) ([\w.-]+)/g,
  /bad address '([\w.-]+)'/gi,
  /dial tcp: lookup ([\w.-]+)/g,
  /host='([\w.-]+)'/g,
  /UnknownHostException: ([\w.-]+)/g,
  /connect (?:ENETUNREACH|EHOSTUNREACH) ([\d.]+)/g,
];
/** Lines that name an address that was not reached. */
const TELLS_ADDRESS = /request to|failed|cannot|could not|unable|error|looking in indexes/i;

/** Returns the hosts that the words of a command name, each with its port if one is written. */
export function hostsOf(command: SimpleCommand): string[] {
  const args = command.args.filter((arg) => arg !== null && !LOOPBACK.test(arg)) as string[];
  const named = args.flatMap((arg) => urlHosts(arg));
  if (named.length > 0) return known(named);
  const operands = command.program === "git"
    ? operandsOf(gitSubcommand(command.args).args)
    : operandsOf(command.args);
  const bare = (operands.filter((one) => one !== null) as string[]).flatMap((operand) => {
    const [, scp] = SCP_HOST.exec(operand) ?? [];
    if (scp !== undefined) return [scp];
    const [, host, port] = TAKES_BARE.test(command.program) ? BARE_HOST.exec(operand) ?? [] : [];
    return host === undefined ? [] : [port ? `${host}:${port}` : host];
  });
  // `curl -o index.html example.com` has a file among its words.
  return known(
    NETWORK.has(command.program)
      ? bare.filter((host) => !/\.(?:html?|json|txt|tar|gz|zip)$/.test(host))
      : bare,
  );
}

/** Returns the hosts that an output says were not found or not reached. */
export function hostsTold(output: string): string[] {
  const told = TOLD_HOSTS.flatMap((form) => Array.from(output.matchAll(form), ([, host]) => host!));
  if (told.length > 0) return known(told);
  return known(output.split("\n").filter((line) => TELLS_ADDRESS.test(line)).flatMap(urlHosts));
}

/** Returns the hosts that a program asks where nothing names another: the registry of a package manager. */
export function usualHosts(program: string): readonly string[] {
  return Object.hasOwn(USUAL_HOSTS, program) ? USUAL_HOSTS[program]! : [];
}

function urlHosts(text: string): string[] {
  return Array.from(text.matchAll(URL_HOST), ([, host, port]) => port ? `${host}:${port}` : host!);
}

/** Only what a flag can name. */
function known(hosts: readonly string[]): string[] {
  const clean = hosts.map((host) => host.replace(/\.$/, "").toLowerCase())
    .filter((host) => !LOOPBACK.test(host) && readHost(host.replace(/:\d+$/, "")) !== null);
  return [...new Set(clean)].slice(0, MAX_HOSTS);
}
