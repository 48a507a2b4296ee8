import type { ModelRequest } from "../../schemas/agent/model.ts";

/** What a request offers: tools, or a form, and whether a call is forced. */
export function offerOf({ tools, mustCall, form }: ModelRequest): string {
  const names = form ? namesIn(form.schema) : tools.map(({ name }) => name);
  const offered = names.length === 0 ? "-" : names.join(" ");
  return `${form ? `${form.name}: ` : ""}${offered}${mustCall || form?.name === "next_step" ? " !" : ""}`;
}

/** The tools that a form of a step offers. */
// deno-lint-ignore no-explicit-any
export function namesIn(schema: any): string[] {
  const choice = schema.properties?.function;
  const variants = choice === undefined ? [] : choice.anyOf ?? [choice];
  // deno-lint-ignore no-explicit-any
  return variants.map((one: any) => one.properties.tool_name_discriminator.const);
}
