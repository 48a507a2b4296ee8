import { ToolError } from "../../../schemas/error.ts";
import type { JsonSchema, ManifestEntry } from "../../../schemas/manifest.ts";
import { SchemaChecker, type TakenSchema } from "../../calls/json_schema/schema_checker.ts";

/** The schemas of one tool. */
export interface ToolSchemas {
  /** @throws {ToolError} `invalid_input` that names all that is wrong with the arguments */
  checkInput(value: unknown): Promise<void>;
  /** @throws {ToolError} `output_invalid` that names all that is wrong with the result */
  checkOutput(value: unknown): Promise<void>;
}

/**
 * Takes the schemas of a tool.
 *
 * @throws {ToolError} `invalid_input` for a schema that cannot be used, with the place in it
 */
export async function takeSchemas(checker: SchemaChecker, tool: ManifestEntry): Promise<ToolSchemas> {
  const { full_name, input_schema, output_schema } = tool;
  const take = (schema: JsonSchema, field: string) =>
    acceptsAll(schema) ? null : checker.take(schema, { name: `${field} of ${full_name}` });
  const [input, output] = await Promise.all([
    take(input_schema, "input_schema"),
    take(output_schema, "output_schema"),
  ]);
  return {
    checkInput: (value) => check(input, value, { code: "invalid_input", what: `input of ${full_name}` }),
    checkOutput: (value) => check(output, value, { code: "output_invalid", what: `result of ${full_name}` }),
  };
}

/** Nothing need be asked then. */
function acceptsAll(schema: JsonSchema): boolean {
  return Object.keys(schema).length === 0;
}

async function check(
  schema: TakenSchema | null,
  value: unknown,
  { code, what }: { code: "invalid_input" | "output_invalid"; what: string },
): Promise<void> {
  if (schema === null) return;
  const { problems, left } = await schema.check(value);
  if (problems.length === 0) return;
  const texts = problems.map(({ pointer, message }) => `${pointer}: ${message}`);
  const more = left > 0 ? [`and ${left} more`] : [];
  throw new ToolError(code, `The ${what} does not fit its schema: ${[...texts, ...more].join("; ")}`, {
    details: { problems: problems.map(({ pointer, message }) => ({ pointer, message })) },
  });
}
