import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { pageReading, pageRequest } from "../engine/web/page/reading.ts";

export default defineTool({
  name: "page",
  description: "Reads the text of web pages, feeds and other texts of servers.",
  input: pageRequest,
  output: pageReading,
  needs: {},
  readOnly: true,
  parallel: true,
  limits: { timeoutMs: 15_000 },
  // The tool that asked reads the output itself.
  text: () => "",
  async run(request, { bytes }) {
    const { readPage } = await import("../engine/web/page/read_page.ts");
    try {
      return readPage(bytes, request);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new ToolError(
        "limit_exceeded",
        "The page cannot be read: it needs more memory than there is for it",
        {
          cause: error,
        },
      );
    }
  },
});
