import { wantsColors } from "../../io/colors.ts";
import type { Io } from "../../io/io.ts";
import type { Canvas } from "./spans.ts";

/** Returns the terminal that shows stdout, `null` if stdout goes elsewhere. Needs `env`, only now. */
export function canvasOf(io: Io, { noColor = false }: { noColor?: boolean | undefined }): Canvas | null {
  const width = io.stdoutWidth();
  if (width === null) return null;
  return {
    columns: Math.max(1, width - 1),
    colors: wantsColors(io, { noColor, isTerminal: true }),
    keepsLines: true,
  };
}
