import { ACCESS_KINDS, type Needs } from "../access.ts";
import { ToolError } from "../error.ts";
import { parseJson } from "./json_text.ts";
import type { JsonSchema, ManifestEntry } from "../manifest.ts";
import { isObject, mapSubschemas, propertiesOf, requiredOf, toSchema, typesOf } from "./shape.ts";

/** What callers of the tools rely on: names, arguments and needs. Descriptions are not part of it. */
export interface Lock {
  version: 1;
  /** By full name, sorted. */
  tools: Record<string, LockedTool>;
}

/** The locked part of one tool. */
export interface LockedTool {
  input_schema: JsonSchema;
  needs: Needs;
}

/** Kinds of difference between a lock and the current tools. */
export type ChangeKind =
  | "removed"
  | "added"
  | "argument removed"
  | "argument added"
  | "argument type changed"
  | "argument now required"
  | "argument now optional"
  | "argument rules changed"
  | "default changed"
  | "needs changed";

/** One difference, with a sentence for people. */
export interface Change {
  /** Full name. */
  tool: string;
  kind: ChangeKind;
  detail: string;
}

/** Makes the lock of some tools; equal tools give equal JSON in any order and with any descriptions. */
export function makeLock(entries: readonly ManifestEntry[]): Lock {
  const tools = entries.map(({ full_name, input_schema, needs }) => {
    const locked = { input_schema: withoutProse(input_schema), needs };
    return [full_name, sortKeys(locked) as LockedTool] as const;
  });
  return { version: 1, tools: sortKeys(Object.fromEntries(tools)) as Record<string, LockedTool> };
}

/**
 * Reads a lock back.
 *
 * @param file Name of the file, for messages
 * @throws {ToolError} `invalid_input` if the text is not a lock
 */
export function parseLock(text: string, file: string): Lock {
  const lock = parseJson(text, `lock file "${file}"`);
  const again = `make it anew with: bulkhead schema lock ${file}`;
  if (!isObject(lock) || !isObject(lock.tools)) {
    throw new ToolError(
      "invalid_input",
      `Cannot use lock file "${file}": it is not a lock of tools, ${again}`,
    );
  }
  if (lock.version !== 1) {
    const version = JSON.stringify(lock.version) ?? "missing";
    throw new ToolError(
      "invalid_input",
      `Cannot use lock file "${file}": its version is ${version}, not 1, ${again}`,
    );
  }
  for (const [name, tool] of Object.entries(lock.tools)) {
    if (isObject(tool) && isObject(tool.input_schema) && isNeeds(tool.needs)) continue;
    throw new ToolError(
      "invalid_input",
      `Cannot use lock file "${file}": its entry "${name}" is broken, ${again}`,
    );
  }
  return lock as unknown as Lock;
}

function isNeeds(needs: unknown): needs is Needs {
  return isObject(needs) &&
    Object.values(needs).every((scope) => typeof scope === "string" || Array.isArray(scope));
}

/**
 * Returns every difference between a lock and the current tools, sorted by tool; empty if nothing changed.
 */
export function compareLock(locked: Lock, current: Lock): Change[] {
  const names = new Set([...Object.keys(locked.tools), ...Object.keys(current.tools)]);
  return [...names].sort().flatMap((name) => {
    const before = Object.hasOwn(locked.tools, name) ? locked.tools[name]! : null;
    const after = Object.hasOwn(current.tools, name) ? current.tools[name]! : null;
    if (!after) return [{ tool: name, kind: "removed", detail: `${name} was removed` }];
    if (!before) return [{ tool: name, kind: "added", detail: `${name} was added` }];
    return [...compareArguments(name, before, after), ...compareNeeds(name, before.needs, after.needs)];
  });
}

function compareNeeds(tool: string, before: Needs, after: Needs): Change[] {
  return ACCESS_KINDS.flatMap((kind) => {
    const [was, is] = [before[kind], after[kind]].map((scope) => JSON.stringify(scope) ?? "nothing");
    if (was === is) return [];
    return [{ tool, kind: "needs changed", detail: `${tool}: need of ${kind} was ${was}, is ${is}` }];
  });
}

