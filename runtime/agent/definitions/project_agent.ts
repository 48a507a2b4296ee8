import { ToolError } from "../../../schemas/error.ts";
import type { Manifest, ManifestEntry } from "../../../schemas/manifest.ts";
import type { AgentDefinition } from "../../../schemas/step/agent_definition.ts";
import { describedCatalog } from "../../calls/catalog/catalog.ts";
import { findTool } from "../../calls/catalog/find_tool.ts";

/** What a project's file may say of an agent that is not its own. */
const NARROWS: readonly string[] = ["tools", "limits", "grants"];

/** An agent, and what a project's file says of it. */
export interface NarrowedAgent {
  name: string;
  definition: AgentDefinition;
  /** `null` if the project says nothing, and if the agent is its own. */
  narrower: AgentDefinition | null;
  /** Who describes it: `project`, or another one. */
  origin: string;
}

/** An agent's tools as far as a project's file leaves them, and what of that file does not count. */
export interface ProjectTools {
  /** In the place of the agent's own; absent where these stay. */
  tools?: readonly string[];
  /** Of the run's own tools only these; absent where all stay. */
  only?: readonly string[];
  /** Tools beside the run's own that touch nothing. */
  extraTools: readonly string[];
  /** A sentence each. */
  warnings: readonly string[];
}

/** Returns what a project's file says in vain of an agent that is not its own, a sentence each. */
export function untrustedFields(name: string, narrower: AgentDefinition, path: string | null): string[] {
  return Object.keys(narrower).filter((field) => !NARROWS.includes(field)).map((field) =>
    ignored(path, `agents.${name}.${field}`, "not trusted, for the agent is not the project's own")
  );
}

/**
 * Returns the tools that a project's file leaves: of an agent of its own, those that the run has anyway and those that touch
 * nothing; of any other agent, those that it has, and all of these that touch nothing.
 */
export function projectTools(
  { name, definition, narrower, origin }: NarrowedAgent,
  { manifest, path }: { manifest: Manifest; path: string | null },
): ProjectTools {
  const asked = origin === "project" ? definition.tools : narrower?.tools;
  if (asked === undefined) return { extraTools: [], warnings: [] };
  const known = (word: string) => knownTool(word, manifest);
  const told = (words: readonly string[], why: string) =>
    words.map((word) => ignored(path, `agents.${name}.tools: ${word}`, why));
  if (origin !== "project" && definition.tools !== undefined) {
    const same = (one: string, other: string) => fullName(one, manifest) === fullName(other, manifest);
    const lost = asked.filter((word) => !definition.tools!.some((own) => same(own, word)));
    // Its way of thinking may need those that touch nothing.
    const isHarmless = (own: string) => {
      const tool = known(own);
      return tool !== null && touchesNothing(tool);
    };
    return {
      tools: definition.tools.filter((own) => isHarmless(own) || asked.some((word) => same(own, word))),
      extraTools: [],
      warnings: told(lost, "the agent has no such tool"),
    };
  }
  const outside = asked.filter((word) => {
    const tool = known(word);
    return tool !== null && (tool.optional || tool.toolset !== manifest.default_toolset);
  });
  const harmless = origin === "project" ? outside.filter((word) => touchesNothing(known(word)!)) : [];
  const lost = outside.filter((word) => !harmless.includes(word));
  return {
    only: asked.filter((word) => !outside.includes(word)),
    extraTools: harmless,
    warnings: told(lost, "not trusted; add it with --extra-tool"),
  };
}

function ignored(path: string | null, field: string, why: string): string {
  return `project configuration ${path ?? ""}: ${field} ignored: ${why}`;
}

/** It needs no permission for anything. */
function touchesNothing({ needs }: Pick<ManifestEntry, "needs">): boolean {
  return Object.keys(needs).length === 0;
}

function fullName(word: string, manifest: Manifest): string {
  return knownTool(word, manifest)?.full_name ?? word;
}

/** `null` for tools of other sources, and for none. */
function knownTool(word: string, manifest: Manifest): ManifestEntry | null {
  try {
    return findTool(describedCatalog(manifest), word.split("=", 1)[0]!).tool;
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}
