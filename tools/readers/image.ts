import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";

export default defineTool({
  name: "image",
  description: "",
  input: z.object({ bytes: z.string() }),
  output: z.object({}),
  needs: {},
  readOnly: true,
  parallel: true,
  limits: { timeoutMs: 0 },
  run: () => ({}),
  text: () => "",
});
