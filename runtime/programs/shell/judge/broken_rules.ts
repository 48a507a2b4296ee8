import { FILE_RULES } from "./file_rules.ts";
import { MACHINE_RULES } from "./machine_rules.ts";
import { SHELL_RULES } from "./shell_rules.ts";
import type { Rule, Structure } from "../read/structure.ts";

const TESTS: Readonly<Record<string, Rule>> = { ...FILE_RULES, ...MACHINE_RULES, ...SHELL_RULES };

/** Names of the rules that hold under every policy, in the order in which they are reported. */
export const RULE_NAMES: readonly string[] = [
  "rm-rf-root",
  "rm-rf-home",
  "dd-zero-disk",
  "mkfs",
  "fdisk",
  "shutdown",
  "reboot",
  "halt",
  "init-0",
  "sudo",
  "su-dash",
  "doas",
  "curl-pipe-sh",
  "wget-pipe-sh",
  "nc-exec",
  "bash-reverse",
  "fork-bomb",
  "chmod-777-root",
  "chmod-suid",
  "chown-recursive",
  "bash-eval",
  "backtick-subst",
  "dollar-paren",
  "mount-bind",
  "umount-force",
  "xmrig",
  "minerd",
  "stratum-tcp",
  "kill-init",
  "pkill-broad",
  "killall-broad",
];

/** Returns the names of the rules that forbid a command. */
export function brokenRules(structure: Structure): string[] {
  return RULE_NAMES.filter((name) => TESTS[name]!(structure));
}
