import { defineTool } from "../../schemas/tool.ts";
import { officeReading, officeRequest } from "../engine/office/reading.ts";

export default defineTool({
  name: "office",
  description: "Reads the text of office files, tables and notebooks.",
  input: officeRequest,
  output: officeReading,
  needs: {},
  readOnly: true,
  parallel: true,
  limits: { timeoutMs: 300_000 },
  // The tool that asked reads the output itself.
  text: () => "",
  async run(request, { bytes, signal }) {
    const { readOfficeText } = await import("../engine/office/read.ts");
    return await readOfficeText(bytes, request, { signal });
  },
});
