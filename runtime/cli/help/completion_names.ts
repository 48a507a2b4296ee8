/** The names that a shell offers beside commands and options. */
export interface CompletionNames {
  tools: readonly string[];
  toolsets: readonly string[];
}
