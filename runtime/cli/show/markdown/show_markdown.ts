import { onTerminal } from "../../../text/strip_controls.ts";
import { drawBlocks, drawPlain } from "./draw_blocks.ts";
import { type ForeignReader, makeForeignReader } from "./foreign_reader.ts";
import type { Canvas } from "./spans.ts";

/** Returns Markdown of a model as a person at a terminal reads it, without controls. Ends with a line break. */
export async function showMarkdown(text: string, canvas: Canvas, reader?: ForeignReader): Promise<string> {
  using own = reader ? null : makeForeignReader();
  const safe = onTerminal(text);
  const blocks = await (reader ?? own!).blocks(safe);
  const lines = blocks ? drawBlocks(blocks, canvas) : drawPlain(safe, canvas);
  return lines.map((line) => `${line}\n`).join("");
}
