import type { CommandAnalysis } from "../../../schemas/command.ts";
import type { Outlook } from "../box/outlook.ts";
import type { JudgedCall } from "../launch/judge_command.ts";

/** What a program that stays will lack in its sandbox. Each hint is told once. */
export class SessionHints {
  readonly #outlook: Outlook | null;
  readonly #told = new Set<string>();

  /** @param outlook `null` without a box: then nothing is lacking */
  constructor(outlook: Outlook | null) {
    this.#outlook = outlook;
  }

  /** Gives the program input, and returns the hints about the commands in it. */
  async around<Call extends JudgedCall>(call: Call, give: (call: Call) => Promise<void>): Promise<string[]> {
    const analyses: CommandAnalysis[] = [];
    const onAnalysis = (analysis: CommandAnalysis) => {
      call.onAnalysis(analysis);
      analyses.push(analysis);
    };
    await give({ ...call, onAnalysis });
    return await this.about(analyses);
  }

  /** Returns the hints about commands that were not told before. */
  async about(analyses: readonly CommandAnalysis[]): Promise<string[]> {
    const outlook = this.#outlook;
    if (outlook === null || analyses.length === 0) return [];
    const { foreseenHints } = await import("./hints.ts");
    const hints = analyses.flatMap((analysis) => foreseenHints(analysis, outlook));
    const fresh = new Set(hints).difference(this.#told);
    for (const hint of fresh) this.#told.add(hint);
    return [...fresh];
  }
}
