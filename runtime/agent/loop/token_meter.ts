/** Lowest correction, as a part of the estimate: the counts of some providers are wrong. */
const LEAST_RATIO = 0.75;
const MOST_RATIO = 3;

/** Corrects estimates of requests by what the provider counted for the last one. */
export class TokenMeter {
  #ratio = 1;
  #last: { estimate: number; counted: number } | null = null;

  /** Notes the tokens that the provider counted for a request with this estimate. */
  learn(estimate: number, counted: number): void {
    if (!(counted > 0) || !(estimate > 0)) return;
    this.#ratio = Math.min(MOST_RATIO, Math.max(LEAST_RATIO, counted / estimate));
    this.#last = { estimate, counted };
  }

  /** Forgets the last request, because the conversation does not continue it. */
  restart(): void {
    this.#last = null;
  }

  /** Returns the tokens that a part of a request with this estimate takes. */
  scale(estimate: number): number {
    return estimate * this.#ratio;
  }

  /** Returns the tokens that the next request of the conversation, with this estimate, will take. */
  correct(estimate: number): number {
    const scaled = this.scale(estimate);
    const last = this.#last;
    // Beyond the bounds of the ratio, only what was added since the last request is estimated.
    const continued = last ? last.counted + (estimate - last.estimate) * this.#ratio : 0;
    return Math.ceil(Math.max(scaled, continued));
  }
}
