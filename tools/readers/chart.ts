import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";
import { chartReading, chartRequest } from "../engine/chart/reading.ts";

export default defineTool({
  name: "chart",
  description: "Draws a chart of a CSV file.",
  input: chartRequest,
  output: chartReading,
  needs: {},
  readOnly: true,
  parallel: true,
  limits: { timeoutMs: 60_000 },
  // The tool that asked reads the output itself.
  text: () => "",
  async run(request, { bytes }) {
    const { drawChartOf } = await import("../engine/chart/draw.ts");
    try {
      return await drawChartOf(bytes, request);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const message =
        "The chart cannot be drawn: it needs more memory than there is for it. Sum the data up first";
      throw new ToolError("limit_exceeded", message, { cause: error });
    }
  },
});
