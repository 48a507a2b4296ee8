import { type CheckedList, type ListPage, ListPins } from "./list_pins.ts";
import type { Described, ListName, PinStore } from "./pin_store.ts";

/** What the protocol recommends for names of tools. */
const TOOL_NAME = /^[\w./-]{1,128}$/;
/** Prompts have names for people: everything that they can see. */
const PROMPT_NAME = /^[^\p{C}\p{Zl}\p{Zp}]{1,128}$/u;

/**
 * What a server says of itself, its tools and its prompts, held to what it said when it was first used: what is described
 * in another way, or is new, is kept from the client until the user accepts it.
 */
export class ServerPins {
  readonly #store: PinStore;
  readonly #lists: Readonly<Record<ListName, ListPins>>;
  #instructions: string | null | undefined;
  #seenInstructions: string | null | undefined;

  constructor(store: PinStore) {
    const pinned = store.read()?.pinned;
    this.#store = store;
    this.#lists = {
      tools: new ListPins(pinned?.tools, TOOL_NAME),
      prompts: new ListPins(pinned?.prompts, PROMPT_NAME),
    };
    this.#instructions = pinned?.instructions;
    this.#seenInstructions = pinned?.instructions;
  }

  /** Why a tool or a prompt is refused, `null` if it is not. */
  refusal(list: ListName, name: string): string | null {
    return this.#lists[list].refusal(name);
  }

  /** Checks a page of a list. */
  check(list: ListName, entries: readonly unknown[], page: ListPage): CheckedList {
    const pins = this.#lists[list];
    const isFirst = pins.isOpen;
    const checked = pins.check(entries, page);
    const lists = Object.values(this.#lists);
    const isOther = this.#seenInstructions !== this.#instructions || lists.some(({ isOther }) => isOther);
    if (isFirst || page.ends && isOther) {
      const seen = isOther ? this.#described(this.#seenInstructions, "seen") : null;
      this.#store.write({ pinned: this.#described(this.#instructions, "pinned"), seen });
    }
    return checked;
  }

  /** Checks what a server says of itself. Says whether it goes on to the client. */
  checkInstructions(text: string | null): boolean {
    this.#seenInstructions = text;
    if (this.#instructions === undefined) this.#instructions = text;
    // What is left out can mislead nobody.
    return text === null || text === this.#instructions;
  }

  #described(instructions: string | null | undefined, which: "pinned" | "seen"): Described {
    const { tools: { [which]: tools }, prompts: { [which]: prompts } } = this.#lists;
    return { instructions: instructions ?? null, ...tools && { tools }, ...prompts && { prompts } };
  }
}
