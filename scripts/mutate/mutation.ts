import { join } from "@std/path";

/** One change that breaks a promise of the program: one replacement in one file. */
export interface Mutation {
  /** The part of the program, and a word for what breaks, such as `walls-deny-read`. */
  id: string;
  /** From the root of the repository. */
  file: string;
  /** What is replaced; it stands in the file exactly once. */
  find: string;
  replace: string;
  /** What the program promises, and breaks then. */
  promise: string;
  /** Tests of which one must fail, the cheapest first: paths from the root, and numbers of attacks such as `13-04`. */
  caughtBy: readonly string[];
}

/** Says what is wrong with where a mutation is to be made, `null` if nothing is. */
export function placeProblem(root: string, { id, file, find, replace }: Mutation): string | null {
  let text: string;
  try {
    text = Deno.readTextFileSync(join(root, file));
  } catch {
    return `${id}: there is no file ${file}`;
  }
  const count = text.split(find).length - 1;
  if (count !== 1) return `${id}: ${JSON.stringify(find)} stands ${count} times in ${file}, and must once`;
  return find === replace ? `${id}: nothing is replaced` : null;
}

/** Returns the text of a file with a mutation in it. */
export function mutated(text: string, { find, replace }: Mutation): string {
  return text.replace(find, () => replace);
}
