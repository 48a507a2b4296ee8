import { assertEquals } from "@std/assert";

import {
  BOUND_WORDS,
  type ClippedOutput,
  type ProgramEnd,
  type ProgramEndReason,
} from "../../../../../schemas/program.ts";
import { programFailure } from "../../../../../tools/engine/program/program_failure.ts";

const WORDS = {
  seconds: 2,
  timeout: (advice: string | null) => advice ?? "Too slow",
  render: ({ head }: ClippedOutput) => head,
};

function end(reason: ProgramEndReason): ProgramEnd {
  const stream = (head: string) => ({
    head,
    tail: "",
    bytes: head.length,
    omittedBytes: 0,
    omittedLines: 0,
    binary: false,
    replaced: false,
  });
  return {
    exitCode: 137,
    reason,
    stdout: stream("out"),
    stderr: stream("err"),
    durationMs: 1,
    kept: [],
    warnings: [],
    advice: null,
  };
}

Deno.test("programFailure() has none for a program that ended by itself", () => {
  assertEquals(programFailure(end("exited"), WORDS), null);
});

Deno.test("programFailure() carries the output so far", () => {
  const output = { stdout: "out", stderr: "err" };
  const table: [ProgramEndReason, string, string, Record<string, unknown>][] = [
    ["timeout", "timeout", "Too slow", { ...output, exit_code: 124, timeout_seconds: 2 }],
    ["cancelled", "cancelled", "The call was cancelled, and the program was ended", {
      ...output,
      exit_code: 137,
    }],
    ["processes", "limit_exceeded", `The program was ended: ${BOUND_WORDS.processes}`, {
      ...output,
      exit_code: 137,
    }],
    ["memory", "limit_exceeded", `The program was ended: ${BOUND_WORDS.memory}`, {
      ...output,
      exit_code: 137,
    }],
    ["disk", "limit_exceeded", "The program was ended: the disk was about to be full", {
      ...output,
      exit_code: 137,
    }],
  ];
  for (const [reason, code, message, details] of table) {
    const error = programFailure(end(reason), WORDS);
    assertEquals([error?.code, error?.message, error?.details], [code, message, details]);
  }
  const advised = programFailure({ ...end("timeout"), advice: "share the network" }, WORDS);
  assertEquals(advised?.message, "share the network");
});
