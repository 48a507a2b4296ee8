import { isSameSecret } from "../../text/secrets/is_same_secret.ts";

/** How long a code holds, in milliseconds. */
const CODE_MS = 60_000;

/** Lets one browser in, once and soon: what opens a browser may tell its address, so it must not have the token. */
export class OpeningCode {
  readonly #code: string | null;
  #isTaken = false;
  readonly #until: number;

  /** @param now Milliseconds on a clock that only goes forward */
  constructor(code: string | undefined, now = performance.now()) {
    this.#code = code ?? null;
    this.#until = now + CODE_MS;
  }

  /** Says whether this is the code, whether or not it still holds. */
  isCode(shown: string): boolean {
    return this.#code !== null && isSameSecret(shown, this.#code);
  }

  /** Takes the code, which then holds no more: `again` for the right one that was taken before. */
  take(shown: string, now = performance.now()): "taken" | "again" | "refused" {
    if (!this.isCode(shown)) return "refused";
    if (this.#isTaken) return "again";
    this.#isTaken = now < this.#until;
    return this.#isTaken ? "taken" : "refused";
  }
}
