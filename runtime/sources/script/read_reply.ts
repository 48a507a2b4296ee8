import { type ErrorCode, EXIT_CODES, ToolError } from "../../../schemas/error.ts";
import { isTooDeep } from "../../../schemas/json/json_text.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import type { ClippedOutput, ProgramEnd } from "../../../schemas/program.ts";
import type { ScriptTool } from "../../../schemas/config.ts";
import { signalOf } from "../../programs/launch/tell_start.ts";
import { onOneLine, visibleJson } from "../../text/strip_controls.ts";

/** Most bytes of a script's stdout: its whole result. */
export const MAX_REPLY_BYTES = 4 * 1024 * 1024;
/** Most artifacts of a call. */
const MAX_ARTIFACTS = 1_000;

/** How much of an output is shown in an error, in characters. */
const MAX_SHOWN = 200;
const MAX_LOG_SHOWN = 2_000;

/** What a script answered. */
export interface ScriptReply {
  result: unknown;
  /** Why it says that it failed, `null` if it does not. */
  failure: ToolError | null;
  /** Paths as the script wrote them. */
  artifacts: readonly string[];
  warnings: readonly string[];
}

/** Why an answer of a script cannot be used; each reason has a message of its own. */
export type ReplyProblem =
  /** It ended with another code than 0, or by a signal. */
  | "exit_code"
  /** Nothing on stdout, but something on stderr. */
  | "stderr"
  /** Nothing at all. */
  | "empty"
  | "oversize"
  | "malformed"
  /** It said itself that it failed. */
  | "failed";

const ENVELOPE = ["ok", "result", "artifacts", "warnings", "error"];
/** They may stand beside them. */
const BESIDE = ["tool_name", "metadata"];

/**
 * Reads what a script wrote that has ended by itself.
 *
 * @param name The tool's full name, for messages
 * @throws {ToolError} With the {@linkcode ReplyProblem} as `reason` in its details: `external_failure` for its exit code,
 * and its stderr, `limit_exceeded` if it wrote too much, else `output_invalid`. What it says itself is its `failure`
 */
export function readReply(
  { exitCode, stdout, stderr }: Pick<ProgramEnd, "exitCode" | "stdout" | "stderr">,
  { name, reply }: { name: string; reply: ScriptTool["reply"] },
): ScriptReply {
  const log = logOf(stderr);
  const fail = (reason: ReplyProblem, code: ErrorCode, message: string, details = {}) => {
    const said = log === "" ? {} : { stderr: log };
    return new ToolError(code, `${name} ${message}`, {
      retryable: false,
      details: { reason, exit_code: exitCode, ...said, ...details },
    });
  };
  const told = log === "" ? "" : `, and wrote to stderr: ${log}`;
  if (stdout.bytes > MAX_REPLY_BYTES) {
    throw fail(
      "oversize",
      "limit_exceeded",
      `wrote ${stdout.bytes} bytes to stdout: at most ${MAX_REPLY_BYTES} are taken, write the rest to a file`,
      { bytes: stdout.bytes, max_bytes: MAX_REPLY_BYTES },
    );
  }
  const read = readJson(stdout);
  const envelope = "value" in read ? envelopeOf(read.value, reply) : null;
  // A script may say why it failed, and end with the code of a failure.
  if (exitCode !== 0 && envelope?.ok !== false) {
    const start = stdout.head.trim() === "" ? "" : `; its stdout begins with ${startOf(stdout.head)}`;
    const said = told || `, without a word on stderr${start}`;
    throw fail("exit_code", "external_failure", `${endOf(exitCode)}${said}`);
  }
  if (stdout.bytes === 0 && log !== "") {
    throw fail("stderr", "external_failure", `wrote nothing to stdout, but to stderr: ${log}`);
  }
  if ("problem" in read && read.problem === "empty") {
    throw fail("empty", "output_invalid", "wrote nothing to stdout: it must write its result there, as JSON");
  }
  if ("problem" in read) {
    throw fail(
      "malformed",
      "output_invalid",
      `did not write one JSON value to stdout: ${read.problem}${told}`,
    );
  }
  if (envelope === null) {
    if (reply !== "envelope") return { result: read.value, failure: null, artifacts: [], warnings: [] };
    throw fail("malformed", "output_invalid", `did not write an envelope: ${missingKeys(read.value)}${told}`);
  }
  return readEnvelope(envelope, fail);
}

/** Makes the error for a reason. */
type Fail = (reason: ReplyProblem, code: ErrorCode, message: string, details?: object) => ToolError;

