import { basename, dirname } from "@std/path";

import type { ToolContext } from "../../../schemas/context.ts";
import { type ErrorCode, ToolError } from "../../../schemas/error.ts";
import { APART_FOLDER, LINK_FAILED } from "../../../schemas/program.ts";
import { joinClipped } from "../../engine/program/join_clipped.ts";
import { programFailure } from "../../engine/program/program_failure.ts";
import SANDBOX_FILE from "./sandbox_file.sh" with { type: "text" };
import { outside } from "./sandbox_path.ts";

/** Bytes of a checksum's line before the content. */
const SUM_BYTES = 65;

/** What is done to a file of the sandbox, as the script has it. */
export type FileWork =
  | { action: "make"; content: string; mode: string; isBase64?: boolean }
  | { action: "write"; content: string; mode: string | null; replaces: string | null }
  | { action: "remove" };

/** A file of the sandbox, as it was read. */
export interface SandboxFile {
  bytes: Uint8Array;
  /** Checksum of its bytes: says later whether it is still the same. */
  sum: string;
}

/** The failure that an exit code of the script tells of, with words about the file. */
const FAILURES: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  11: ["conflict", "already exists"],
  12: ["not_found", "does not exist"],
  13: ["invalid_input", "is a folder"],
  14: ["invalid_input", "is not a regular file"],
  15: ["conflict", "was changed meanwhile: try again"],
};

/**
 * Makes, writes or removes a file of the sandbox, within the sandbox.
 *
 * @param path Absolute path in the sandbox
 * @throws {ToolError} `not_found`, `conflict`, `invalid_input`; and what programs throw
 */
export async function changeFile(context: ToolContext, path: string, work: FileWork): Promise<void> {
  const words = work.action === "make"
    ? [work.mode, ...work.isBase64 ? ["base64"] : []]
    : work.action === "write"
    ? [work.mode ?? "", work.replaces ?? ""]
    : [];
  await runScript(context, path, {
    action: work.action,
    words,
    ...("content" in work && { stdin: work.content }),
  });
}

/**
 * Reads a file of the sandbox, within the sandbox.
 *
 * @throws {ToolError} `limit_exceeded` if it has more bytes; and as {@linkcode changeFile} does
 */
export async function readSandboxFile(
  context: ToolContext,
  path: string,
  { maxBytes }: { maxBytes: number },
): Promise<SandboxFile> {
  const room = SUM_BYTES + 4 * Math.ceil(maxBytes / 3);
  const { head } = await runScript(context, path, {
    action: "read",
    words: [String(maxBytes)],
    maxBytes: room,
  });
  const [sum = "", content = ""] = head.split("\n");
  return { bytes: Uint8Array.from(atob(content), (char) => char.charCodeAt(0)), sum };
}

async function runScript(
  context: ToolContext,
  path: string,
  { action, words, stdin = "", maxBytes }: {
    action: FileWork["action"] | "read";
    words: readonly string[];
    stdin?: string;
    maxBytes?: number;
  },
) {
  if (path === APART_FOLDER) throw failure(13, path);
  const end = await context.programs.run({
    argv: [
      "sh",
      "-c",
      SANDBOX_FILE,
      "sandbox_file.sh",
      APART_FOLDER,
      action,
      dirname(path),
      basename(path),
      ...words,
    ],
    apart: true,
    stdin,
    verbatim: true,
    // Both halves of what is kept must hold the whole.
    ...(maxBytes !== undefined && { maxBytes: 2 * maxBytes }),
  });
  const seconds = Math.ceil(end.durationMs / 1000);
  const stopped = programFailure(end, { seconds, timeout: () => "the time was up", render: () => "" });
  if (stopped) throw stopped;
  if (end.exitCode === 0) return end.stdout;
  if (end.exitCode === 10) throw outside(shownPath(path));
  if (end.exitCode === LINK_FAILED) throw noLink(joinClipped(end.stderr, " … "));
  const said = joinClipped(end.stderr, " … ").trim().replaceAll("\n", "; ");
  throw failure(end.exitCode, path, said);
}

/** The failure of a command that does not reach the remote sandbox. */
export function noLink(said: string): ToolError {
  const why = said.trim().replaceAll("\n", "; ") || "the command says nothing";
  return new ToolError(
    "unavailable",
    `The remote sandbox is not reached: ${why}\nTry the command of sandbox.remote in your configuration by hand`,
    { retryable: true },
  );
}

/** Returns a path of the sandbox as the document's texts have it: without the folder of the sandbox. */
export function shownPath(path: string): string {
  return path === APART_FOLDER ? path : path.slice(APART_FOLDER.length + 1);
}

function failure(exitCode: number, path: string, said = ""): ToolError {
  if (exitCode === 16) {
    return new ToolError("limit_exceeded", `File '${shownPath(path)}' is too large`, { details: { path } });
  }
  const [code, words] = FAILURES[exitCode] ??
    ["unavailable" as const, `cannot be used: ${said || `exit code ${exitCode}`}`];
  return new ToolError(code, `File '${shownPath(path)}' ${words}`, {
    retryable: exitCode === 15,
    details: { path, exit_code: exitCode },
  });
}
