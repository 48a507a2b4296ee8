import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { imageLimits, imageReading } from "../engine/image/reading.ts";

export default defineTool({
  name: "image",
  description: "Decodes a picture and makes what a model is shown of it.",
  input: imageLimits,
  output: imageReading,
  needs: {},
  readOnly: true,
  parallel: true,
  limits: { timeoutMs: 60_000 },
  async run(limits, { bytes }) {
    const { readImage } = await import("../engine/image/read.ts");
    return await withinMemory(() => readImage(bytes, limits));
  },
  text: ({ format }) => format,
});

/** If a buffer cannot be allocated, the process has used up its memory. */
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
