import { Buffer } from "node:buffer";

import * as z from "zod";

import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { imageLimits, imageReading } from "../engine/image/reading.ts";

export default defineTool({
  name: "image",
  description: "Decodes a picture and makes what a model is shown of it.",
  input: imageLimits.extend({ bytes: z.string() }),
  output: imageReading,
  needs: {},
  readOnly: true,
  parallel: true,
  limits: { timeoutMs: 60_000 },
  async run({ bytes, ...limits }) {
    const { readImage } = await import("../engine/image/read.ts");
    const { buffer, byteOffset, length } = Buffer.from(bytes, "base64");
    // Slices of a Buffer would share its memory.
    return await withinMemory(() => readImage(new Uint8Array(buffer, byteOffset, length), limits));
  },
  text: ({ format }) => format,
});

/** Where a buffer cannot be had, the process has used up its bounds. */
async function withinMemory<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ToolError(
      "limit_exceeded",
      "The image needs more memory than there is for it. Shrink it first, with a program in Bash",
      { cause: error },
    );
  }
}
