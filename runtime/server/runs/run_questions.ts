import type { z } from "zod";

import { ToolError } from "../../../schemas/error.ts";
import type { Confirm, Consent } from "../../../schemas/permission.ts";
import type { AskPerson } from "../../calls/control.ts";
import type { AnswerRun, Question } from "../api/run_schemas.ts";
import type { ServedEvent } from "./runs.ts";

type Asked = z.infer<typeof Question>;
type Given = z.infer<typeof AnswerRun>;

/** What the questions of a run depend on. */
export interface QuestionTerms {
  /** Aborts when the run is to end. */
  ended: AbortSignal;
  /** Whoever started the run did not expect a consent: it waits this long, and once nobody came, no longer. */
  consentSeconds?: number | undefined;
}

/** Longest answer that an event shows, in characters. */
const MAX_SHOWN = 4_000;
/** How long calls wait for consents, in seconds. */
const CONSENT_SECONDS = 300;

/** The questions of a run that wait for a person. */
export class RunQuestions {
  readonly #emit: (event: ServedEvent) => void;
  readonly #ended: AbortSignal;
  readonly #consentSeconds: number | undefined;
  /** Somebody has answered in time, as far as it was tried. */
  #isHeard = true;
  readonly #waiting = new Map<string, { question: Asked; resolve(given: Given | null): void }>();

  constructor(emit: (event: ServedEvent) => void, { ended, consentSeconds }: QuestionTerms) {
    this.#emit = emit;
    this.#ended = ended;
    this.#consentSeconds = consentSeconds;
  }

  /** Those that wait, the first one first. */
  get waiting(): readonly Asked[] {
    return [...this.#waiting.values()].map(({ question }) => question);
  }

  readonly ask: AskPerson = async ({ tool, question: text, context, isAnswer }, { signal }) => {
    // What comes next is another prompt.
    if (isAnswer) return null;
    const said = context === undefined || context.trim() === "" ? text : `${context}\n\n${text}`;
    const given = await this.#wait({ kind: "question", text: said, tool, change: null }, signal);
    return given?.answer ?? null;
  };

  readonly confirm: Confirm = async (call) => {
    const seconds = this.#consentSeconds ?? CONSENT_SECONDS;
    if (!this.#isHeard) return { no: nobodyCame(seconds) };
    const { change, targets, always } = await call.preview();
    const question = { kind: "consent", text: call.question, tool: call.tool, input: call.input } as const;
    const until = new Date(Date.now() + seconds * 1_000).toISOString();
    const shown = { ...question, change, targets: [...targets], always, until };
    const late = AbortSignal.timeout(seconds * 1_000);
    const given = await this.#wait(shown, late);
    if (given !== null || this.#ended.aborted) return consentOf(given);
    if (this.#consentSeconds !== undefined) this.#isHeard = false;
    return { no: nobodyCame(seconds) };
  };

  /**
   * Takes the answer to a question.
   *
   * @throws {ToolError} `conflict` if it does not wait (any more), `invalid_input` for an answer that is none
   */
  answer(given: Given): void {
    const all = this.waiting;
    const id = given.question ?? (all.length === 1 ? all[0]!.id : null);
    if (id === null) {
      throw new ToolError("invalid_input", `${all.length} questions wait: say which one is answered`);
    }
    const found = this.#waiting.get(id);
    if (!found) {
      throw new ToolError(
        "conflict",
        `Question ${JSON.stringify(id)} does not wait for an answer: it was answered, or the run has gone on`,
      );
    }
    checkAnswer(found.question, given);
    // Before anybody asks again, or answers it a second time.
    this.#waiting.delete(id);
    found.resolve(given);
  }

  async #wait(question: Omit<Asked, "id">, signal: AbortSignal): Promise<Given | null> {
    const asked = { id: crypto.randomUUID().slice(0, 8), ...question };
    const { promise, resolve } = Promise.withResolvers<Given | null>();
    const giveUp = () => resolve(null);
    if (signal.aborted || this.#ended.aborted) return null;
    for (const end of [signal, this.#ended]) end.addEventListener("abort", giveUp, { once: true });
    this.#waiting.set(asked.id, { question: asked, resolve });
    this.#emit({ type: "question", question: asked });
    try {
      const given = await promise;
      this.#waiting.delete(asked.id);
      const answer = given?.answer ?? given?.consent ?? null;
      this.#emit({ type: "question.end", id: asked.id, answer: answer && answer.slice(0, MAX_SHOWN) });
      return given;
    } finally {
      for (const end of [signal, this.#ended]) end.removeEventListener("abort", giveUp);
    }
  }
}

function checkAnswer({ kind, always }: Asked, { answer, consent }: Given): void {
  if (kind === "question" && answer === undefined) {
    throw new ToolError("invalid_input", "The run asks a question: give answer");
  }
  if (kind === "question") return;
  if (consent === undefined) {
    throw new ToolError("invalid_input", 'The run asks for consent: give consent, "once", "run" or "no"');
  }
  if (consent === "run" && always === null) {
    throw new ToolError("invalid_input", 'This consent can only be for this call: "once" or "no"');
  }
}

function nobodyCame(seconds: number): string {
  return `nobody answered within ${seconds} seconds, on the page or by POST /runs/ID/answer; whoever starts the server can ` +
    'set "permission": "allow" for the tool under "tools" in the configuration';
}

function consentOf(given: Given | null): Consent {
  if (given === null || given.consent === undefined) return false;
  if (given.consent !== "no") return given.consent;
  const reason = given.reason?.trim() ?? "";
  return reason === "" ? false : { no: reason };
}
