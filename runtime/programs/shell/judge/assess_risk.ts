import type { Risk, SimpleCommand } from "../../../../schemas/command.ts";
import { effectOf } from "./effect_of.ts";
import type { Structure } from "../read/structure.ts";

const DANGEROUS = new Set(
  ("rm dd mkfs fdisk shutdown reboot chmod chown wipefs mount umount shred halt poweroff mkswap parted chattr chgrp " +
    "systemctl crontab useradd userdel usermod passwd insmod rmmod modprobe iptables nft sysctl swapoff chroot unshare " +
    "nsenter kill pkill killall").split(" "),
);

/**
 * Says how much harm a command could do outside a box. `critical`: a rule forbids it. `high`: it destroys
 * files or changes the machine, or part of what it runs is unknown. `medium`: it writes, uses the network,
 * takes words from the output of other commands, or starts unknown programs. `low`: it only reads.
 */
export function assessRisk(structure: Structure, rules: readonly string[]): Risk {
  const { commands, opaque, substitutions } = structure;
  if (rules.length > 0) return "critical";
  if (opaque.size > 0 || commands.some(isDangerous)) return "high";
  if (substitutions.length > 0) return "medium";
  return commands.every((command) => command.writes.length === 0 && effectOf(command) === "reads")
    ? "low"
    : "medium";
}

function isDangerous({ program, via }: SimpleCommand): boolean {
  return DANGEROUS.has(program) || program.startsWith("mkfs.") || via.some((name) => DANGEROUS.has(name));
}
