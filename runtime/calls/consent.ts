import { ToolError } from "../../schemas/error.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import { readAnswer } from "../../schemas/own/answers.ts";
import type { Consent } from "../../schemas/permission.ts";
import type { Carrier, Explanation } from "./catalog/carrier.ts";

/** What a person's consent for the rest of a run covers: a tool, and for one that starts programs only some of them. */
export interface ConsentScope {
  tool: string;
  /** `null` for a tool that starts none. */
  programs: readonly string[] | null;
}

/** What persons have agreed to for the rest of a run. */
export class RememberedConsents {
  readonly #tools = new Set<string>();
  readonly #programs = new Map<string, Set<string>>();

  /** Says whether a person has agreed to calls such as this one. */
  covers(scope: ConsentScope | null): boolean {
    if (scope === null) return false;
    if (scope.programs === null) return this.#tools.has(scope.tool);
    const agreed = this.#programs.get(scope.tool);
    return agreed !== undefined && scope.programs.every((program) => agreed.has(program));
  }

  add({ tool, programs }: ConsentScope): void {
    if (programs === null) this.#tools.add(tool);
    else this.#programs.set(tool, new Set([...this.#programs.get(tool) ?? [], ...programs]));
  }

  /** Some calls of the tool are covered. */
  knows(tool: string): boolean {
    return this.#tools.has(tool) || this.#programs.has(tool);
  }
}

/**
 * Returns what the consent to a call can cover in later calls.
 *
 * @param carrier Runs the calls of the tool
 * @returns `null` if the programs that the call starts are not all known: then the consent is for this call alone
 */
export async function scopeOf(
  entry: ManifestEntry,
  explain: () => Promise<Explanation>,
  { startsOwn = false }: Pick<Carrier, "startsOwn"> = {},
): Promise<ConsentScope | null> {
  // No call chooses another program than those before it.
  if (entry.needs.run === undefined || startsOwn) return { tool: entry.full_name, programs: null };
  const { programsOf } = await import("../programs/shell/programs_of.ts");
  const { analyses } = await explain();
  if (analyses.length === 0 || analyses.some(({ opaque }) => opaque.length > 0)) return null;
  return { tool: entry.full_name, programs: [...new Set(analyses.flatMap(programsOf))] };
}

/** Returns a scope in words for a question: `Bash with git, npm`. */
export function showScope({ tool, programs }: ConsentScope): string {
  if (programs === null) return tool;
  return programs.length === 0 ? `${tool} without a program` : `${tool} with ${programs.join(", ")}`;
}

/** What a person decided. */
export interface ReadConsent {
  agreed: boolean;
  /** For all such calls of the run. */
  always: boolean;
  /** Why not, `""` if nothing was said. */
  reason: string;
}

/** Nobody answered. */
export const NO_CONSENT: ReadConsent = { agreed: false, always: false, reason: "" };

/** What a person said, in one form. An answer that is none is a no, and says why: an embedding program gives any value. */
export function readConsent(given: unknown): ReadConsent {
  try {
    const consent = readAnswer("confirm", given) as Consent;
    if (typeof consent === "object") return { agreed: false, always: false, reason: consent.no.trim() };
    return { agreed: consent !== false, always: consent === "run", reason: "" };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { agreed: false, always: false, reason: error.message };
  }
}
