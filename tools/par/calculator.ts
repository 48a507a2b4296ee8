import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";
import { evaluateArithmetic } from "../engine/arithmetic.ts";

export default defineTool({
  name: "calculator",
  description:
    "Evaluates an arithmetic expression of decimal numbers with +, -, *, /, signs and parentheses, and " +
    'returns a number. Example: {"expression": "2 + 3 * (4 - 1)"} gives 11.',
  input: z.object({
    expression: z.string().describe('Expression to evaluate, such as "2 + 3 * 4"; 1e3 is 1000.'),
  }),
  output: z.number(),
  needs: {},
  readOnly: true,
  parallel: false,
  examples: [
    { line: "'(450 + 1250) * 2'", meaning: "Calculate" },
  ],
  limits: { timeoutMs: 5_000 },
  run: ({ expression }) => evaluateArithmetic(expression),
});
