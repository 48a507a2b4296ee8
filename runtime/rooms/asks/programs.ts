import type {
  ProgramRun,
  Programs,
  ProgramSpec,
  SessionRead,
  SessionSpec,
} from "../../../schemas/program.ts";
import type { Asker } from "./asker.ts";
import {
  type AskChecks,
  type Check,
  isCount,
  isFlag,
  isSize,
  isText,
  isTextByName,
  isTexts,
  isTime,
  object,
  optional,
} from "./checks.ts";

/** Has main start a program, or speak with one that runs. */
export type ProgramAsk =
  /** Whether it could start, for `explain`. */
  | { kind: "program.check"; spec: ProgramSpec; vouched: boolean }
  | { kind: "program.run"; run: ProgramRun; vouched: boolean }
  | { kind: "program.open"; spec: SessionSpec; vouched: boolean }
  | { kind: "program.write"; id: string; data: string }
  | { kind: "program.read"; id: string; read: SessionRead }
  | { kind: "program.signal"; id: string; signal: "SIGINT" | "SIGTERM" | "SIGHUP" }
  | { kind: "program.close"; id: string; graceMs: number }
  | { kind: "program.screen"; id: string }
  | { kind: "program.keepScreen"; id: string; state: string; mark: number };

const isSignal: Check = (value) => value === "SIGINT" || value === "SIGTERM" || value === "SIGHUP";

const SPEC: Record<keyof ProgramSpec, Check> = {
  argv: isTexts,
  cwd: optional(isText),
  env: optional(isTextByName),
};
const RUN: Record<keyof ProgramRun, Check> = {
  ...SPEC,
  stdin: optional(isText),
  timeoutMs: optional(isTime),
  maxBytes: optional(isSize),
  cutBytes: optional(isSize),
  maxLines: optional(isCount),
  keepOutput: optional(isFlag),
};
const SESSION: Record<keyof SessionSpec, Check> = {
  ...SPEC,
  terminal: optional(object({ rows: isCount, cols: isCount })),
  headBytes: optional(isSize),
  bufferBytes: optional(isSize),
};
const READ: Record<keyof SessionRead, Check> = {
  waitMs: isTime,
  quietMs: optional(isTime),
  until: optional(isText),
  maxChars: optional(isCount),
};

export const PROGRAM_CHECKS: AskChecks<ProgramAsk> = {
  "program.check": { spec: object(SPEC), vouched: isFlag },
  "program.run": { run: object(RUN), vouched: isFlag },
  "program.open": { spec: object(SESSION), vouched: isFlag },
  "program.write": { id: isText, data: isText },
  "program.read": { id: isText, read: object(READ) },
  "program.signal": { id: isText, signal: isSignal },
  "program.close": { id: isText, graceMs: isTime },
  "program.screen": { id: isText },
  "program.keepScreen": { id: isText, state: isText, mark: isCount },
};

/**
 * Returns the programs that main starts for this room.
 *
 * @param vouched Every program of the call's command was found among those that the user named
 */
export function askedPrograms(asker: Asker<ProgramAsk>, vouched: boolean): Programs {
  // Main answers each question with what the contract of `Programs` says.
  const ask = <T>(question: ProgramAsk) => asker(question) as Promise<T>;
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
