import type { Terminal } from "@xterm/headless";

import type { ScreenSource } from "../../../schemas/program.ts";
import { boundCounts } from "./bound_counts.ts";
import { splitUnfinished } from "./plain_terminal_text.ts";

/** What a terminal shows. */
export interface DrawnScreen {
  /** The lines, without blanks at their ends and without empty lines below the last one. */
  text: string;
  /** A text that draws this screen again. */
  state: string;
}

/** Draws a terminal's screen from its last state and the output since. */
export async function drawScreen(source: Omit<ScreenSource, "incomplete" | "mark">): Promise<DrawnScreen> {
  const { rows, cols, state, output } = source;
  // Imports the file: the module entry that the first package names does not exist.
  // @ts-types="@xterm/headless"
  const headless = await import("@xterm/headless/lib-headless/xterm-headless.mjs");
  // @ts-types="@xterm/addon-serialize"
  const { SerializeAddon } = await import("@xterm/addon-serialize/lib/addon-serialize.mjs");
  const { text, rest } = splitUnfinished(output);
  const terminal = new headless.Terminal({ rows, cols, scrollback: 0, allowProposedApi: true });
  const serializer = new SerializeAddon();
  terminal.loadAddon(serializer);
  try {
    const region = watchScrollRegion(terminal);
    await new Promise<void>((done) => terminal.write(state + boundCounts(text, { rows, cols }), done));
    return { text: visibleText(terminal), state: serializer.serialize() + region() + rest };
  } finally {
    terminal.dispose();
  }
}

function visibleText({ rows, buffer: { active } }: Terminal): string {
  const lines = Array.from(
    { length: rows },
    (_, row) => active.getLine(active.viewportY + row)?.translateToString(true).trimEnd() ?? "",
  );
  return lines.join("\n").replace(/\n+$/, "");
}

/** The serializer leaves out which rows scroll; returns a function that gives the sequence for it. */
function watchScrollRegion(terminal: Terminal): () => string {
  let region = "";
  const note = (sequence: string) => {
    region = sequence;
    // The terminal itself must act on it as well.
    return false;
  };
  const { parser } = terminal;
  parser.registerCsiHandler(
    { final: "r" },
    (params) => note(params.length === 0 ? "" : `\x1b[${params.join(";")}r`),
  );
  parser.registerCsiHandler({ intermediates: "!", final: "p" }, () => note(""));
  parser.registerEscHandler({ final: "c" }, () => note(""));
  return () => {
    const { cursorX, cursorY } = terminal.buffer.active;
    // Setting it moves the cursor, which is put back.
    return region === "" ? "" : `${region}\x1b[${cursorY + 1};${cursorX + 1}H`;
  };
}
