/** How a module of tools of one's own finds the program's own modules, whose place differs from source and in the binary. */
export const shared = {
  /** The key of `globalThis` that holds them. */
  symbol: Symbol.for("bulkhead.modules"),
  program: "bulkhead",
  zod: "zod",
} as const;

/** The names that `bulkhead` exports to such a module. */
export const PROGRAM_EXPORTS = ["defineTool", "ToolError", "z"] as const;
