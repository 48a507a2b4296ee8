/** How much tests try: a sample at each change, all of it once at a landing, everything at length before a release. */
export type Tier = "quick" | "gate" | "soak";

/** What BULKHEAD_ATTACKS says; `gate` without it. Nothing else reads that variable. */
export const TIER: Tier = chosen(Deno.env.get("BULKHEAD_ATTACKS") || "gate");

/** Begins the row of {@linkcode random}; BULKHEAD_SEED repeats the row of another run, whose runner printed it. */
const SEED = Number(Deno.env.get("BULKHEAD_SEED")) || crypto.getRandomValues(new Uint32Array(1))[0]!;
let state = SEED;

function chosen(word: string): Tier {
  const tier = (["quick", "gate", "soak"] as const).find((name) => name === word);
  if (!tier) throw new Error(`BULKHEAD_ATTACKS=${word}: say "quick", "gate" or "soak"`);
  return tier;
}

/** How often something is tried whose moment is a matter of luck: few times at each landing, many before a release. */
export function rounds(few: number, many: number): number {
  return TIER === "soak" ? many : few;
}

/** Returns the next number from 0 to below 1 of the row that the seed begins. */
export function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
