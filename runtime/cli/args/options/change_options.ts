import type { Option } from "./option_kinds.ts";

/** The options about what runs did and changed: shown, taken back, brought in. */
export const CHANGE_OPTIONS = {
  overlay: {
    kind: "grant",
    value: "copy",
    group: "running",
    summary:
      "Let everything work apart from the workspace, as in a copy; bulkhead apply brings the changes in",
  },
  noUndo: { kind: "flag", group: "agent", summary: "Keep nothing for bulkhead undo" },
  stat: {
    kind: "flag",
    group: "output",
    excludes: ["json"],
    summary: "Show the files and how many lines, not the lines",
  },
  html: {
    kind: "flag",
    group: "output",
    excludes: ["json"],
    summary: "Print the session as one HTML file, with pictures, changes and sources",
  },
  dryRun: { kind: "flag", group: "running", summary: "Show what would be done, and do nothing" },
  force: { kind: "flag", group: "running", summary: "Also take back what somebody changed since" },
  last: { kind: "flag", group: "running", summary: "Only what the last run of the session changed" },
  yes: { kind: "flag", group: "running", summary: "Do not ask" },
} as const satisfies Record<string, Option>;
