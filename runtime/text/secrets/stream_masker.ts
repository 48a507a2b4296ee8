import { makeMasker } from "./redact.ts";
import { formsOf } from "./secret_forms.ts";

/**
 * Masks the given secrets in a text that comes in pieces, wherever it was cut: what may be the beginning of a secret waits
 * for the next piece.
 */
export class StreamMasker {
  readonly #mask: (text: string) => string;
  readonly #forms: readonly string[];
  #held = "";

  constructor(secrets: readonly string[]) {
    this.#mask = makeMasker(secrets);
    this.#forms = secrets.flatMap(formsOf);
  }

  /** Takes the next piece; returns what can be told by now. */
  push(piece: string): string {
    const text = this.#mask(this.#held + piece);
    const told = text.length - Math.max(0, ...this.#forms.map((form) => begun(text, form)));
    this.#held = text.slice(told);
    return text.slice(0, told);
  }

  /** Ends the text; returns what waited. */
  flush(): string {
    const rest = this.#held;
    this.#held = "";
    return rest;
  }
}

/** How many characters at the end of a text are the beginning of a form. */
function begun(text: string, form: string): number {
  for (let length = Math.min(form.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(form.slice(0, length))) return length;
  }
  return 0;
}
