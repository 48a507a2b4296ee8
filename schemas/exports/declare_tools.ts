import type { JsonSchema, ManifestEntry } from "../manifest.ts";
import { branchesOf, isObject, propertiesOf, requiredOf, resolveRef, toSchema } from "../json/shape.ts";

/** How many schemas inside each other are written; what lies deeper, or refers to itself, is `unknown`. */
const MAX_DEPTH = 12;
const INDENT = "  ";
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const PLAIN: Readonly<Record<string, string>> = {
  ...{ null: "null", boolean: "boolean", integer: "number", number: "number", string: "string" },
};

/** A tool, and its name for whoever calls it. */
export interface DeclaredTool {
  /** What it takes and returns. */
  entry: ManifestEntry;
  /** As it is called: a name of the user's, or the tool's own. */
  name: string;
}

/**
 * Writes tools as declarations of TypeScript, from the same schemas as all other formats: one constant `tools` with a
 * function for each tool, its arguments as one object, and what it returns. Descriptions and defaults are comments. The
 * order is that of the tools and of their schemas.
 */
export function declareTools(tools: readonly DeclaredTool[]): string {
  const functions = tools.map(({ entry, name }) => {
    const { input_schema: input, output_schema: output, description } = entry;
    const args = writeType(input, { root: input, depth: 0, indent: INDENT });
    const mark = requiredOf(resolveRef(input, input)).size > 0 ? "" : "?";
    const answer = writeType(output, { root: output, depth: 0, indent: INDENT });
    return `${comment(description, INDENT)}${INDENT}${
      key(name)
    }(args${mark}: ${args}): Promise<${answer}>;\n`;
  });
  return `declare const tools: {\n${functions.join("")}};\n`;
}

interface Writing {
  /** What references are looked up in. */
  root: JsonSchema;
  depth: number;
  indent: string;
}

function writeType(schema: JsonSchema, writing: Writing): string {
  if (writing.depth > MAX_DEPTH) return "unknown";
  const inner = { ...writing, depth: writing.depth + 1 };
  const found = resolveRef(schema, writing.root);
  if (isObject(found.not) && Object.keys(found.not).length === 0) return "never";
  if (found.const !== undefined) return JSON.stringify(found.const);
  if (Array.isArray(found.enum)) return union(found.enum.map((value) => JSON.stringify(value)));
  const branches = branchesOf(found).map((branch) => writeType(branch, inner));
  const all = Array.isArray(found.allOf) ? found.allOf.map((part) => writeType(toSchema(part), inner)) : [];
  const types = Array.isArray(found.type) ? found.type : found.type === undefined ? [] : [found.type];
  const own = types.length > 0
    ? types.map((type) => writeKind(String(type), found, inner))
    : isObject(found.properties)
    ? [writeObject(found, inner)]
    : [];
  const parts = [union(branches), ...all, union(own)].filter((part) => part !== "" && part !== "unknown");
  return parts.length === 0
    ? "unknown"
    : [...new Set(parts.length > 1 ? parts.map(grouped) : parts)].join(" & ");
}

function writeKind(type: string, schema: JsonSchema, writing: Writing): string {
  if (type === "array") return writeArray(schema, writing);
  return type === "object" ? writeObject(schema, writing) : PLAIN[type] ?? "unknown";
}

function writeArray({ items, prefixItems }: JsonSchema, writing: Writing): string {
  const rest = items === false ? null : writeType(toSchema(items), writing);
  if (!Array.isArray(prefixItems)) return rest === null ? "[]" : `${grouped(rest)}[]`;
  const first = prefixItems.map((item) => writeType(toSchema(item), writing));
  return `[${[...first, ...rest === null ? [] : [`...${grouped(rest)}[]`]].join(", ")}]`;
}

function writeObject(schema: JsonSchema, writing: Writing): string {
  const fields = Object.entries(propertiesOf(schema));
  const more = schema.additionalProperties;
  const others = isObject(more) && Object.keys(more).length > 0 ? writeType(more, writing) : "unknown";
  if (fields.length === 0) return more === false ? "Record<string, never>" : `Record<string, ${others}>`;
  const required = requiredOf(schema);
  const indent = writing.indent + INDENT;
  const lines = fields.map(([name, field]) => {
    const { description, default: given } = { ...resolveRef(field, writing.root), ...field };
    const said = [description, given !== undefined && `Default: ${JSON.stringify(given)}`].filter(Boolean)
      .join(" ");
    const type = writeType(field, { ...writing, indent });
    return `${comment(said, indent)}${indent}${key(name)}${required.has(name) ? "" : "?"}: ${type};\n`;
  });
  const known = `{\n${lines.join("")}${writing.indent}}`;
  return others === "unknown" ? known : `${known} & Record<string, ${others}>`;
}

function union(types: readonly string[]): string {
  return types.includes("unknown") ? "unknown" : [...new Set(types)].join(" | ");
}

/** A union or an intersection in parentheses, so that what follows belongs to all of it. */
function grouped(type: string): string {
  return / [|&] /.test(type.replace(/\{[^]*\}|"(?:[^"\\]|\\.)*"/g, "")) ? `(${type})` : type;
}

function key(name: string): string {
  return IDENTIFIER.test(name) ? name : JSON.stringify(name);
}

/** No word of a description ends its comment. */
function comment(text: string, indent: string): string {
  const lines = text.replaceAll("*/", "*\\/").split("\n").map((line) => line.trimEnd());
  if (text.trim() === "") return "";
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}
