import { isObject } from "../../../schemas/json/shape.ts";

/** A call of the client's own tool that must be the answer: libraries get data of a schema so. */
export interface ForcedCall {
  name: string;
  /** JSON Schema of the arguments. */
  schema: Record<string, unknown>;
}

/** Returns the call that a request asks for, `null` if it asks for none, `"unclear"` if it does not name one function. */
export function forcedCall(
  { tools, tool_choice: choice }: Readonly<Record<string, unknown>>,
): ForcedCall | null | "unclear" {
  if (choice !== "required" && !isObject(choice)) return null;
  const functions = (Array.isArray(tools) ? tools : []).flatMap((tool) =>
    isObject(tool) && isObject(tool.function) ? [tool.function] : []
  );
  const wanted = choice === "required" ? functions : functions.filter(({ name }) => name === nameIn(choice));
  const [found] = wanted;
  if (wanted.length !== 1 || typeof found?.name !== "string") return "unclear";
  return { name: found.name, schema: isObject(found.parameters) ? found.parameters : { type: "object" } };
}

function nameIn({ function: named }: Record<string, unknown>): unknown {
  return isObject(named) ? named.name : undefined;
}
