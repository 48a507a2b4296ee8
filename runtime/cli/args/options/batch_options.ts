import type { Option } from "./option_kinds.ts";

/** The options about many calls or tasks, and about what is said of them together. */
export const BATCH_OPTIONS = {
  failOnRefusal: {
    kind: "flag",
    group: "running",
    summary: "Exit with 3 if a call was refused, though the rest went well",
  },
  failFast: {
    kind: "flag",
    group: "running",
    summary: "Start no further call after one that failed",
    says: { run: "With --tasks: stop after the first task that failed" },
  },
  report: {
    kind: "several",
    value: "KIND[=FILE]",
    offers: ["github", "junit="],
    group: "output",
    summary: "Also write a report: junit=FILE, or github for annotations and a summary; repeatable",
  },
  plan: { kind: "flag", group: "running", summary: "Print the blocks of calls to stderr before they run" },
} as const satisfies Record<string, Option>;
