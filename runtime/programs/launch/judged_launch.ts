import type { Command } from "../../../schemas/command.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { Judge, JudgedCall } from "./judge_command.ts";
import type { Launch, Launcher } from "./launch.ts";
import { type StartSpec, startWords } from "./start_words.ts";

/** A program that was judged and made ready. */
export interface JudgedLaunch extends Launch {
  /** The program's words, as they were judged. */
  words: readonly string[];
  /** The whole stdin, `undefined` if there is no stdin. */
  stdin: string | undefined;
  /** A shell that the user did not name. Its commands may use only programs that the user named. */
  mustVouch: boolean;
}

/** The one way to start a program: it judges the words that will start, then makes them ready. */
export interface JudgedLauncher {
  /** Makes a program ready. Throws the errors of the judge and the launcher. */
  launch(
    spec: StartSpec,
    call: JudgedCall,
    options?: { terminal?: boolean; stays?: boolean },
  ): Promise<JudgedLaunch>;
  /** Judges the input of a running program. */
  judgeInput(command: Command, call: JudgedCall, options: { mustVouch: boolean }): Promise<void>;
}

/** Joins a judge and a launcher, so that nothing starts unjudged. */
export function makeJudgedLauncher(
  { judge, launcher }: { judge: Judge; launcher: Launcher },
): JudgedLauncher {
  return {
    async launch(spec, call, { terminal = false, stays = false } = {}) {
      const { argv, stdin = spec.stdin, command, unforeseen } = startWords(spec, {
        interprets: call.interprets,
        stays,
      });
      const { vouched } = command === null ? { vouched: false } : await judge(command, call, { unforeseen });
      const { cwd, env } = spec;
      const started = { argv, ...(cwd !== undefined && { cwd }), ...(env && { env }) };
      const prepare = (vouched: boolean) => launcher.prepare(started, { terminal, vouched, stays });
      if (command !== null) return { ...await prepare(vouched), words: argv, stdin, mustVouch: false };
      const { launch, mustVouch } = await prepareShell(prepare);
      return { ...launch, words: argv, stdin, mustVouch };
    },
    async judgeInput(command, call, { mustVouch }) {
      const { vouched } = await judge(command, call);
      if (!mustVouch || vouched) return;
      throw new ToolError(
        "permission_denied",
        "Cannot run this command: not all of its programs are among those that --allow-run names, " +
          "pass --allow-run=bash to grant every command",
        { details: { kind: "run", target: "bash", reason: "outside", flag: "--allow-run=bash" } },
      );
    },
  };
}

/** A shell that the user did not name may start to run commands that the user named. */
async function prepareShell(
  prepare: (vouched: boolean) => Promise<Launch>,
): Promise<{ launch: Launch; mustVouch: boolean }> {
  try {
    return { launch: await prepare(false), mustVouch: false };
  } catch (error) {
    const isRefused = error instanceof ToolError && error.code === "permission_denied";
    if (!isRefused || error.details.reason !== "outside") throw error;
    return { launch: await prepare(true), mustVouch: true };
  }
}
