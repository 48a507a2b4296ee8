import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";
import { PYTHON_TOOL } from "./shared/run_python.ts";

export default defineTool({
  ...PYTHON_TOOL,
  name: "visualization_preparation",
  description:
    "Runs Python code that prepares charts: it writes a JSON file in UTF-8 and prints its path. code_type visualization: " +
    "clean the data, write a CSV file with a header for each chart, and as JSON " +
    '[{"csvFilePath": "sales.csv", "chartTitle": "Sales by month"}]. Each may also have chartType (bar, line, area, ' +
    "pie, scatter, histogram, box_plot, heat_map, radar, funnel, sankey, treemap, word_cloud, dual_axis, waterfall …), x, " +
    "y (a list), color: names of columns; unit; stack. What is left out is chosen to fit the data. " +
    'code_type insight: write [{"chartPath": "visualization/sales.png", "insights_id": [1, 3]}] to draw insights onto ' +
    "charts, by their numbers.",
  seeAlso: ["Then call {data_visualization} with the path of the JSON file."],
  input: z.object({
    code_type: z.enum(["visualization", "insight"]).default("visualization").describe(
      "`visualization`: CSV files for charts; `insight`: choose insights for charts that are there.",
    ),
    code: z.string().describe("The Python code. It prints the path of the JSON file that it wrote."),
  }),
  examples: [
    {
      line: `code='print("charts.json")'`,
      meaning: "Run the code that writes the data of charts",
    },
  ],
});
