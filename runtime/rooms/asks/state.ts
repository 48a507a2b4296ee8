import type { SessionState } from "../../../schemas/context.ts";
import type { Asker } from "./asker.ts";
import { type AskChecks, isText, optional } from "./checks.ts";

/** Asks for what tools of the call's toolset remember. */
export type StateAsk = { kind: "state.get"; key: string } | {
  kind: "state.set";
  key: string;
  value: unknown;
} | {
  /** Is answered when nobody else holds the name; the call holds it until it gives it back, or ends. */
  kind: "state.hold";
  key: string;
} | {
  kind: "state.giveBack";
  key: string;
};

/** The values that a valid room sends. An `undefined` value gets lost on the way. */
export const STATE_CHECKS: AskChecks<StateAsk> = {
  "state.get": { key: isText },
  "state.set": { key: isText, value: optional(() => true) },
  "state.hold": { key: isText },
  "state.giveBack": { key: isText },
};

/** Returns the state of the running call's toolset, as main keeps it. */
export function askedState(ask: Asker<StateAsk>): SessionState {
  return {
    get: (key) => ask({ kind: "state.get", key }),
    set: async (key, value) => void await ask({ kind: "state.set", key, value }),
    async alone(key, work) {
      await ask({ kind: "state.hold", key });
      try {
        return await work();
      } finally {
        await ask({ kind: "state.giveBack", key });
      }
    },
  };
}
