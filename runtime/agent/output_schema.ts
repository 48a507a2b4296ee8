import { ToolError } from "../../schemas/error.ts";
import { isStandardSchema, problemsOf, type StandardSchema } from "../../schemas/json/standard_schema.ts";
import type { JsonSchema } from "../../schemas/manifest.ts";
import type { AgentSettings } from "./agent_settings.ts";
import { validateBy } from "../../schemas/own/validate_by.ts";

/** How an answer is checked: as JSON Schema, which the model also sees, then by the schema itself. */
export function outputForm(schema: JsonSchema | StandardSchema): AgentSettings["output"] {
  const name = "outputSchema";
  if (!isStandardSchema(schema)) return { schema, name };
  return {
    schema: schema["~standard"].jsonSchema.input({ target: "draft-2020-12" }),
    name,
    refine: async (value) => problemsOf((await validateBy(schema, value)).issues ?? []),
  };
}

/** Returns an answer that was checked as its schema gives it: with defaults, and changed as it says. */
export async function outputOf<Output>(
  value: unknown,
  schema: JsonSchema | StandardSchema<Output>,
): Promise<Output> {
  if (!isStandardSchema(schema)) return value as Output;
  const answer = await validateBy(schema, value);
  if (!answer.issues) return answer.value;
  throw new ToolError(
    "output_invalid",
    `The answer is not of its schema: ${problemsOf(answer.issues).join("; ")}`,
  );
}
