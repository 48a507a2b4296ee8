import type { JsonSchema, Manifest } from "../../../schemas/manifest.ts";
import {
  branchesOf,
  isObject,
  propertiesOf,
  requiredOf,
  resolveRef,
  typesOf,
} from "../../../schemas/json/shape.ts";

/** Says whether an option, as written, is an argument of a tool that needs no value: `--include-dirs`. */
export type IsSwitch = (tool: string, option: string) => boolean;

/**
 * Knows the arguments that need no value by the names of tools. A name counts for all tools that it may mean, in any
 * letter case: an argument that one of them gives a value takes one.
 */
export function switchesOf({ tools }: Pick<Manifest, "tools">): IsSwitch {
  return (tool, option) => {
    const meant = tools.filter(({ name, full_name }) =>
      full_name === tool || name.toLowerCase() === tool.toLowerCase()
    );
    const kinds = meant.flatMap(({ input_schema: root }) => {
      const fields = propertiesOf(argumentObject(root));
      const key = argumentOfOption(option, fields);
      return key === undefined ? [] : [isSwitch(fields[key]!, root)];
    });
    return kinds.length > 0 && kinds.every(Boolean);
  };
}

/** Returns the field that `--name` or `--na-me` fills; `undefined` if there is none. */
export function argumentOfOption(
  option: string,
  fields: Readonly<Record<string, JsonSchema>>,
): string | undefined {
  const name = option.startsWith("--") ? option.slice(2) : "";
  return [name, name.replaceAll("-", "_")].find((key) => key !== "" && Object.hasOwn(fields, key));
}

/** Says whether a field is a yes or no and nothing else, so that its option needs no value. */
export function isSwitch(field: JsonSchema, root: JsonSchema): boolean {
  const types = [...typesOf(field, root)].filter((type) => type !== "null");
  return types.length === 1 && types[0] === "boolean";
}

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
