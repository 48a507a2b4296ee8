import * as z from "zod";

import { isObject } from "../../../schemas/json/shape.ts";
import { defineTool } from "../../../schemas/tool.ts";
import { importModule, toolsOfModule } from "./own_module.ts";
import { toSchema, whyNoSchema } from "./to_schema.ts";

/** Where a definition is a function, main is told that it is one. */
const FUNCTIONS = ["run", "targets", "text", "summary", "preview", "errorText"];

/** Tells which tools a module of one's own has. It runs in a room of its own that holds nothing, as a reader does. */
export default defineTool({
  name: "describe",
  description: "Describe the tools of a module.",
  input: z.looseObject({}),
  output: z.any(),
  needs: {},
  readOnly: true,
  parallel: false,
  killable: true,
  limits: { timeoutMs: "none" },
  async run(_, { bytes }) {
    const module = await importModule(new TextDecoder().decode(bytes));
    return toolsOfModule(module).map(({ exported, definition }) => ({ exported, ...describe(definition) }));
  },
});

/** What crosses to main is JSON; it is checked there. */
function describe(definition: unknown): Record<string, unknown> {
  if (!isObject(definition)) return { problem: `it is no tool: write defineTool({ … })` };
  const { input = z.looseObject({}), output = z.any(), ...rest } = definition;
  const functions = FUNCTIONS.filter((name) => typeof rest[name] === "function");
  const plain = Object.entries(rest).filter(([name]) => !functions.includes(name));
  return {
    functions,
    fields: JSON.parse(JSON.stringify(Object.fromEntries(plain))),
    ...schemaOrProblem("input", input),
    ...schemaOrProblem("output", output),
  };
}

function schemaOrProblem(io: "input" | "output", type: unknown): Record<string, unknown> {
  if (!isObject(type) || !("_zod" in type)) {
    return { [`${io}_problem`]: "must be a type of zod, such as z.object({ path: z.string() })" };
  }
  try {
    return { [`${io}_schema`]: toSchema(type as unknown as z.ZodType, io) };
  } catch {
    return { [`${io}_problem`]: whyNoSchema(type as unknown as z.ZodType, io) };
  }
}
