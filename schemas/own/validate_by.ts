import type { StandardAnswer, StandardSchema } from "../json/standard_schema.ts";
import { readAnswer } from "./answers.ts";

/**
 * Checks a value by a schema of a library that follows Standard Schema.
 *
 * @throws {ToolError} `output_invalid` if the schema's answer is of another form than the standard's
 */
export async function validateBy<Output>(
  schema: StandardSchema<Output>,
  value: unknown,
): Promise<StandardAnswer<Output>> {
  return readAnswer("validate", await schema["~standard"].validate(value)) as StandardAnswer<Output>;
}
