import { Buffer } from "node:buffer";

import type { Artifacts, Documents, SessionState, ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { Programs } from "../../../schemas/program.ts";
import type { AnswerMessage, Ask, FromRoom } from "../protocol.ts";

/** The room's side of what only main can do: it asks, main answers or refuses. */
export class RoomAsks {
  readonly #post: (message: FromRoom) => void;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #asked = 0;

  constructor(post: (message: FromRoom) => void) {
    this.#post = post;
  }

  /** Asks main, and returns its answer. Rejects with the {@linkcode ToolError} that main answered with. */
  ask(ask: Ask): Promise<unknown> {
    const n = ++this.#asked;
    const question = Promise.withResolvers<unknown>();
    this.#waiting.set(n, question);
    this.#post({ t: "ask", n, ask });
    return question.promise;
  }

  /** Takes main's answer. */
  receive({ n, value, error }: AnswerMessage): void {
    const question = this.#waiting.get(n);
    this.#waiting.delete(n);
    if (error) question?.reject(new ToolError(error.code, error.message, error));
    else question?.resolve(value);
  }
}

/** Returns the state of the running call's toolset, as main keeps it. */
export function askedSession(asks: RoomAsks): SessionState {
  return {
    get: (key) => asks.ask({ kind: "state.get", key }),
    set: async (key, value) => void await asks.ask({ kind: "state.set", key, value }),
  };
}

/** Returns what main keeps of the files that calls leave. */
export function askedArtifacts(asks: RoomAsks): Artifacts {
  return {
    // Main answers with what the contract of `Artifacts` says.
    write: (name, bytes) =>
      asks.ask({ kind: "artifact.write", name, bytes: toBase64(bytes) }) as ReturnType<Artifacts["write"]>,
  };
}

/** Returns the readers that main opens for this room. */
export function askedDocuments(asks: RoomAsks): Documents {
  return {
    read: (reader, bytes, { input, timeoutMs }) =>
      asks.ask({ kind: "document.read", reader, bytes: toBase64(bytes), input, timeoutMs }),
  };
}

/** Returns the person whom main can ask. */
export function askedPerson(asks: RoomAsks): ToolContext["ask"] {
  // Main answers with what the contract of `ToolContext` says.
  return ({ question, context }) =>
    asks.ask({ kind: "user.ask", question, context }) as ReturnType<ToolContext["ask"]>;
}

/** Returns bytes as text that a message can hold. */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/**
 * Returns the programs that main starts for this room.
 *
 * @param vouched Every program of the call's command was found among those that the user named
 */
export function askedPrograms(asks: RoomAsks, vouched: boolean): Programs {
  // Main answers each question with what the contract of `Programs` says.
  const ask = <T>(question: Ask) => asks.ask(question) as Promise<T>;
  return {
    run: (run) => ask({ kind: "program.run", run, vouched }),
    open: (spec) => ask({ kind: "program.open", spec, vouched }),
    write: async (id, data) => void await ask({ kind: "program.write", id, data }),
    read: (id, read) => ask({ kind: "program.read", id, read }),
    signal: async (id, signal) => void await ask({ kind: "program.signal", id, signal }),
    close: (id, { graceMs }) => ask({ kind: "program.close", id, graceMs }),
    screen: (id) => ask({ kind: "program.screen", id }),
    keepScreen: async (id, kept) => void await ask({ kind: "program.keepScreen", id, ...kept }),
  };
}
