import type { Mutation } from "../mutation.ts";

/** Of programs. */
export const PROGRAMS: readonly Mutation[] = [
  {
    id: "programs-home-shown",
    file: "runtime/programs/box/program_view.ts",
    find: "  const read = [...top, ...listed(files.read),",
    replace: "  const read = [...top, files.home, ...listed(files.read),",
    promise: "programs do not see the home",
    caughtBy: ["tests/unit/runtime/programs/box/program_box_test.ts"],
  },
  {
    id: "programs-looks-after",
    file: "runtime/programs/journal/supervise.ts",
    find: ", ...await launch.inspect()];",
    replace: "];",
    promise: "what a program left that others would execute is taken away",
    caughtBy: ["13-121"],
  },
  {
    id: "programs-clip-late",
    file: "runtime/programs/output/clip_output.ts",
    find: "    const room = this.#limits.maxBytes - this.#startLength;",
    replace: "    const room = Infinity;",
    promise: "output of any length takes constant memory",
    caughtBy: ["tests/unit/runtime/programs/output/clip_output_test.ts"],
  },
  {
    id: "programs-grandchildren",
    file: "runtime/programs/process/program_process.ts",
    find: "    if (this.#isForced) await this.#endLeftovers();\n",
    replace: "",
    promise: "what a program started ends with its time",
    caughtBy: ["tests/unit/runtime/programs/process/make_program_host_test.ts"],
  },
  {
    id: "programs-looks-before",
    file: "runtime/programs/process/run_to_end.ts",
    find: "  const { exitCode, reason } = await runProcess(launch, run,",
    replace:
      "  inspected = await supervision.finish();\n  const { exitCode, reason } = await runProcess(launch, run,",
    promise: "the look comes after the end of a program",
    caughtBy: ["13-121"],
  },
];
