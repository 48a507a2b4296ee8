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

/** The tools of an agent. */
export interface ToolItems {
  items: readonly ToolItem[];
  /** Names that no tool here has; the user may have tools of these names. */
  own: readonly string[];
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
 * its spellings. What is neither is Python of the user's own.
 *
 * @throws {ToolError} `configuration` for a name that is mistyped, with the nearest ones
 */
export function readToolItems(items: readonly PlainValue[], at: string, places: ItemPlaces): ToolItems {
  const found = new Map<string, ToolItem>();
  const own: string[] = [];
  for (const [index, item] of items.entries()) {
    const { name, settings } = readItem(item, `${at}[${index}]`);
    const { base_class, ...rest } = { ...definitionOf(name, places.defined), ...settings };
    const entry = findEntry(name, base_class, `${at}[${index}]`, places);
    if (entry === null) own.push(name);
    else found.set(entry.full_name, { entry, settings: rest });
  }
  return { items: [...found.values()], own };
}

/** Returns the tools of the section `tools` under their own names, with what it sets for them. */
export function definedTools({ manifest, defined }: Omit<ItemPlaces, "warn">): ToolItem[] {
  return Object.entries(defined).flatMap(([name, said]) => {
    const { base_class, ...settings } = isPlainObject(said) ? said : {};
    const entry = toolNamed(name, manifest);
    return entry === null || !isSame(base_class, entry) ? [] : [{ entry, settings }];
  });
}

/** Returns the full names of tools to which the section `tools` gives names of its own, by these. */
export function renamedTools({ manifest, defined }: Omit<ItemPlaces, "warn">): Record<string, string> {
  return Object.fromEntries(
    Object.entries(defined).flatMap(([name, said]) => {
      const base = isPlainObject(said) ? said.base_class : null;
      const entry = typeof base === "string" ? toolNamed(lastPart(base), manifest) : null;
      return entry === null || isSpelledLike(name, entry) ? [] : [[name, entry.full_name]];
    }),
  );
}

/** Finds the tool of a name in any of its spellings; `null` if there is none, and if there are several. */
export function toolNamed(name: string, manifest: Pick<Manifest, "tools">): ManifestEntry | null {
  const [found, ...others] = toolsNamed(name, manifest);
  return others.length === 0 ? found ?? null : null;
}

function toolsNamed(name: string, { tools }: Pick<Manifest, "tools">): ManifestEntry[] {
  const exact = tools.filter((tool) => tool.full_name === name || tool.name === name);
  return exact.length > 0 ? exact : tools.filter((tool) => isSpelledLike(name, tool));
}

function isSame(base: PlainValue | undefined, entry: ManifestEntry): boolean {
  return typeof base !== "string" || base === "" || isSpelledLike(lastPart(base), entry);
}

/** The class at the end of a path of modules. */
function lastPart(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
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

/** @throws {ToolError} `configuration` for a definition that is no mapping */
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
  const said = path.includes("/") ? path : lastPart(path);
  const [entry, ...others] = toolsNamed(said, manifest);
  if (others.length > 0) {
    const all = [entry!, ...others].map(({ full_name }) => full_name);
    throw new ToolError("configuration", `${at}: "${said}" is ambiguous: say ${all.join(" or ")}`);
  }
  if (entry) return entry;
  const isMeant = `it means a tool of yours called "${name}", if there is one`;
  if (base || path.includes(".")) {
    warn(`${at}: the tool "${name}" is Python ("${path}"), which does not run here: ${isMeant}`);
    return null;
  }
  const hint = didYouMean(nearest(path, manifest.tools.map((tool) => tool.name), { max: 2 }));
  if (hint !== "") throw new ToolError("configuration", `${at}: no tool is called "${name}"${hint}`);
  warn(`${at}: no tool of bulkhead is called "${name}": ${isMeant}`);
  return null;
}
