import { describeMismatch, type Hint } from "../../../../schemas/json/mismatch.ts";
import { branchesOf, isObject, propertiesOf } from "../../../../schemas/json/shape.ts";
import type { JsonSchema } from "../../../../schemas/manifest.ts";
import { didYouMean, nearest } from "../../../../schemas/nearest.ts";
import { ownWord } from "../../../../schemas/json/other_words.ts";

/**
 * Says what is wrong with the fields of a value that people write: the problems of the arguments of tools, in the words of
 * configuration, with the nearest word.
 *
 * @param schema One of our own
 */
export function fieldProblems(schema: JsonSchema, value: unknown): string[] {
  return describeMismatch(schema, value, { hint }).map((problem) =>
    problem
      .replace(/^Missing required parameter: /, "missing field ")
      .replace(/^Unknown parameter: /, "unknown field ")
      .replace(/^Parameter '/, "field '")
      .replace(/\.$/, "")
  );
}

const hint: Hint = (word, known) => {
  if (Array.isArray(known)) return didYouMean(nearest(word, known, { max: 1 }));
  const fields = known as Readonly<Record<string, JsonSchema>>;
  const names = Object.keys(fields);
  const own = ownWord(word, names);
  if (own !== undefined) return `: write "${own}"`;
  const outer = names.find((name) => hasField(fields[name]!, word));
  if (outer !== undefined) return `: write it in "${outer}"`;
  return didYouMean(nearest(word, names, { max: 1 }));
};

function hasField(schema: JsonSchema, word: string): boolean {
  return [schema, ...branchesOf(schema)].some((one) =>
    isObject(one) && Object.hasOwn(propertiesOf(one), word)
  );
}
