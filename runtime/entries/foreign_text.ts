// Reads texts of others, in a worker without any permission: commands of calls, Markdown, and what a pattern is found in.
import { analyseCommand } from "../programs/shell/analyse_command.ts";
import type { ReaderAnswer, ReaderQuestion } from "../programs/launch/command_reader.ts";
import { leaveBareGround } from "../self/bare_ground.ts";
import { sayLoaded } from "../self/say_loaded.ts";
import { cutBlocks } from "../text/foreign/cut_blocks.ts";
import { findRanges } from "../text/foreign/find_ranges.ts";
import type { TextAnswer, TextAsk } from "../text/foreign/protocol.ts";

leaveBareGround();

self.addEventListener("message", async (event) => {
  const { data } = event as MessageEvent<ReaderQuestion | TextAsk & { n: number }>;
  const { n } = data;
  try {
    if ("text" in data) answer({ n, blocks: cutBlocks(data.text, data.isOpen) });
    else if ("pattern" in data) answer({ n, ranges: findRanges(data.pattern, data.lines, data) });
    else answer({ n, analysis: await analyseCommand(data.command) });
  } catch (error) {
    answer({ n, failure: error instanceof Error ? error.message : String(error) });
  }
});

function answer(message: ReaderAnswer | TextAnswer): void {
  (self as unknown as { postMessage(message: ReaderAnswer | TextAnswer): void }).postMessage(message);
}

sayLoaded();
