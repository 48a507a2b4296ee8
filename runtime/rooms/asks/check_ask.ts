import type { ProgramRun, ProgramSpec, SessionRead, SessionSpec } from "../../../schemas/program.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import type { Ask } from "../protocol.ts";

/** Longest time that a timer takes, in milliseconds. */
const MAX_MS = 2 ** 31 - 1;
/** Most bytes of a program's output that main holds for one stream. */
const MAX_BYTES = 64 * 1024 * 1024;

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isFlag: Check = (value) => typeof value === "boolean";
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const isTextByName: Check = (value) => isObject(value) && Object.values(value).every(isText);
const isNumber = (min: number, max: number): Check => (value) =>
  typeof value === "number" && value >= min && value <= max;
const isTime = isNumber(-MAX_MS, MAX_MS);
const isCount = isNumber(0, Number.MAX_SAFE_INTEGER);
const isSize = isNumber(0, MAX_BYTES);
const isSignal: Check = (value) => value === "SIGINT" || value === "SIGTERM" || value === "SIGHUP";

const SPEC: Record<keyof ProgramSpec, Check> = { argv: isTexts, cwd: isText, env: isTextByName };
const RUN: Record<keyof ProgramRun, Check> = {
  ...SPEC,
  stdin: isText,
  timeoutMs: isTime,
  maxBytes: isSize,
  cutBytes: isSize,
  maxLines: isCount,
  keepOutput: isFlag,
};
const SESSION: Record<keyof SessionSpec, Check> = {
  ...SPEC,
  terminal: object({ rows: isCount, cols: isCount }, ["rows", "cols"]),
  headBytes: isSize,
  bufferBytes: isSize,
};
const READ: Record<keyof SessionRead, Check> = {
  waitMs: isTime,
  quietMs: isTime,
  until: isText,
  maxChars: isCount,
};

/** What each kind of question consists of, beside its kind. */
const ASKS: Readonly<Record<Ask["kind"], Readonly<Record<string, Check>>>> = {
  "state.get": { key: isText },
  "state.set": { key: isText, value: () => true },
  "artifact.write": { name: isText, bytes: isText },
  "document.read": { reader: isText, bytes: isText, input: isObject, timeoutMs: isTime },
  "user.ask": { question: isText, context: isText },
  "program.check": { spec: object(SPEC, ["argv"]), vouched: isFlag },
  "program.run": { run: object(RUN, ["argv"]), vouched: isFlag },
  "program.open": { spec: object(SESSION, ["argv"]), vouched: isFlag },
  "program.write": { id: isText, data: isText },
  "program.read": { id: isText, read: object(READ, ["waitMs"]) },
  "program.signal": { id: isText, signal: isSignal },
  "program.close": { id: isText, graceMs: isTime },
  "program.screen": { id: isText },
  "program.keepScreen": { id: isText, state: isText, mark: isCount },
};

/** Fields that a question may leave out. */
const OPTIONAL: ReadonlySet<string> = new Set(["value", "timeoutMs", "context"]);

/** Says whether a question is one that an honest room could ask: what a room says is not to be trusted. */
export function isAsk(value: unknown): value is Ask {
  if (!isObject(value) || typeof value.kind !== "string" || !Object.hasOwn(ASKS, value.kind)) return false;
  const fields = ASKS[value.kind as Ask["kind"]];
  const required = Object.keys(fields).filter((name) => !OPTIONAL.has(name));
  return object({ kind: isText, ...fields }, required)(value);
}

/** Checks an object's fields, all of which must be known. */
function object(fields: Readonly<Record<string, Check>>, required: readonly string[]): Check {
  return (value) =>
    isObject(value) && required.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, field]) =>
      Object.hasOwn(fields, name) &&
      (fields[name]!(field) || (field === undefined && !required.includes(name)))
    );
}
