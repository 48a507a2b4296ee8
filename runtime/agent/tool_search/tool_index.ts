import { isObject } from "../../../schemas/json/shape.ts";
import type { JsonSchema } from "../../../schemas/manifest.ts";
import { wordsOf } from "./words_of.ts";

/** A tool as it is searched. */
export interface SearchedTool {
  /** The name by which it is called. */
  name: string;
  description: string;
  /** JSON Schema of its arguments. */
  parameters: JsonSchema;
}

/** A tool that fits a search. */
export interface FoundTool<Tool extends SearchedTool> {
  tool: Tool;
  /** How well it fits; above 0. */
  score: number;
}

/** Finds tools by words. */
export interface ToolIndex<Tool extends SearchedTool> {
  /** Returns the tools that fit best, the best first; equal ones in the order in which they were given. */
  search(query: string, most: number): FoundTool<Tool>[];
}

/** How often a word of each place counts. */
const WEIGHTS = { name: 4, description: 1, argument: 1.5, about: 0.5 } as const;

/** How soon more of the same word counts no more (BM25's k1), and how much long tools are marked down (its b). */
const SATURATION = 1.2;
const LENGTH = 0.75;

/** What the words of a tool weigh together. */
interface Weighed<Tool> {
  tool: Tool;
  words: ReadonlyMap<string, number>;
  length: number;
}

/**
 * Makes an index of tools: BM25 over their names, descriptions, and the names and descriptions of their arguments. A tool
 * whose name is searched comes first.
 */
export function makeToolIndex<Tool extends SearchedTool>(tools: readonly Tool[]): ToolIndex<Tool> {
  const weighed = tools.map(weigh);
  const average = weighed.reduce((sum, { length }) => sum + length, 0) / Math.max(1, weighed.length);
  const owners = new Map<string, number>();
  for (const { words } of weighed) {
    for (const word of words.keys()) owners.set(word, (owners.get(word) ?? 0) + 1);
  }
  const rarity = (word: string) => {
    const count = owners.get(word) ?? 0;
    return Math.log(1 + (weighed.length - count + 0.5) / (count + 0.5));
  };
  return {
    search(query, most) {
      const wanted = new Set(wordsOf(query));
      const named = query.trim().toLowerCase();
      return weighed
        .map(({ tool, words, length }) => {
          const norm = SATURATION * (1 - LENGTH + LENGTH * length / average);
          let score = tool.name.toLowerCase() === named ? Number.MAX_SAFE_INTEGER : 0;
          for (const word of wanted) {
            const weight = words.get(word) ?? 0;
            if (weight > 0) score += rarity(word) * weight * (SATURATION + 1) / (weight + norm);
          }
          return { tool, score };
        })
        .filter(({ score }) => score > 0)
        .toSorted((a, b) => b.score - a.score)
        .slice(0, most);
    },
  };
}

function weigh<Tool extends SearchedTool>(tool: Tool): Weighed<Tool> {
  const words = new Map<string, number>();
  let length = 0;
  const add = (text: string, weight: number) => {
    for (const word of wordsOf(text)) {
      words.set(word, (words.get(word) ?? 0) + weight);
      length += weight;
    }
  };
  add(tool.name, WEIGHTS.name);
  add(tool.description, WEIGHTS.description);
  for (const { name, about } of argumentsOf(tool.parameters)) {
    add(name, WEIGHTS.argument);
    add(about, WEIGHTS.about);
  }
  return { tool, words, length };
}

/** How deep arguments within arguments are looked at: a schema of strangers may be of any depth. */
const MAX_DEPTH = 4;

function argumentsOf(schema: unknown, depth = 0): { name: string; about: string }[] {
  if (!isObject(schema) || depth > MAX_DEPTH) return [];
  const own = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  return [
    ...own.flatMap(([name, inner]) => {
      const about = isObject(inner) && typeof inner.description === "string" ? inner.description : "";
      return [{ name, about }, ...argumentsOf(inner, depth + 1)];
    }),
    ...argumentsOf(schema.items, depth + 1),
  ];
}
