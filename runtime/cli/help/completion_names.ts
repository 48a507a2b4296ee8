/** The names that a shell offers beside commands and options. */
export interface CompletionNames {
  tools: readonly string[];
  toolsets: readonly string[];
  calls: readonly CompletedCall[];
  agents: readonly string[];
}

/** What a shell offers behind the name of a tool. */
export interface CompletedCall {
  /** The names that find the tool. */
  names: readonly string[];
  arguments: readonly { name: string; values: readonly string[] }[];
}

/** Returns `name=` for each argument, and `name=value` in its place where the values are known. */
export function argumentWords({ arguments: all }: CompletedCall): string[] {
  return all.flatMap(({ name, values }) =>
    values.length > 0 ? values.map((value) => `${name}=${value}`) : [`${name}=`]
  );
}
