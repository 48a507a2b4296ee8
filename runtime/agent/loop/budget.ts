import { plural } from "../../text/plural.ts";
import {
  type AgentLimits,
  type AgentTermination,
  type AgentUsage,
  NO_USAGE,
} from "../../../schemas/agent/agent.ts";
import { isAside, type ModelProfile, type Purpose, type Usage } from "../../../schemas/agent/model.ts";
import { canonicalJson } from "../../text/canonical_json.ts";

/** A limit that was reached. */
export interface Excess {
  termination: AgentTermination;
  message: string;
}

/** What a run has used so far, compared with its limits. */
export class Budget {
  readonly #limits: AgentLimits;
  readonly #prices: ModelProfile["prices"];
  readonly #usage: AgentUsage;
  readonly #onUsage: ((usage: AgentUsage) => void) | undefined;
  /** Calls that may begin or have begun. */
  #taken = 0;
  #faults = 0;
  #lastCall = "";
  /** Turns in a row that asked for the last call. */
  #repeats = 0;
  /** Nobody knows what some reply cost. */
  #isUnpriced = false;

  /** @param onUsage Hears what was taken so far, after each reply and each call */
  constructor(
    limits: AgentLimits,
    prices: ModelProfile["prices"],
    onUsage?: (usage: AgentUsage) => void,
  ) {
    this.#limits = limits;
    this.#onUsage = onUsage;
    this.#prices = prices;
    this.#usage = { ...NO_USAGE, cost: prices === null ? null : 0 };
  }

  /** What was taken so far. */
  get usage(): AgentUsage {
    return { ...this.#usage };
  }

  /** Counts one reply. A turn of the task is a round, and so is what an MCP server asks. */
  addReply(purpose: Purpose, usage: Usage, options: { estimated: boolean }): void {
    const sum = this.#usage;
    if (isRound(purpose)) sum.rounds++;
    sum.input_tokens += usage.input_tokens;
    sum.cached_tokens += usage.cached_tokens;
    sum.output_tokens += usage.output_tokens;
    sum.estimated ||= options.estimated;
    const priced = this.#prices && costOf(usage, this.#prices);
    // A server whose count was not believed may also say too small a cost.
    const cost = usage.cost === undefined
      ? priced
      : Math.max(usage.cost, options.estimated ? priced ?? 0 : 0);
    if (cost === null) this.#isUnpriced = true;
    else sum.cost = (sum.cost ?? 0) + cost;
    this.#onUsage?.(this.usage);
  }

  /** Returns the limit that forbids another request, `null` if there is room. */
  excess(purpose: Purpose): Excess | null {
    const { rounds, tokens, cost } = this.#limits;
    const used = this.#usage;
    if (isRound(purpose) && used.rounds >= rounds) {
      return { termination: "max_rounds", message: `The limit of ${plural(rounds, "round")} is reached` };
    }
    if (tokens !== null && used.input_tokens + used.output_tokens >= tokens) {
      return { termination: "max_tokens", message: `The limit of ${tokens} tokens is reached` };
    }
    if (cost !== null && used.cost !== null && used.cost >= cost) {
      return { termination: "max_cost", message: `The limit of ${cost} dollars is reached` };
    }
    if (cost !== null && this.#isUnpriced) {
      const message =
        `The limit of ${cost} dollars cannot be kept: the provider did not say what a reply cost, ` +
        "and the configuration has no prices of the model";
      return { termination: "max_cost", message };
    }
    return null;
  }

  /** Takes one of the remaining calls. @returns `false` if there are no more */
  takeCall(): boolean {
    if (this.#taken >= this.#limits.calls) return false;
    this.#taken++;
    return true;
  }

  /** Counts a call that was made. */
  addCall({ ok }: { ok: boolean }): void {
    this.#usage.calls++;
    if (!ok) this.#usage.failed++;
    this.#onUsage?.(this.usage);
  }

  /** Useless replies in a row so far. */
  get faults(): number {
    return this.#faults;
  }

  /** Counts a useless reply. @returns Whether there are too many of them now */
  addFault(): boolean {
    this.#faults++;
    return this.#faults >= this.#limits.faults;
  }

  /** Notes a useful reply: only useless replies in a row count. */
  clearFaults(): void {
    this.#faults = 0;
  }

  /**
   * Takes note of the calls of one turn, in their order. The same call counts once a turn: the model had not seen its
   * result.
   *
   * @returns How many turns in a row asked for the same call, with no other call between
   */
  addCalls(calls: readonly { tool: string; arguments: unknown }[]): number {
    let most = 0;
    let before = "";
    for (const call of calls) {
      const key = `${call.tool} ${canonicalJson(call.arguments)}`;
      if (key === before) continue;
      this.#repeats = before === "" && key === this.#lastCall ? this.#repeats + 1 : 1;
      this.#lastCall = before = key;
      most = Math.max(most, this.#repeats);
    }
    return most;
  }
}

function isRound(purpose: Purpose): boolean {
  return purpose === "turn" || isAside(purpose);
}

function costOf(usage: Usage, prices: NonNullable<ModelProfile["prices"]>): number {
  const fresh = Math.max(0, usage.input_tokens - usage.cached_tokens);
  const dollars = fresh * prices.input + usage.cached_tokens * prices.cached_input +
    usage.output_tokens * prices.output;
  return dollars / 1_000_000;
}
