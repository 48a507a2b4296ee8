import type { Mutation } from "../../mutation.ts";

/** Of the command line and its exit codes. */
export const COMMAND_LINE: readonly Mutation[] = [
  {
    id: "cli-apply-hooks",
    file: "runtime/cli/commands/changes/apply.ts",
    find: "    if (!consents) left.push(change.path);\n",
    replace: "",
    promise: "apply asks before it brings files that the user's tools execute",
    caughtBy: ["tests/process/changes/overlay_test.ts"],
  },
  {
    id: "cli-typed-ahead",
    file: "runtime/cli/io/keyboard.ts",
    find: "      await this.#dropTyped(signal);\n",
    replace: "",
    promise: "what was typed before a question is no answer",
    caughtBy: ["tests/unit/runtime/cli/io_test.ts"],
  },
  {
    id: "cli-consent-target",
    file: "runtime/cli/io/show_consent.ts",
    find: "`${lead}${wholeText(value)}${behind}",
    replace: "`${lead}${wholeText(value)}",
    promise: "a question shows where a link leads",
    caughtBy: ["5-11"],
  },
  {
    id: "cli-sigterm-code",
    file: "runtime/cli/io/signal_codes.ts",
    find: "SIGTERM: 143",
    replace: "SIGTERM: 130",
    promise: "SIGTERM ends with exit code 143",
    caughtBy: ["tests/process/calls"],
  },
  {
    id: "cli-broken-pipe",
    file: "runtime/cli/run_cli.ts",
    find: "    if (error instanceof Deno.errors.BrokenPipe) return BROKEN_PIPE;\n",
    replace: "",
    promise: "who closes the pipe ends the program with 141, without a word",
    caughtBy: ["tests/process/calls"],
  },
  {
    id: "schemas-exit-denied",
    file: "schemas/error.ts",
    find: "permission_denied: 3",
    replace: "permission_denied: 1",
    promise: "a refused call ends with exit code 3",
    caughtBy: ["tests/unit/schemas/error_test.ts"],
  },
];
