/** The marks around a thought, by their beginning. */
const MARKS: Readonly<Record<string, string>> = {
  "<think>": "</think>",
  "<thinking>": "</thinking>",
  "<thought>": "</thought>",
  "<reasoning>": "</reasoning>",
  "[THINK]": "[/THINK]",
};
const OPENS = Object.keys(MARKS);
const CLOSES = Object.values(MARKS);
const LONGEST_MARK = Math.max(...CLOSES.map(({ length }) => length));

/** Where in a reply a splitter is. */
type State =
  /** Nothing but blanks and thoughts came so far. */
  | { at: "start" }
  | { at: "thought"; close: string }
  /** The answer, or a thought whose beginning the server left out. */
  | { at: "answer"; isWatched: boolean };

/**
 * Parts the text of a reply, as it comes in pieces cut anywhere, into the model's thoughts and its answer. Thoughts stand
 * between marks at the beginning. Some servers leave out the first mark, because it belongs to their prompt: then all
 * before the second one is thought, unless it stands in quotes or code.
 */
export class ThoughtSplitter {
  /** The answer so far. */
  text = "";
  /** The thoughts so far. */
  thought = "";
  /** The server left out the mark before a thought. */
  leftOut = false;
  readonly #holds: boolean;
  #state: State = { at: "start" };
  /** What came and cannot be parted yet. */
  #held = "";
  /** How much of that was searched for a mark. */
  #searched = 0;
  /** What the last piece added to the answer: to cut it out of the answer would copy all of that, each time. */
  #told = "";

  /** @param options.holds The server is known to leave out the first mark: no text is told before the second one */
  constructor({ holds = false }: { holds?: boolean } = {}) {
    this.#holds = holds;
  }

  /** Takes a piece. @returns The part of the answer in it, as far as it is known to be one */
  add(piece: string): string {
    this.#held += piece;
    return this.#part({ isEnd: false });
  }

  /** Says that nothing more comes. @returns The rest of the answer */
  end(): string {
    return this.#part({ isEnd: true });
  }

  #part(options: { isEnd: boolean }): string {
    this.#told = "";
    for (let goesOn = true; goesOn;) goesOn = this.#step(options);
    return this.#told;
  }

  /** Parts what can be parted. Says whether there may be more. */
  #step({ isEnd }: { isEnd: boolean }): boolean {
    const state = this.#state;
    if (state.at === "start") return this.#begin(isEnd);
    if (state.at === "thought") return this.#think(state.close, isEnd);
    return this.#answer(state, isEnd);
  }

  #begin(isEnd: boolean): boolean {
    const rest = this.#held.trimStart();
    const open = OPENS.find((mark) => startsWith(rest, mark));
    if (open !== undefined) {
      this.#held = rest.slice(open.length);
      this.#state = { at: "thought", close: MARKS[open]! };
      return true;
    }
    const mayOpen = OPENS.some((mark) => startsWith(mark, rest));
    if (mayOpen && !isEnd) return false;
    // Blanks behind a thought do not belong to the answer.
    if (this.thought !== "") this.#held = rest;
    this.#state = { at: "answer", isWatched: true };
    return this.#held !== "";
  }

  #think(close: string, isEnd: boolean): boolean {
    const end = indexOf(this.#held, close);
    if (end >= 0) {
      this.thought += this.#held.slice(0, end);
      this.#held = this.#held.slice(end + close.length);
      this.#state = { at: "start" };
      return true;
    }
    const keep = isEnd ? 0 : overlap(this.#held, [close]);
    this.thought += this.#held.slice(0, this.#held.length - keep);
    this.#held = keep === 0 ? "" : this.#held.slice(-keep);
    return false;
  }

  #answer(state: State & { at: "answer" }, isEnd: boolean): boolean {
    const found = state.isWatched ? firstOf(this.#held, CLOSES, this.#searched) : null;
    if (found === null) {
      this.#searched = Math.max(0, this.#held.length - LONGEST_MARK);
      const holds = state.isWatched && this.#holds;
      const keep = isEnd ? 0 : holds ? this.#held.length : state.isWatched ? overlap(this.#held, CLOSES) : 0;
      const told = this.#held.slice(0, this.#held.length - keep);
      this.text += told;
      this.#told += told;
      this.#held = keep === 0 ? "" : this.#held.slice(-keep);
      if (!holds) this.#searched = 0;
      return false;
    }
    const { at, mark } = found;
    const behind = this.#held[at + mark.length];
    // The character behind may be a quote.
    if (behind === undefined && !isEnd) return false;
    const before = this.text + this.#held.slice(0, at);
    if (isQuoted(before, behind) || OPENS.some((open) => indexOf(before, open) >= 0)) {
      this.#state = { at: "answer", isWatched: false };
      return true;
    }
    this.leftOut = true;
    this.thought += before;
    this.text = this.#told = "";
    this.#held = this.#held.slice(at + mark.length);
    this.#searched = 0;
    this.#state = { at: "start" };
    return true;
  }
}

/** Whether a mark stands in quotes or in code: then the text is about it. */
function isQuoted(before: string, behind: string | undefined): boolean {
  const fences = before.match(/^\s*```/gm)?.length ?? 0;
  return /["'`]$/.test(before) || (behind !== undefined && /["'`]/.test(behind)) || fences % 2 === 1;
}

function firstOf(
  text: string,
  marks: readonly string[],
  from: number,
): { at: number; mark: string } | null {
  const rest = text.slice(from);
  const found = marks.map((mark) => ({ at: indexOf(rest, mark), mark })).filter(({ at }) => at >= 0)
    .map(({ at, mark }) => ({ at: at + from, mark }));
  return found.toSorted((a, b) => a.at - b.at)[0] ?? null;
}

/** How much of the end of a text may be the beginning of a mark. */
function overlap(text: string, marks: readonly string[]): number {
  const longest = Math.min(text.length, LONGEST_MARK - 1);
  for (let length = longest; length > 0; length--) {
    const end = text.slice(-length);
    if (marks.some((mark) => startsWith(mark, end))) return length;
  }
  return 0;
}

function startsWith(text: string, beginning: string): boolean {
  return text.slice(0, beginning.length).toLowerCase() === beginning.toLowerCase();
}

function indexOf(text: string, mark: string): number {
  return text.toLowerCase().indexOf(mark.toLowerCase());
}
