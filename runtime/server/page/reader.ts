/** The thread in which answers of models are read: what they hold may take for ever, and the page goes on. */
import type { Job, Told } from "./show/apart/jobs.ts";

self.onmessage = async ({ data }: MessageEvent<Job>) => {
  const answerOf = await load(data).catch(() => () => null);
  tell({ isBegun: true });
  try {
    tell({ answer: answerOf() });
  } catch {
    // Among others what is nested too deep.
    tell({ answer: null });
  }
};

function tell(told: Told): void {
  self.postMessage(told);
}

async function load({ kind, asked }: Job): Promise<() => unknown> {
  switch (kind) {
    case "blocks": {
      const { cutBlocks } = await import("../../text/foreign/cut_blocks.ts");
      return () => cutBlocks(asked.text, asked.isOpen);
    }
    case "diagram": {
      // The library that lays them out takes a thread without a document for one of its own, and sets `self` anew.
      Object.defineProperty(self, "self", { value: self, writable: true });
      Object.assign(self, { document: {} });
      const { drawDiagram } = await import("./show/code/draw_diagram.ts");
      return () => drawDiagram(asked.text);
    }
    case "colours": {
      const { colourCode } = await import("./show/code/colour_code.ts");
      return () => colourCode(asked.text, asked.language);
    }
  }
}
