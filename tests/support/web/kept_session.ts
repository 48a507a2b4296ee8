import type { SessionState } from "../../../schemas/context.ts";
import { HeldNames } from "../../../runtime/state/held_names.ts";

/** A session that lasts as long as the test, with copies of the values as main keeps them. */
export interface KeptSession extends SessionState {
  /** What is kept, as JSON. */
  values: Map<string, string>;
  /** Names of the values that were asked for, first to last. */
  asked: string[];
}

/** Makes an empty session. */
export function keptSession(): KeptSession {
  const values = new Map<string, string>();
  const names = new HeldNames();
  const asked: string[] = [];
  return {
    values,
    asked,
    get(key) {
      asked.push(key);
      return Promise.resolve(values.has(key) ? JSON.parse(values.get(key)!) : undefined);
    },
    set: (key, value) => Promise.resolve(void values.set(key, JSON.stringify(value))),
    async alone(name, work) {
      using _ = await names.hold(name, new AbortController().signal);
      return await work();
    },
  };
}
