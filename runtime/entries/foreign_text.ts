// Reads texts of others with parsers that are libraries, in a worker without any permission: commands of calls, and Markdown.
import { analyseCommand } from "../programs/shell/analyse_command.ts";
import type { ReaderAnswer, ReaderQuestion } from "../programs/launch/command_reader.ts";
import { leaveBareGround } from "../self/bare_ground.ts";
import { sayLoaded } from "../self/say_loaded.ts";
import { cutBlocks } from "../text/markdown/cut_blocks.ts";
import type { BlocksAnswer, BlocksQuestion } from "../text/markdown/protocol.ts";

leaveBareGround();

self.addEventListener("message", async (event) => {
  const { data } = event as MessageEvent<ReaderQuestion | BlocksQuestion>;
  const { n } = data;
  try {
    if ("text" in data) answer({ n, blocks: cutBlocks(data.text, data.isOpen) });
    else answer({ n, analysis: await analyseCommand(data.command) });
  } catch (error) {
    answer({ n, failure: error instanceof Error ? error.message : String(error) });
  }
});

function answer(message: ReaderAnswer | BlocksAnswer): void {
  (self as unknown as { postMessage(message: ReaderAnswer | BlocksAnswer): void }).postMessage(message);
}

sayLoaded();
