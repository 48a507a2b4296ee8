import { defineTool } from "../../schemas/tool.ts";
import { pdfReading, pdfRequest } from "../engine/pdf/reading.ts";

export default defineTool({
  name: "pdf",
  description: "Reads the text, the images and drawn pages of a PDF.",
  input: pdfRequest,
  output: pdfReading,
  needs: {},
  readOnly: true,
  parallel: true,
  limits: { timeoutMs: 3_600_000 },
  leavesFiles: true,
  // The tool that asked reads the output itself.
  text: () => "",
  async run(request, context) {
    const { readPdf } = await import("../engine/pdf/read.ts");
    return readPdf(context.bytes, request, context);
  },
});
