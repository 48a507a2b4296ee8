import type { Ended, ProgramOptions } from "../program.ts";
import type { Answer, Scene } from "./scene.ts";

/** A batch whose calls come one by one, each knowing the answers to those before. */
export interface Conversation {
  pid: number;
  call(tool: string, input?: unknown): Promise<Answer>;
  /** Ends the batch as the end of its input does. */
  end(): Promise<Ended>;
  kill(): Promise<Ended>;
}

/** Starts a batch in the workspace of a scene. Whoever starts one ends it. */
export function converse(
  scene: Scene,
  flags: readonly string[] = [],
  options?: ProgramOptions,
): Conversation {
  const running = scene.start(["batch", "-", ...flags], options);
  return {
    pid: running.pid,
    async call(tool, input = {}) {
      await running.write(`${JSON.stringify({ tool, arguments: input })}\n`);
      const line = await running.nextLine();
      if (line === null) throw new Error(`no answer to ${tool}: ${(await running.ended()).stderr}`);
      return JSON.parse(line);
    },
    async end() {
      await running.closeInput();
      return await running.ended();
    },
    async kill() {
      running.kill("SIGKILL");
      return await running.ended();
    },
  };
}
