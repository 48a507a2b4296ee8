import type { Command } from "../../../schemas/command.ts";
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

/** Asks main to start a program, or to use one that runs. */
export type ProgramAsk =
  /** Whether the program could start, for `explain`. */
  | { kind: "program.check"; command: Command; apart?: boolean }
  | { kind: "program.run"; run: ProgramRun }
  | { kind: "program.open"; spec: SessionSpec }
  | { kind: "program.command"; id: string; script: string }
  | { kind: "program.write"; id: string; data: string }
  | { kind: "program.read"; id: string; read: SessionRead }
  | { kind: "program.signal"; id: string; signal: "SIGINT" | "SIGTERM" | "SIGHUP" }
  | { kind: "program.close"; id: string; graceMs: number }
  | { kind: "program.screen"; id: string }
  | { kind: "program.keepScreen"; id: string; state: string; mark: number }
  | { kind: "program.serveApart" };

const isSignal: Check = (value) => value === "SIGINT" || value === "SIGTERM" || value === "SIGHUP";

const isWords = object({ argv: isTexts, stdin: optional(isText) });
const isScript = object({ script: isText, shell: isText, typed: optional(isFlag) });
const isCommand: Check = (value) => isWords(value) || isScript(value);

const SPEC: Record<keyof ProgramSpec, Check> = {
  argv: isTexts,
  script: optional(isText),
  cwd: optional(isText),
  env: optional(isTextByName),
  apart: optional(isFlag),
};
const RUN: Record<keyof ProgramRun, Check> = {
  ...SPEC,
  stdin: optional(isText),
  timeoutMs: optional(isTime),
  maxBytes: optional(isSize),
  cutBytes: optional(isSize),
  maxLines: optional(isCount),
  verbatim: optional(isFlag),
  keepOutput: optional(isFlag),
};
const SESSION: Record<keyof SessionSpec, Check> = {
  ...SPEC,
  shell: optional(isFlag),
  terminal: optional(object({ rows: isCount, cols: isCount })),
  headBytes: optional(isSize),
  bufferBytes: optional(isSize),
};
const READ: Record<keyof SessionRead, Check> = {
  waitMs: isTime,
  quietMs: optional(isTime),
  until: optional(isText),
  maxChars: optional(isCount),
  tellRest: optional(isFlag),
};

export const PROGRAM_CHECKS: AskChecks<ProgramAsk> = {
  "program.check": { command: isCommand, apart: optional(isFlag) },
  "program.run": { run: object(RUN) },
  "program.open": { spec: object(SESSION) },
  "program.command": { id: isText, script: isText },
  "program.write": { id: isText, data: isText },
  "program.read": { id: isText, read: object(READ) },
  "program.signal": { id: isText, signal: isSignal },
  "program.close": { id: isText, graceMs: isTime },
  "program.screen": { id: isText },
  "program.keepScreen": { id: isText, state: isText, mark: isCount },
  "program.serveApart": {},
};

/** Returns the programs that main starts for this room. */
export function askedPrograms(asker: Asker<ProgramAsk>): Programs {
  // Main answers each question with what the contract of `Programs` says.
  const ask = <T>(question: ProgramAsk) => asker(question) as Promise<T>;
  return {
    run: (run) => ask({ kind: "program.run", run }),
    open: (spec) => ask({ kind: "program.open", spec }),
    command: async (id, script) => void await ask({ kind: "program.command", id, script }),
    write: async (id, data) => void await ask({ kind: "program.write", id, data }),
    read: (id, read) => ask({ kind: "program.read", id, read }),
    signal: async (id, signal) => void await ask({ kind: "program.signal", id, signal }),
    close: (id, { graceMs }) => ask({ kind: "program.close", id, graceMs }),
    screen: (id) => ask({ kind: "program.screen", id }),
    keepScreen: async (id, kept) => void await ask({ kind: "program.keepScreen", id, ...kept }),
    serveApart: () => ask({ kind: "program.serveApart" }),
  };
}
