import { type ErrorCode, ToolError } from "../../../schemas/error.ts";
import { BOUND_WORDS, type ClippedOutput, type ProgramEnd } from "../../../schemas/program.ts";

/** Exit code that stands for a program whose time was up. */
const TIMEOUT_EXIT_CODE = 124;

/** What a tool says about a program that was ended. */
export interface FailureWords {
  /** How long it was allowed to run, in seconds. */
  seconds: number;
  /**
   * Returns the message if its time was up.
   *
   * @param advice What helps better than more time, `null` if nothing is known
   */
  timeout(advice: string | null): string;
  /** Returns what is shown of a stream. */
  render(stream: ClippedOutput): string;
}

/** Details of the errors that {@linkcode programFailure} makes. */
export interface FailureDetails {
  stdout: string;
  stderr: string;
  exit_code: number;
}

/** Returns the error for a program that did not end by itself, with its output so far in `details`; else `null`. */
export function programFailure(end: ProgramEnd, words: FailureWords): ToolError | null {
  const [code, message] = failureOf(end, words);
  if (code === null) return null;
  const isTimeout = code === "timeout";
  const details = {
    stdout: words.render(end.stdout),
    stderr: words.render(end.stderr),
    exit_code: isTimeout ? TIMEOUT_EXIT_CODE : end.exitCode,
    ...(isTimeout ? { timeout_seconds: words.seconds } : {}),
    ...(end.kept.length > 0 ? { full_output: end.kept } : {}),
  };
  return new ToolError(code, message, { details });
}

function failureOf({ reason, advice }: ProgramEnd, words: FailureWords): [ErrorCode | null, string] {
  switch (reason) {
    case "exited":
      return [null, ""];
    case "timeout":
      return ["timeout", words.timeout(advice)];
    case "cancelled":
      return ["cancelled", "The call was cancelled, and the program was ended"];
    case "processes":
    case "memory":
    case "disk":
      return ["limit_exceeded", `The program was ended: ${BOUND_WORDS[reason]}`];
  }
}
