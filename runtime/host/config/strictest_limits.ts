import type { ProgramLimits } from "../../../schemas/config.ts";

/** Says whether a bound is looser than another one. For free space, a larger minimum is stricter. */
export function isLooser(name: keyof ProgramLimits, value: number, than: number): boolean {
  return name === "free_disk_mb" ? value < than : value > than;
}

/** Returns bounds, none of which is looser than the same one among others. */
export function strictestLimits(
  limits: Partial<ProgramLimits>,
  others: Partial<ProgramLimits>,
): Partial<ProgramLimits> {
  const strictest = { ...limits };
  for (const [name, value] of Object.entries(others) as [keyof ProgramLimits, number][]) {
    const now = limits[name];
    if (now === undefined || isLooser(name, now, value)) strictest[name] = value;
  }
  return strictest;
}
