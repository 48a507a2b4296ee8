/** A piece of what a client is told: text of the answer, or a remark beside it. */
export type Said = { content: string } | { remark: string };

/** Letters of a turn that wait until it is likely that they begin the answer: short words before a call are not. */
const HELD = 240;

/**
 * Tells the text of a model as the content of an answer while it comes. Content cannot be taken back: the beginning of each
 * turn is held, and becomes a remark if a call follows or is forgotten if the model takes it back. Text that comes again
 * after a broken stream is not told twice, as long as it is the same.
 */
export class AnswerText {
  readonly #held: number;
  /** The text of the turn so far. */
  #turn = "";
  /** How much of it has been told. */
  #told = 0;
  /** Text that was told and then taken back: the turn most likely says it again. */
  #before = "";
  /** The last text of a turn that was told to its end. */
  #last = "";
  /** Content was told, so that more of another turn needs a space. */
  #needsSpace = false;

  /** @param isWhole Nothing is told before the end, such as for an answer that must be one JSON text */
  constructor(isWhole: boolean) {
    this.#held = isWhole ? Infinity : HELD;
  }

  /** Text of the model has come. */
  push(text: string): Said[] {
    this.#turn += text;
    if (this.#before !== "") return this.#repeat();
    if (this.#told === 0 && this.#turn.length < this.#held) return [];
    return this.#tell(this.#told === 0 ? this.#turn : text);
  }

  /** The model takes back the text of the turn. */
  restart(): Said[] {
    if (this.#told > 0) this.#before = this.#turn;
    this.#turn = "";
    this.#told = 0;
    return [];
  }

  /** The turn is over, or goes on with a call. */
  pause(): Said[] {
    const said = this.#turn.trim();
    const isTold = this.#told > 0;
    if (isTold) this.#last = said;
    this.#turn = "";
    this.#told = 0;
    this.#before = "";
    return isTold || said === "" ? [] : [{ remark: `${said}\n` }];
  }

  /** The run has ended; `null` without an answer. */
  end(answer: string | null): Said[] {
    if (answer === null) return this.pause();
    const wanted = answer.trim();
    const told = this.#told > 0 ? this.#turn.slice(0, this.#told).trimStart() : this.#before.trim();
    if (wanted === told.trimEnd() || wanted === this.#last) return [];
    if (told !== "" && wanted.startsWith(told)) return this.#tell(wanted.slice(told.length), true);
    // What is held is the answer itself, or some words before it.
    const isHeld = this.#turn.trim() === wanted || told !== "" || this.#held === Infinity;
    const said = isHeld ? [] : this.pause();
    this.#turn = "";
    this.#told = 0;
    return [...said, ...this.#tell(answer)];
  }

  #repeat(): Said[] {
    if (this.#before.startsWith(this.#turn)) return [];
    const isSame = this.#turn.startsWith(this.#before);
    this.#told = isSame ? this.#before.length : 0;
    this.#before = "";
    return this.#tell(this.#turn.slice(this.#told), isSame);
  }

  #tell(text: string, goesOn = this.#told > 0): Said[] {
    const space = this.#needsSpace && !goesOn ? "\n\n" : "";
    const content = goesOn || this.#told > 0 ? text : text.trimStart();
    this.#told = this.#turn.length;
    if (content === "") return [];
    this.#needsSpace = true;
    return [{ content: space + content }];
  }
}
