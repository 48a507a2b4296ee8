/** A value that many look at. */
export class Store<Value> {
  #value: Value;
  readonly #listeners = new Set<() => void>();

  constructor(value: Value) {
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  /** Replaces the value by what the function makes of it; who listens is told if it is another one. */
  change(how: (value: Value) => Value): void {
    const next = how(this.#value);
    if (next === this.#value) return;
    this.#value = next;
    for (const listener of this.#listeners) listener();
  }

  /** Calls the listener after each change; returns what ends that. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
