import * as z from "zod";

import { isObject } from "../../../schemas/json/shape.ts";
import { sayThrown } from "../../../schemas/own/thrown_error.ts";
import { defineTool } from "../../../schemas/tool.ts";
import { importModule, toolsOfModule } from "./own_module.ts";
import { toSchema, whyNoSchema } from "./to_schema.ts";
import { isZodType, typeOf } from "./type_of.ts";

/** Where a definition is a function, main is told that it is one. */
const FUNCTIONS = ["run", "targets", "text", "summary", "preview", "errorText"];

/** What to write in the place of a type that is not understood. */
const A_TYPE = "a type of zod, such as z.object({ path: z.string() })";

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

/** A JSON Schema is told as its author wrote it, and leaves open what it does not close. */
function schemaOrProblem(io: "input" | "output", type: unknown): Record<string, unknown> {
  if (isZodType(type)) {
    try {
      return { [`${io}_schema`]: toSchema(type, io) };
    } catch {
      return { [`${io}_problem`]: whyNoSchema(type, io) };
    }
  }
  if (!isObject(type)) return { [`${io}_problem`]: `must be a JSON Schema, or ${A_TYPE}` };
  try {
    typeOf(type);
    return { [`${io}_schema`]: JSON.parse(JSON.stringify(type)), ...io === "input" && { open_input: true } };
  } catch (error) {
    return {
      [`${io}_problem`]: `is no JSON Schema that a file may have: ${sayThrown(error)}; write ${A_TYPE}`,
    };
  }
}
