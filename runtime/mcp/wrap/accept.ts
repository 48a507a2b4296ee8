import { ToolError } from "../../../schemas/error.ts";
import { canonicalJson } from "../../text/canonical_json.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { type Described, type ListName, LISTS, type Pins, type PinStore } from "./pin_store.ts";

/** What of a server has changed since it was accepted. */
export interface PinnedChanges {
  /** One line each, for a terminal. */
  lines: readonly string[];
  /** Stands for exactly these changes. */
  code: string;
}

/** Returns what has changed, `null` if nothing has. Throws `not_found` for a server that was never used. */
export async function pinnedChanges(store: PinStore, name: string): Promise<PinnedChanges | null> {
  const { pinned, seen } = required(store, name);
  if (seen === null) return null;
  return { lines: linesOf(pinned, seen), code: await codeOf(seen) };
}

/**
 * Accepts what has changed.
 *
 * @param code That of the changes that the user saw
 * @throws {ToolError} `conflict` if the changes are others by now
 */
export async function acceptChanges(store: PinStore, name: string, code: string): Promise<void> {
  const { seen } = required(store, name);
  if (seen === null || await codeOf(seen) !== code) {
    throw new ToolError(
      "conflict",
      `Cannot accept ${
        JSON.stringify(code)
      }: this is not what ${name} says now, look again with bulkhead mcp accept ${name}`,
    );
  }
  store.write({ pinned: seen, seen: null });
}

function required(store: PinStore, name: string): Pins {
  const pins = store.read();
  if (pins !== null) return pins;
  throw new ToolError("not_found", `No tools were kept of a server named ${JSON.stringify(name)}`);
}

async function codeOf(seen: Described): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(seen));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest.subarray(0, 5), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function linesOf(pinned: Described, seen: Described): string[] {
  const told = pinned.instructions === seen.instructions
    ? []
    : ["~ instructions", `    was ${show(pinned.instructions)}`, `    is  ${show(seen.instructions)}`];
  return [...told, ...LISTS.flatMap((list) => linesOfList(list, pinned, seen))].map(onOneLine);
}

function linesOfList(list: ListName, pinned: Described, seen: Described): string[] {
  const before = new Map(pinned[list]);
  const after = new Map(seen[list]);
  const kind = list === "prompts" ? "prompt " : "";
  const gone = [...before.keys()].filter((name) => !after.has(name)).map((name) => `- ${kind}${name}`);
  const others = [...after].flatMap(([name, entry]) => {
    if (!before.has(name)) return [`+ ${kind}${name}: ${show(entry)}`];
    return canonicalJson(before.get(name)) === canonicalJson(entry)
      ? []
      : [`~ ${kind}${name}`, `    was ${show(before.get(name))}`, `    is  ${show(entry)}`];
  });
  return [...gone, ...others];
}

function show(value: unknown): string {
  return canonicalJson(value);
}
