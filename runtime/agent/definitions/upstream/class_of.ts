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

/** Modules of that system itself: what they do not have is a mistake, and no class of the user's own. */
const OWN_MODULES = /^(?:sgr_agent_core|sgr_deep_research)\./;

/**
 * Finds what a `base_class` stands for: the name of a class, or a path of Python modules with one at its end. Case and `_`
 * do not count. A class of the user's own works as the one that it is named after, or as the first of all.
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
  const named = names.filter((word) => plain.includes(plainName(word))).sort((a, b) => b.length - a.length);
  const near = !base.includes(".") ? undefined : named[0] ?? (OWN_MODULES.test(base) ? undefined : names[0]);
  if (near !== undefined) {
    const warning = `${at}.base_class: the class "${base}" is Python; the agent works as one of ${near} does`;
    return { ...classes[near]!, warning };
  }
  const hint = didYouMean(nearest(name, names, { max: 1 })) || `: there are ${names.join(", ")}`;
  throw new ToolError("configuration", `${at}.base_class: no class of agents is called "${base}"${hint}`);
}
