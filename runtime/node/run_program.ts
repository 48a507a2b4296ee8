import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

import { type ErrorCode, ToolError } from "../../schemas/error.ts";
import type { ToolResult } from "../../schemas/result.ts";

/** How the installed program starts. */
export interface InstalledProgram {
  /** Its path, or its name on the `PATH`. */
  program: string;
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** Gets the lines of stderr. */
  warn(message: string): void;
}

/** A program that has ended. */
export interface EndedProgram {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A batch that takes calls until it is closed. */
export interface RunningBatch {
  call(tool: string, input: unknown): Promise<ToolResult>;
  close(): Promise<void>;
}

/** Who waits for an answer. Node 20 has no promises with resolvers. */
interface Waiting {
  done(result: ToolResult): void;
  fail(error: ToolError): void;
}

/** Codes of a program that could not begin. */
const FAILURES: Readonly<Record<number, ErrorCode>> = {
  2: "invalid_input",
  3: "permission_denied",
  6: "configuration",
};

/** Runs the program to its end. */
export function runProgram(words: readonly string[], start: InstalledProgram): Promise<EndedProgram> {
  const { program, env, cwd } = start;
  return new Promise((done, fail) => {
    const child = spawn(program, words, { env, cwd, stdio: ["ignore", "pipe", "pipe"] });
    const said = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => void (said[name] += text));
    }
    child.on("error", (error) => fail(cannotStart(program, error)));
    child.on("close", (code) => done({ code, ...said }));
  });
}

/** Starts a batch that reads its calls from a pipe. Its answers come in the order of its calls. */
export function openBatch(
  flags: readonly string[],
  { program, env, cwd, warn }: InstalledProgram,
): RunningBatch {
  const child = spawn(program, ["batch", "-", "--json", ...flags], { env, cwd, stdio: "pipe" });
  const waiting = new Map<string, Waiting>();
  let ended: ToolError | null = null;
  let lastLine = "";
  let count = 0;
  const end = (error: ToolError) => {
    ended ??= error;
    for (const { fail } of waiting.values()) fail(ended);
    waiting.clear();
  };
  const closed = new Promise<void>((done) => child.on("close", () => done()).on("error", () => done()));
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, ...result } = JSON.parse(line) as ToolResult & { id: string };
    waiting.get(id)?.done(result);
    waiting.delete(id);
  });
  createInterface({ input: child.stderr }).on("line", (line) => {
    lastLine = line.replace(/^bulkhead: /, "");
    warn(lastLine);
  });
  // A program that has ended says so itself.
  child.stdin.on("error", () => {});
  child.on("error", (error) => end(cannotStart(program, error)));
  child.on("close", (code) => {
    const why = lastLine || `${program} ended with code ${code}`;
    end(new ToolError(FAILURES[code ?? 0] ?? "internal", why));
  });
  return {
    call(tool, input) {
      if (ended !== null) return Promise.reject(ended);
      const id = String(++count);
      return new Promise((done, fail) => {
        waiting.set(id, { done, fail });
        child.stdin.write(`${JSON.stringify({ id, tool, arguments: input })}\n`);
      });
    },
    async close() {
      child.stdin.end();
      await closed;
    },
  };
}

function cannotStart(program: string, cause: Error): ToolError {
  return new ToolError(
    "configuration",
    `Cannot start "${program}": ${cause.message}; install bulkhead, or name it by BULKHEAD_BIN or the option "program"`,
    { cause },
  );
}
