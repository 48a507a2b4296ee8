import type { JsonSchema } from "../../../schemas/manifest.ts";
import { branchesOf, isObject, propertiesOf, requiredOf, resolveRef } from "../../../schemas/json/shape.ts";

/**
 * Returns the schema of the arguments' object. Of a union of objects, the fields of all branches count as known, and
 * those that every branch wants as required.
 */
export function argumentObject(root: JsonSchema): JsonSchema {
  const schema = resolveRef(root, root);
  const branches = branchesOf(schema).map((branch) => resolveRef(branch, root));
  if (isObject(schema.properties) || branches.length === 0) return schema;
  const fields = branches.flatMap((branch) => Object.entries(propertiesOf(branch)));
  const names = [...new Set(fields.map(([name]) => name))];
  const unite = (name: string) => ({
    anyOf: fields.filter(([other]) => other === name).map(([, field]) => field),
  });
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, unite(name)])),
    required: names.filter((name) => branches.every((branch) => requiredOf(branch).has(name))),
  };
}
