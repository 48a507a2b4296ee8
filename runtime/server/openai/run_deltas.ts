import type { ServedEvent } from "../runs/runs.ts";
import { AnswerText, type Said } from "./answer_text.ts";
import type { Delta } from "./chunk.ts";
import { remark, type StepView, stepView, type StreamStyle } from "./show_steps.ts";

/** Turns the events of a run into what a client is told of them. */
export class RunDeltas {
  readonly #text: AnswerText;
  readonly #steps: StepView;
  /** Ids of those that are waited for. */
  readonly #consents = new Set<string>();

  /** @param mustBeJson The answer is told at the end, and nothing but it is content */
  constructor(style: StreamStyle, mustBeJson: boolean) {
    this.#text = new AnswerText(mustBeJson);
    this.#steps = stepView(mustBeJson ? "reasoning" : style);
  }

  /** Returns what is told of an event. */
  hear(event: ServedEvent): Delta[] {
    switch (event.type) {
      case "text.delta": {
        const taken = event.restart ? this.#text.restart() : [];
        return said([...taken, ...this.#text.push(event.text)]);
      }
      case "turn.start":
        return said(this.#text.pause());
      case "tool.start":
        return [...said(this.#text.pause()), ...this.#steps.start(event)];
      case "tool.end":
        return this.#steps.end(event);
      case "run.queued":
        return [remark(`Waits behind ${event.ahead} ${event.ahead === 1 ? "run" : "runs"}\n`)];
      case "retry":
        return [remark(`Asks the model again (${event.n} of ${event.max}): ${event.message}\n`)];
      case "warning":
        return [remark(`${event.message}\n`)];
      case "question":
        if (event.question.kind !== "consent") return [];
        this.#consents.add(event.question.id);
        return [remark(askedFor(event.question))];
      case "question.end":
        return this.#consents.delete(event.id) ? [remark(`Consent: ${event.answer ?? "no answer"}\n`)] : [];
      case "compact":
        return [remark("Sums up what was said before\n")];
      default:
        return [];
    }
  }

  /** Returns what is told at the end; `null` without an answer. */
  end(answer: string | null): Delta[] {
    return said(this.#text.end(answer));
  }
}

/** Whoever reads it may be the one who can answer, or know who. */
function askedFor({ text, until }: Extract<ServedEvent, { type: "question" }>["question"]): string {
  const time = until === undefined ? "" : ` until ${until}`;
  return `${text}\nWaits${time} for consent on the server's page, or by POST /runs/ID/answer\n`;
}

function said(pieces: readonly Said[]): Delta[] {
  return pieces.map((piece) => "content" in piece ? { content: piece.content } : remark(piece.remark));
}
