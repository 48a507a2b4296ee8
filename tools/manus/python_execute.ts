import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";
import { PYTHON_TOOL } from "./shared/run_python.ts";

export default defineTool({
  ...PYTHON_TOOL,
  name: "python_execute",
  description:
    "Executes Python code in a process of its own, in the workspace. Only what is printed is visible, values of " +
    "expressions are not: use print. An exception shows its traceback after what was printed before it. Nothing is kept " +
    "between calls, and input() has nothing to read.",
  input: z.object({ code: z.string().describe("The Python code to execute.") }),
  examples: [
    { line: "code='print(2 ** 10)'", meaning: "Run a piece of Python" },
  ],
});
