import { isSameSecret } from "../../text/secrets/is_same_secret.ts";

/** How long a code holds, in milliseconds. */
const CODE_MS = 60_000;

/**
 * Lets one browser in, once and soon: its address is seen by all users of the machine while the browser is started, so it
 * must not have the token.
 */
export class OpeningCode {
  #code: string | null;
  readonly #until: number;

  /** @param now Milliseconds on a clock that only goes forward */
  constructor(code: string | undefined, now = performance.now()) {
    this.#code = code ?? null;
    this.#until = now + CODE_MS;
  }

  /** Takes the code, which then holds no more. */
  take(shown: string, now = performance.now()): boolean {
    if (this.#code === null || now >= this.#until) return false;
    const isRight = isSameSecret(shown, this.#code);
    if (isRight) this.#code = null;
    return isRight;
  }
}
