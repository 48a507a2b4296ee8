import type { SimpleCommand } from "../../../../schemas/command.ts";
import { listsValue, searches, sendsKill, some, starts } from "./matching.ts";
import { hasOption, operandsOf, optionValues } from "../facts/arguments.ts";
import type { Rule } from "../read/structure.ts";

const MINERS =
  /^(?:minerd|cpuminer|ccminer|cgminer|bfgminer|sgminer|ethminer|nbminer|nanominer|lolminer|t-rex|gminer|phoenixminer|srbminer|teamredminer|claymore|xmr-stak)/i;
const BINDS = new Set(["bind", "rbind"]);

/** Rules about the machine, its users and its processes. */
export const MACHINE_RULES: Readonly<Record<string, Rule>> = {
  shutdown: (structure) =>
    starts(structure, new Set(["shutdown", "poweroff"])) ||
    some(structure, (one) => controls(one, "poweroff")),
  reboot: (structure) =>
    starts(structure, new Set(["reboot", "kexec"])) ||
    some(structure, (one) => controls(one, "reboot") || controls(one, "kexec") || entersLevel(one, "6")),
  halt: (structure) =>
    starts(structure, new Set(["halt"])) || some(structure, (one) => controls(one, "halt")),
  "init-0": (structure) => some(structure, (one) => entersLevel(one, "0") || entersLevel(one, "6")),
  sudo: (structure) => starts(structure, new Set(["sudo", "sudoedit"])),
  "su-dash": (structure) => starts(structure, new Set(["su"])),
  doas: (structure) => starts(structure, new Set(["doas", "pkexec", "run0"])),
  "mount-bind": (structure) => some(structure, bindsFolder),
  "umount-force": (structure) =>
    some(
      structure,
      ({ program, args }) => program === "umount" && hasOption(args, { short: "f", long: ["force"] }),
    ),
  xmrig: (structure) => some(structure, ({ program }) => /^xmrig/i.test(program)),
  minerd: (structure) => some(structure, ({ program }) => MINERS.test(program)),
  "stratum-tcp": (structure) =>
    some(
      structure,
      (one) =>
        !searches(one) && [one.path, ...one.args].some((arg) => /stratum\d?\+\w+:\/\//i.test(arg ?? "")),
    ),
  "kill-init": (structure) => some(structure, killsFirst),
  "pkill-broad": (structure) =>
    some(
      structure,
      ({ program, args }) =>
        program === "pkill" && sendsKill(args) && hasOption(args, { short: "f", long: ["full"] }),
    ),
  "killall-broad": (structure) =>
    some(structure, ({ program, args }) => program.startsWith("killall") && sendsKill(args)),
};

function controls({ program, args }: SimpleCommand, verb: string): boolean {
  return (program === "systemctl" || program === "loginctl") && args.includes(verb);
}

function entersLevel({ program, args }: SimpleCommand, level: string): boolean {
  return (program === "init" || program === "telinit") && operandsOf(args)[0] === level;
}

function bindsFolder({ program, args }: SimpleCommand): boolean {
  if (program !== "mount") return false;
  if (hasOption(args, { short: "BR", long: ["bind", "rbind"] })) return true;
  return listsValue(optionValues(args, { short: "o", long: ["options"] }), BINDS);
}

function killsFirst({ program, args }: SimpleCommand): boolean {
  if (program !== "kill" || !sendsKill(args)) return false;
  return args.some((arg, at) => {
    // `-1` stands for all processes, unless it is the first word and so the signal.
    if (arg === "-1") return at > 0;
    return arg === "1" && !/^-(?:s|n|-signal)$/.test(args[at - 1] ?? "");
  });
}