/** One argument, or a field inside one, with all that its schema says apart from its own fields. */
interface Argument {
  types: string;
  required: boolean;
  fallback: string;
  rules: Record<string, string>;
}

function compareArguments(tool: string, before: LockedTool, after: LockedTool): Change[] {
  const old = collect(before.input_schema);
  const now = collect(after.input_schema);
  const changes: Change[] = [];
  const settled = new Set<string>();
  for (const path of [...new Set([...old.keys(), ...now.keys()])]) {
    if (isInside(path, settled)) continue;
    const found = compareArgument(path, old.get(path), now.get(path));
    if (found.some(({ kind }) => SETTLES.has(kind))) settled.add(path);
    changes.push(...found.map(({ kind, detail }) => ({ tool, kind, detail: `${tool}: ${detail}` })));
  }
  return changes;
}

/** After one of these changes, the changes of inner fields say nothing new. */
const SETTLES: ReadonlySet<ChangeKind> = new Set([
  "argument removed",
  "argument added",
  "argument type changed",
]);

function isInside(path: string, settled: ReadonlySet<string>): boolean {
  return [...settled].some((outer) => path.startsWith(`${outer}.`) || path.startsWith(`${outer}[]`));
}

function compareArgument(path: string, old?: Argument, now?: Argument): Omit<Change, "tool">[] {
  const name = path === "" ? "the arguments" : `argument "${path}"`;
  if (!now) return [{ kind: "argument removed", detail: `${name} was removed` }];
  const need = now.required ? "required" : "optional";
  if (!old) return [{ kind: "argument added", detail: `${name} was added and is ${need}` }];
  const changes: Omit<Change, "tool">[] = [];
  if (old.types !== now.types) {
    changes.push({
      kind: "argument type changed",
      detail: `type of ${name} was ${old.types}, is ${now.types}`,
    });
  }
  if (old.required !== now.required) {
    changes.push({ kind: `argument now ${need}`, detail: `${name} is now ${need}` });
  }
  if (old.fallback !== now.fallback) {
    changes.push({
      kind: "default changed",
      detail: `default of ${name} was ${old.fallback}, is ${now.fallback}`,
    });
  }
  for (const rule of new Set([...Object.keys(old.rules), ...Object.keys(now.rules)])) {
    const [was, is] = [old.rules[rule] ?? "absent", now.rules[rule] ?? "absent"];
    if (was === is) continue;
    changes.push({ kind: "argument rules changed", detail: `${rule} of ${name} was ${was}, is ${is}` });
  }
  return changes;
}

/** Lists the arguments by path: `path`, `edits`, `edits[]`, `edits[].old_text`. The root stands under "". */
function collect(root: JsonSchema): Map<string, Argument> {
  const found = new Map<string, Argument>();
  const visit = (schema: JsonSchema, path: string, required: boolean) => {
    const { properties: _properties, required: _required, type, default: fallback, items, ...rest } = schema;
    const types = [...typesOf({ type }, root)].sort().join(" or ") || "any";
    const rules = Object.entries({ ...rest, ...(isObject(items) ? {} : { items }) })
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, JSON.stringify(sortKeys(value))]);
    found.set(path, {
      types,
      required,
      fallback: JSON.stringify(sortKeys(fallback)) ?? "none",
      rules: Object.fromEntries(rules),
    });
    const mandatory = requiredOf(schema);
    for (const [key, inner] of Object.entries(propertiesOf(schema))) {
      visit(inner, path === "" ? key : `${path}.${key}`, mandatory.has(key));
    }
    if (isObject(items)) visit(toSchema(items), `${path}[]`, false);
  };
  visit(root, "", true);
  return found;
}

const PROSE = new Set(["$schema", "$comment", "title", "description", "examples"]);

function withoutProse(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema)
    .filter(([key]) => !PROSE.has(key))
    .map(([key, value]) => [key, key === "required" && Array.isArray(value) ? value.toSorted() : value]);
  return mapSubschemas(Object.fromEntries(kept), withoutProse);
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sortKeys(value[key])]));
}