function readEnvelope(envelope: Envelope, fail: Fail): ScriptReply {
  const failure = envelope.ok ? null : failureOf(envelope, fail);
  const problem = envelopeProblem(envelope);
  // Why it failed is worth more than what is wrong with the rest of its words.
  if (problem !== null && failure !== null) return { result: null, failure, artifacts: [], warnings: [] };
  if (problem !== null) throw fail("malformed", "output_invalid", `wrote an envelope that ${problem}`);
  const { result = null, artifacts, warnings } = envelope;
  return {
    result,
    failure,
    artifacts: artifactsOf(artifacts ?? []).map((path) => String(path)),
    warnings: ((warnings ?? []) as unknown[]).map((warning) =>
      onOneLine(typeof warning === "string" ? warning : JSON.stringify(warning))
    ),
  };
}

/** Returns what a script wrote to stderr, for an error. */
export function logOf({ head, tail }: ClippedOutput): string {
  return linesOf(tail === "" ? head : `${head}\n…\n${tail}`);
}

/** Words of a script: what nobody sees in them stands as its code. */
function linesOf(words: string): string {
  const text = words.trim();
  const shown = text.length > MAX_LOG_SHOWN ? `…${text.slice(-MAX_LOG_SHOWN)}` : text;
  return shown.split(/\r?\n/).map(onOneLine).join("\n");
}

function startOf(text: string): string {
  return visibleJson(text.trim().slice(0, MAX_SHOWN));
}

function readJson({ head, tail, bytes, replaced }: ClippedOutput): { value: unknown } | { problem: string } {
  const text = `${head}${tail}`;
  if (bytes === 0 || text.trim() === "") return { problem: "empty" };
  if (replaced) return { problem: "it is not UTF-8" };
  try {
    // Some languages write a mark of the byte order first.
    const value = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isTooDeep(value) ? { problem: "it is nested too deeply" } : { value };
  } catch {
    return { problem: `it begins with ${startOf(text)}` };
  }
}

type Envelope = { ok: boolean } & Record<string, unknown>;

/** An object that only has the fields of an envelope is one, unless its tool writes results alone. */
function envelopeOf(value: unknown, reply: ScriptTool["reply"]): Envelope | null {
  if (reply === "bare" || !isObject(value) || typeof value.ok !== "boolean") return null;
  if (reply === "envelope") return isWhole(value) || !value.ok ? value as Envelope : null;
  const names = Object.keys(value);
  const isOne = names.length > 1 && names.every((name) => [...ENVELOPE, ...BESIDE].includes(name));
  return isOne ? value as Envelope : null;
}

function isWhole(value: Record<string, unknown>): boolean {
  return ENVELOPE.every((name) => name === "error" || Object.hasOwn(value, name));
}

function missingKeys(value: unknown): string {
  if (!isObject(value)) return "write an object with ok, result, artifacts and warnings";
  if (Object.hasOwn(value, "ok") && typeof value.ok !== "boolean") return "ok must be true or false";
  const missing = ENVELOPE.filter((name) => name !== "error" && !Object.hasOwn(value, name));
  return `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} missing`;
}

function envelopeProblem(envelope: Envelope): string | null {
  const { ok, error = null } = envelope;
  const artifacts = envelope.artifacts ?? [];
  const warnings = envelope.warnings ?? [];
  if (ok && error !== null) return "has an error, although ok is true";
  if (!Array.isArray(warnings)) return "has no list as its warnings";
  if (!Array.isArray(artifacts)) return "has no list as its artifacts";
  if (artifacts.length > MAX_ARTIFACTS) return `has more than ${MAX_ARTIFACTS} artifacts`;
  const wrong = artifactsOf(artifacts).findIndex((path) => typeof path !== "string" || path === "");
  return wrong < 0 ? null : `has no path in its artifacts[${wrong}]`;
}

/** A path alone, or an object with one. */
function artifactsOf(artifacts: unknown): unknown[] {
  return (artifacts as unknown[]).map((one) => isObject(one) ? one.path : one);
}

function failureOf(
  { error, result }: Envelope,
  fail: Fail,
): ToolError {
  const said = isObject(error) ? error : { message: error };
  const { message, type, code } = said;
  const text = typeof message === "string" && message.trim() !== ""
    ? linesOf(message)
    : "it does not say why";
  const known = [code, type].find((word) => typeof word === "string" && Object.hasOwn(EXIT_CODES, word));
  return fail("failed", (known ?? "external_failure") as ErrorCode, `failed: ${text}`, {
    ...(typeof type === "string" && { type }),
    ...(result !== undefined && result !== null && { result }),
  });
}

function endOf(exitCode: number): string {
  const signal = signalOf(exitCode);
  return signal === null ? `ended with exit code ${exitCode}` : `was ended by ${signal}`;
}
