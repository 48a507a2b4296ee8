import type { JsonSchema } from "../../../schemas/manifest.ts";
import {
  branchesOf,
  isObject,
  propertiesOf,
  requiredOf,
  resolveRef,
  toSchema,
  typesOf,
} from "../../../schemas/json/shape.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { argumentObject } from "../args/argument_fields.ts";

/** An argument of a tool, or a field inside one, in words. */
export interface ArgumentRow {
  /** `path`, or `edits[].old` for a field of the items of a list. */
  name: string;
  type: string;
  /** `required`, the default as JSON, or `""`. */
  fallback: string;
  /** What it means, which values there are, and the bounds. */
  meaning: string;
}

const MAX_DEFAULT = 24;

/** Describes the arguments of a tool, in the order of its schema; fields inside an argument follow it. */
export function describeArguments(root: JsonSchema): ArgumentRow[] {
  return describeFields(argumentObject(root), { root, prefix: "", depth: 0 });
}

interface Place {
  root: JsonSchema;
  prefix: string;
  depth: number;
}

/** Deeper fields are left to the JSON Schema. */
const MAX_DEPTH = 2;

function describeFields(object: JsonSchema, place: Place): ArgumentRow[] {
  const required = requiredOf(object);
  const { root, prefix, depth } = place;
  return Object.entries(propertiesOf(object)).flatMap(([key, field]) => {
    const name = prefix + onOneLine(key);
    const row = {
      name,
      type: typeWords(field, root),
      fallback: field.default !== undefined
        ? showDefault(field.default)
        : required.has(key)
        ? "required"
        : "",
      meaning: meaningOf(field, root),
    };
    if (depth === MAX_DEPTH) return [row];
    const { list, object } = insideOf(field, root);
    const inner = { root, prefix: `${name}${list ? "[]" : ""}.`, depth: depth + 1 };
    return [row, ...(object ? describeFields(object, inner) : [])];
  });
}

/** The object that an argument is, or a list of. */
function insideOf(field: JsonSchema, root: JsonSchema): { list: boolean; object: JsonSchema | null } {
  const schema = resolveRef(field, root);
  const list = isObject(schema.items);
  const object = list ? resolveRef(toSchema(schema.items), root) : schema;
  return { list, object: isObject(object.properties) ? object : null };
}

function typeWords(field: JsonSchema, root: JsonSchema): string {
  const schema = resolveRef(field, root);
  const branches = branchesOf(schema);
  if (branches.length > 0) {
    return [...new Set(branches.map((branch) => typeWords(branch, root)))].join(" or ");
  }
  const types = [...typesOf(schema, root)];
  const words = types.map((type) => {
    if (type !== "array") return type;
    const items = typeWords(toSchema(schema.items), root);
    return items === "any" ? "list" : `list of ${items}`;
  });
  return words.join(" or ") || "any";
}

function showDefault(value: unknown): string {
  const text = onOneLine(JSON.stringify(value) ?? "");
  return text.length > MAX_DEFAULT ? `${text.slice(0, MAX_DEFAULT)}...` : text;
}

function meaningOf(field: JsonSchema, root: JsonSchema): string {
  const { $ref: _, ...own } = field;
  const schema = { ...resolveRef(field, root), ...own };
  const parts = [
    typeof schema.description === "string" ? onOneLine(schema.description.replace(/\s+/g, " ").trim()) : "",
    choicesOf(schema, root),
    ...boundsOf(schema),
  ];
  return parts.filter((part) => part !== "").map((part) => /[.!?]$/.test(part) ? part : `${part}.`).join(" ");
}

function choicesOf(schema: JsonSchema, root: JsonSchema): string {
  const all = [schema, ...branchesOf(schema).map((branch) => resolveRef(branch, root))].flatMap((branch) =>
    Array.isArray(branch.enum) ? branch.enum : branch.const !== undefined ? [branch.const] : []
  );
  const values = [...new Set(all)].map((value) => typeof value === "string" ? value : JSON.stringify(value));
  return values.length === 0 ? "" : `One of ${onOneLine(values.join(", "))}`;
}

/** Bounds that a number of JavaScript has anyway say nothing. */
function boundsOf(schema: JsonSchema): string[] {
  const number = (key: string) => {
    const value = schema[key];
    return typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;
  };
  return [
    range(number("minimum"), number("maximum"), ""),
    number("exclusiveMinimum") === undefined ? "" : `More than ${number("exclusiveMinimum")}`,
    number("exclusiveMaximum") === undefined ? "" : `Less than ${number("exclusiveMaximum")}`,
    range(number("minLength"), number("maxLength"), "character"),
    range(number("minItems"), number("maxItems"), "item"),
    typeof schema.pattern === "string" ? `Matches ${onOneLine(schema.pattern)}` : "",
  ];
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const units = unit === "" ? "" : ` ${unit}${(most ?? least) === 1 ? "" : "s"}`;
  if (least !== undefined && most !== undefined) return `${least} to ${most}${units}`;
  if (least !== undefined) return `At least ${least}${units}`;
  return most !== undefined ? `At most ${most}${units}` : "";
}
