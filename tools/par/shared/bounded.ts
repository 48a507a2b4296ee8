import type { ToolContext } from "../../../schemas/context.ts";

/** Moves a number into its bounds, as the par document asks, and warns of it. */
export function bounded(
  name: string,
  value: number,
  { least, most, warn }: { least: number; most: number; warn: ToolContext["warn"] },
): number {
  const used = Math.min(Math.max(value, least), most);
  if (used !== value) warn(`${name} ${value} is too ${value < used ? "small" : "large"}, ${used} was used`);
  return used;
}
