import { ToolError } from "../../../../schemas/error.ts";
import type { Manifest, ManifestEntry } from "../../../../schemas/manifest.ts";
import { didYouMean, nearest } from "../../../../schemas/nearest.ts";
import { isSpelledLike, plainName } from "../../../text/spelled_like.ts";
import { wrong } from "./fields.ts";
import { isPlainObject, type PlainObject, type PlainValue } from "./plain_tree.ts";

/** A tool of an agent, with what its file sets for it. */
export interface ToolItem {
  entry: ManifestEntry;
  settings: PlainObject;
}

/** What tools are found among. */
export interface ItemPlaces {
  manifest: Pick<Manifest, "tools">;
  /** The section `tools` of the file. */
  defined: PlainObject;
  warn(message: string): void;
}

/**
 * Reads the list of an agent's tools: a name, a mapping of a name to settings, or a mapping with `name` and settings. A
 * tool is the one that its `base_class` names, in the item or in the section `tools`; else the one of its name, in any of
 * its spellings. A tool that is Python of the user's own is left out.
 *
 * @throws {ToolError} `configuration` for an unknown tool, with the nearest name
 */
export function readToolItems(items: readonly PlainValue[], at: string, places: ItemPlaces): ToolItem[] {
  const found = new Map<string, ToolItem>();
  for (const [index, item] of items.entries()) {
    const { name, settings } = readItem(item, `${at}[${index}]`);
    const shared = definitionOf(name, places.defined);
    const { base_class, ...rest } = { ...shared, ...settings };
    const entry = findEntry(name, base_class, `${at}[${index}]`, places);
    if (entry !== null) found.set(entry.full_name, { entry, settings: rest });
  }
  return [...found.values()];
}

/** Finds the tool of a name in any of its spellings; `null` if there is none. */
export function toolNamed(name: string, { tools }: Pick<Manifest, "tools">): ManifestEntry | null {
  const exact = tools.filter((tool) => tool.full_name === name || tool.name === name);
  if (exact.length === 1) return exact[0]!;
  const alike = tools.filter((tool) => isSpelledLike(name, tool));
  return alike.length === 1 ? alike[0]! : null;
}

function readItem(item: PlainValue, at: string): { name: string; settings: PlainObject } {
  if (typeof item === "string" && item !== "") return { name: item, settings: {} };
  if (isPlainObject(item)) {
    const { name, ...settings } = item;
    if (typeof name === "string" && name !== "") return { name, settings };
    const [[only, value] = ["", null], ...others] = Object.entries(item);
    if (others.length === 0 && only !== "" && (value === null || isPlainObject(value))) {
      return { name: only, settings: value ?? {} };
    }
  }
  throw wrong(at, "be the name of a tool, or a mapping of one name to its settings");
}

function definitionOf(name: string, defined: PlainObject): PlainObject {
  const plain = plainName(name);
  const own = Object.entries(defined).find(([word]) => word === name) ??
    Object.entries(defined).find(([word]) => plainName(word) === plain);
  const [word, value] = own ?? ["", null];
  if (value === null || isPlainObject(value)) return value ?? {};
  throw wrong(`tools.${word}`, "be a mapping");
}

function findEntry(
  name: string,
  base: PlainValue | undefined,
  at: string,
  { manifest, warn }: ItemPlaces,
): ManifestEntry | null {
  if (base !== undefined && base !== null && typeof base !== "string") {
    throw wrong(`${at}.base_class`, "be a text");
  }
  const path = base || name;
  const named = path.slice(path.lastIndexOf(".") + 1);
  const entry = toolNamed(named, manifest);
  if (entry) return entry;
  if (path.includes(".")) {
    warn(`${at}: the tool "${name}" is Python ("${path}") and is left out; make it a script tool`);
    return null;
  }
  const names = manifest.tools.flatMap((tool) => [tool.name, tool.full_name]);
  const hint = didYouMean(nearest(named, names, { max: 2 })) || "; bulkhead tools lists the names";
  throw new ToolError("configuration", `${at}: no tool is called "${named}"${hint}`);
}
