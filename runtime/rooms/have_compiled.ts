import type { Self } from "../self/find_self.ts";

/** Longest time that rooms wait for their compiled code, in milliseconds. */
const FILL_MS = 30_000;

/**
 * Returns what makes the code that rooms load compiled, unless it is. The first start of a bundle in a sandbox takes a
 * second longer for it, and each later one half a second less. Where it cannot be kept, rooms compile what they load.
 * Needs `run` of Deno.
 */
export function haveCompiled({ compiled, env }: Pick<Self, "compiled" | "env">): () => Promise<void> {
  let filling: Promise<void> | undefined;
  return async () => {
    if (compiled === undefined || compiled.isThere()) return;
    await (filling ??= fill(compiled.fill, env));
  };
}

async function fill([program = "", ...args]: readonly string[], env: Self["env"]): Promise<void> {
  const signal = AbortSignal.timeout(FILL_MS);
  const streams = { stdin: "null", stdout: "null", stderr: "null" } as const;
  await new Deno.Command(program, { args, env: { ...env }, signal, ...streams }).output();
}
