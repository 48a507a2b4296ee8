import { onTerminal } from "../../../text/strip_controls.ts";
import { drawBlocks, drawPlain } from "./draw_blocks.ts";
import { makeMarkdownReader, type MarkdownReader } from "./markdown_reader.ts";
import type { Canvas } from "./spans.ts";

/** Returns Markdown of a model as a person at a terminal reads it, without controls. Ends with a line break. */
export async function showMarkdown(text: string, canvas: Canvas, reader?: MarkdownReader): Promise<string> {
  using own = reader ? null : makeMarkdownReader();
  const safe = onTerminal(text);
  const blocks = await (reader ?? own!).read(safe);
  const lines = blocks ? drawBlocks(blocks, canvas) : drawPlain(safe, canvas);
  return lines.map((line) => `${line}\n`).join("");
}
