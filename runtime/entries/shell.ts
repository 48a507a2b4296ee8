// Reads the commands of calls, in a worker without any permission: they are foreign text, and the parser is a library.
import { analyseCommand } from "../programs/shell/analyse_command.ts";
import type { ReaderAnswer, ReaderQuestion } from "../programs/launch/command_reader.ts";
import { leaveBareGround } from "../self/bare_ground.ts";
import { sayLoaded } from "../self/say_loaded.ts";

leaveBareGround();

self.addEventListener("message", async (event) => {
  const { n, command } = (event as MessageEvent<ReaderQuestion>).data;
  try {
    answer({ n, analysis: await analyseCommand(command) });
  } catch (error) {
    answer({ n, failure: error instanceof Error ? error.message : String(error) });
  }
});

function answer(message: ReaderAnswer): void {
  (self as unknown as { postMessage(message: ReaderAnswer): void }).postMessage(message);
}

sayLoaded();
