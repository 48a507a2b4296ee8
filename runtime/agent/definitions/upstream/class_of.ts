import { ToolError } from "../../../../schemas/error.ts";
import type { Manifest } from "../../../../schemas/manifest.ts";
import type { AgentClass } from "../../../../schemas/step/agent_definition.ts";
import { didYouMean, nearest } from "../../../../schemas/nearest.ts";
import { plainName } from "../../../text/spelled_like.ts";

/** What the class of an agent stands for. */
export interface FoundClass extends AgentClass {
  /** What is different here, `null` if nothing is. */
  warning: string | null;
}

/**
 * Finds what a `base_class` stands for: the name of a class, or a path of Python modules with one at its end. Case and `_`
 * do not count.
 *
 * @throws {ToolError} `configuration` with the nearest names
 */
export function classOf(
  base: string,
  at: string,
  { agent_classes: classes }: Pick<Manifest, "agent_classes">,
): FoundClass {
  const name = base.slice(base.lastIndexOf(".") + 1);
  const plain = plainName(name);
  const names = Object.keys(classes);
  const found = names.find((word) => plainName(word) === plain);
  if (found !== undefined) return { ...classes[found]!, warning: null };
  // A class of one's own is named after the one that it is made from.
  const near = base.includes(".")
    ? names.filter((word) => plain.includes(plainName(word))).sort((a, b) => b.length - a.length)[0]
    : undefined;
  if (near !== undefined) {
    const warning = `${at}.base_class: the class "${base}" is Python; the agent works as one of ${near} does`;
    return { ...classes[near]!, warning };
  }
  const hint = didYouMean(nearest(name, names, { max: 1 })) || `: there are ${names.join(", ")}`;
  throw new ToolError("configuration", `${at}.base_class: no class of agents is called "${base}"${hint}`);
}
