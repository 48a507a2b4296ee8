import { plural } from "../../text/plural.ts";
import { mergeFlags, showFlags } from "../../walls/grants/flag_word.ts";
import { type BatchAnswer, liftingFlags, type Verdict, verdictOf } from "./batch_call.ts";

/** Most flags that are named. */
const MAX_FLAGS = 5;

/** Counts the calls of a batch. */
export class Tally {
  readonly #noun: string;
  readonly #counts = new Map<Verdict, number>();
  readonly #flags = new Set<string>();
  #calls = 0;
  /** Refused calls that flags would allow. */
  #liftable = 0;

  /** @param noun What a call is called */
  constructor(noun = "call") {
    this.#noun = noun;
  }

  add(call: BatchAnswer): void {
    const verdict = verdictOf(call);
    this.#calls++;
    this.#counts.set(verdict, (this.#counts.get(verdict) ?? 0) + 1);
    const flags = verdict === "refused" ? liftingFlags(call.result) : [];
    if (flags.length > 0) this.#liftable++;
    for (const flag of flags) this.#flags.add(flag);
  }

  /** Returns the sum: `7 calls: 6 ok, 1 refused (allow it with --allow-secrets=.env)`. */
  summary(): string {
    const calls = plural(this.#calls, this.#noun);
    const parts = (["ok", "refused", "failed", "stopped"] as const).flatMap((verdict) => {
      const count = this.#counts.get(verdict) ?? 0;
      return count === 0 ? [] : [`${count} ${verdict}${verdict === "refused" ? this.#hint(count) : ""}`];
    });
    return parts.length === 0 ? calls : `${calls}: ${parts.join(", ")}`;
  }

  #hint(count: number): string {
    const flags = [...this.#flags];
    if (flags.length === 0) return "";
    const more = flags.length > MAX_FLAGS ? ` and ${flags.length - MAX_FLAGS} more` : "";
    const what = this.#liftable < count ? `${this.#liftable} of them` : count === 1 ? "it" : "them";
    return ` (allow ${what} with ${showFlags(mergeFlags(flags.slice(0, MAX_FLAGS)))}${more})`;
  }
}
