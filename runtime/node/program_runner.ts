import type { Needs } from "../../schemas/access.ts";
import { exitCodeOf, ToolError } from "../../schemas/error.ts";
import type { ToolFormat } from "../../schemas/json/export.ts";
import type { ToolResult } from "../../schemas/result.ts";
import { checkOptions } from "../host/options/check_options.ts";
import { fieldsOf, NAME, RUNNER_FIELDS } from "../host/options/option_schema.ts";
import { onlyOnDeno } from "./only_on_deno.ts";
import { installedProgram } from "./installed_program.ts";
import { CARRIED_OPTIONS, type ProgramFlags, programFlags } from "./program_flags.ts";
import { openBatch, type RunningBatch, runProgram } from "./run_program.ts";

/** What a program on Node says about its tools. */
export interface ProgramRunnerOptions extends ProgramFlags {
  /** Path or name of the installed program. @default `BULKHEAD_BIN`, else the one that npm installed, else `bulkhead` on the `PATH` */
  program?: string;
  /** The environment of the program. @default that of this process */
  env?: Readonly<Record<string, string>>;
  /** Gets what the program says on stderr, a line each. @default it is dropped */
  warn?(message: string): void;
}

const PROGRAM_OPTIONS = fieldsOf({
  ...Object.fromEntries(CARRIED_OPTIONS.map((name) => [name, RUNNER_FIELDS[name]!])),
  ...{ policy: NAME, audit: NAME, config: fieldsOf({ file: NAME }) },
  ...{ program: NAME, env: RUNNER_FIELDS.env!, warn: RUNNER_FIELDS.warn! },
}, ["workspace"]);

/** What is known of a tool. */
export interface KnownTool {
  /** The full name. */
  name: string;
  /** The set that it belongs to. */
  toolset: string;
  /** What a model reads. */
  description: string;
  /** What it touches. */
  needs: Needs;
  /** The call may run beside its neighbours. */
  parallel: boolean;
  /** A model gets it only if the user asks for it by name. */
  optional: boolean;
}

/** A call on Node takes no options: the program is told of nothing but calls. */
export interface NoCallOptions {
  /** Only on Deno: `timeout` of the tool, or `maxCallMs` of the runner, bounds a call here. */
  signal?: never;
  /** Only on Deno. */
  onProgress?: never;
}

/** Runs tools in the installed program. Close it with `await using` or `close()`. */
export interface ProgramRunner extends AsyncDisposable {
  /**
   * Runs one call. Calls that do not wait for each other run beside each other as those of a batch do.
   *
   * @param tool Full name, or a bare one
   * @returns Every end of a call, also a refusal
   * @throws {ToolError} `invalid_input` if there is no such tool, and for options of a call, which are only on Deno;
   * `configuration` and others if the program cannot run at all, `cancelled` if it was closed before
   */
  call(tool: string, input: unknown, options?: NoCallOptions): Promise<ToolResult>;
  /** All tools, with those of files. */
  tools(): Promise<KnownTool[]>;
  /**
   * The schemas of tools, for a model or a client of your own; a name may be `NAME=ALIAS`.
   *
   * @param names The complete choice. @default the default toolset
   * @param format The form that the client expects. @default "openai"
   */
  toolSchemas(names?: readonly string[], format?: ToolFormat): Promise<Record<string, unknown>[]>;
  /** Waits for the calls that run, and ends the program. */
  close(): Promise<void>;
}

/**
 * Makes a runner that works in the installed program, started with the first call. Permissions are those of the options
 * and of the user's configuration. Callbacks, such as consent and functions as tools, are only on Deno.
 *
 * @throws {TypeError} For a relative workspace, and a value that no flag can carry
 * @throws {ToolError} `invalid_input` for options that are not understood, and those that only a runner on Deno has
 *
 * @example
 * ```ts ignore
 * import { createRunner } from "bulkhead";
 *
 * await using runner = createRunner({ workspace: process.cwd(), policy: "read-only" });
 * const read = await runner.call("Read", { path: "notes.md" });
 * console.log(read.ok, read.text);
 * ```
 */
export function createProgramRunner(given: ProgramRunnerOptions): ProgramRunner {
  const options = checkOptions("createRunner on Node", PROGRAM_OPTIONS, given);
  const flags = programFlags(options);
  const {
    program = process.env.BULKHEAD_BIN || installedProgram() || "bulkhead",
    env = process.env,
    warn = () => {},
  } = options;
  const start = { program, env: env as Record<string, string>, cwd: options.workspace, warn };
  let running: RunningBatch | undefined;
  let isClosed = false;
  const ask = async (words: readonly string[]) => {
    const { code, stdout, stderr } = await runProgram([...words, "--quiet", ...flags.described], start);
    if (code === 0) return JSON.parse(stdout);
    const known = (["configuration", "invalid_input"] as const).find((error) => exitCodeOf(error) === code);
    throw new ToolError(
      known ?? "internal",
      stderr.trim().replace(/^bulkhead: /, "") || `The program ended with code ${code}`,
    );
  };
  const close = async () => {
    isClosed = true;
    await running?.close();
  };
  return {
    async call(tool, input, callOptions = {}) {
      const given = Object.keys(callOptions).filter((name) =>
        callOptions[name as keyof NoCallOptions] !== undefined
      );
      if (given.length > 0) throw onlyOnDeno(`${given.join(" and ")} of a call`);
      if (isClosed) throw new ToolError("cancelled", "The runner is closed");
      const result = await (running ??= openBatch(flags.called, start)).call(tool, input);
      const { error } = result;
      // As on Deno: nothing was called.
      if (error?.details.unknown_tool === undefined) return result;
      throw new ToolError(error.code, error.message, { details: error.details });
    },
    tools: async () => await ask(["tools", "--json"]),
    toolSchemas: async (names = [], format = "openai") =>
      await ask(["schema", ...names.map((name) => `--tool=${name}`), `--format=${format}`, "--json"]),
    close,
    [Symbol.asyncDispose]: close,
  };
}
