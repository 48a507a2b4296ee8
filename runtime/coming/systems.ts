import type { ForeignKind, ForeignSystem, ForeignWord } from "./foreign_word.ts";
import claude from "../../tools/coming/claude.json" with { type: "json" };
import codex from "../../tools/coming/codex.json" with { type: "json" };
import dra from "../../tools/coming/dra.json" with { type: "json" };
import gemini from "../../tools/coming/gemini.json" with { type: "json" };
import harness from "../../tools/coming/harness.json" with { type: "json" };
import manus from "../../tools/coming/manus.json" with { type: "json" };
import par from "../../tools/coming/par.json" with { type: "json" };
import sgr from "../../tools/coming/sgr.json" with { type: "json" };

const TABLES = { harness, sgr, manus, par, dra, claude, codex, gemini };

/** The name of a system's page. */
export type SystemName = keyof typeof TABLES;

/** The systems whose users this program knows, by the names of their pages. */
// What a file of JSON holds is not as narrow in TypeScript.
export const SYSTEMS = TABLES as unknown as Readonly<Record<SystemName, ForeignSystem>>;

/** A word of another system, and where it is from. */
export interface FoundWord extends ForeignWord {
  system: SystemName;
  title: string;
}

/** Returns the words of a kind, those of all systems in their order. */
export function foreignWords(kind: ForeignKind): FoundWord[] {
  return (Object.keys(SYSTEMS) as SystemName[]).flatMap((system) => {
    const { title, words } = SYSTEMS[system];
    return (words[kind] ?? []).map((one) => ({ ...one, system, title }));
  });
}

/** Returns the name of the page of a system that is called so. */
export function systemCalled(alias: string): SystemName | undefined {
  const wanted = alias.toLowerCase();
  return (Object.keys(SYSTEMS) as SystemName[]).find((name) => {
    return SYSTEMS[name].aliases.includes(wanted);
  });
}

/** Finds a word by its name alone: the first word of what is written there, also behind another one as `claude -p`. */
export function findWord(kind: ForeignKind, name: string): FoundWord | undefined {
  const all = foreignWords(kind);
  return all.find(({ theirs }) => nameOf(theirs) === name) ??
    all.find(({ theirs }) => nameOf(theirs).toLowerCase() === name.toLowerCase());
}

/** The name of a flag, a variable or a tool in what is written of it. */
export function nameOf(theirs: string): string {
  return theirs.split(" ", 1)[0]!;
}

/** Says what stands here for a word, as the rest of a sentence about it. */
export function sayWord({ title, system, here, says }: FoundWord): string {
  const what = here === null
    ? `nothing here does what it does in ${title}`
    : `what ${title} calls so is ${here} here`;
  return `${what}${says === undefined ? "" : ` (${says})`}; see: bulkhead help ${system}`;
}
