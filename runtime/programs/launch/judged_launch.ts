import type { Command, CommandAnalysis, Risk } from "../../../schemas/command.ts";
import type { LeftTelling } from "../box/first_process.ts";
import type { Judge, JudgedCall } from "./judge_command.ts";
import type { Launch, Launcher } from "./launch.ts";
import { type StartSpec, startWords } from "./start_words.ts";

/** A program that was judged and made ready. */
export interface JudgedLaunch extends Launch {
  /** The program's words, as they were judged. */
  words: readonly string[];
  /** The whole stdin, `undefined` if there is no stdin. */
  stdin: string | undefined;
  /** How much harm it could do outside a box; `low` for a shell that still waits for commands. */
  risk: Risk;
  /** What its command is understood to do, `null` for a shell that gets its commands later. */
  analysis: CommandAnalysis | null;
}

/** The one way to start a program: it judges the words that will start, then makes them ready. */
export interface JudgedLauncher {
  /** Makes a program ready. Throws the errors of the judge and the launcher. */
  launch(
    spec: StartSpec,
    call: JudgedCall,
    options?: {
      terminal?: boolean;
      stays?: boolean;
      /** A person or a script gives it its input, which is not known. */
      attached?: boolean;
      /** Words that start the program in its box. @default none */
      before?: readonly string[];
      /** Whom its first process tells what it left running. @default nobody */
      tellsLeft?: LeftTelling;
    },
  ): Promise<JudgedLaunch>;
  /** Judges the input of a running program, and returns its risk. */
  judgeInput(command: Command, call: JudgedCall): Promise<Risk>;
}

/** Joins a judge and a launcher, so that nothing starts unjudged. */
export function makeJudgedLauncher(
  { judge, launcher }: { judge: Judge; launcher: Launcher },
): JudgedLauncher {
  const judged = async (command: Command, call: JudgedCall, options: { unforeseen?: boolean } = {}) => {
    const analyses: CommandAnalysis[] = [];
    const onAnalysis = (analysis: CommandAnalysis) => {
      analyses.push(analysis);
      call.onAnalysis(analysis);
    };
    await judge(command, { ...call, onAnalysis }, options);
    const analysis = analyses[0] ?? null;
    return { risk: analysis?.risk ?? "low", analysis };
  };
  return {
    async launch(spec, call, options = {}) {
      const { terminal = false, stays = false, attached = false, before = [], tellsLeft = null } = options;
      const { argv, stdin = spec.stdin, command, unforeseen } = startWords(spec, {
        interprets: call.interprets,
        stays: stays || attached,
      });
      const { risk, analysis } = command === null
        ? { risk: "low" as const, analysis: null }
        : await judged(command, call, { unforeseen });
      const { cwd, env, apart } = spec;
      const started = {
        argv,
        ...(cwd !== undefined && { cwd }),
        ...(env && { env }),
        ...(apart && { apart }),
      };
      const launch = await launcher.prepare(started, {
        ...{ terminal, stays, before, tellsLeft },
        reads: async () => analysis !== null && !unforeseen && await onlyReads(analysis),
      });
      return { ...launch, words: argv, stdin, risk, analysis };
    },
    judgeInput: async (command, call) => (await judged(command, call)).risk,
  };
}

/** What a policy that allows no writing would let start. */
async function onlyReads(analysis: CommandAnalysis): Promise<boolean> {
  const { refuseCommand } = await import("../shell/refuse_command.ts");
  return refuseCommand(analysis, { name: "reading", level: "no-write", allow: [], deny: [] }) === null;
}
