import type { Command } from "./command_kinds.ts";

/** The commands about the changes of runs: seen, brought in, taken back. */
export const CHANGE_COMMANDS = {
  undo: {
    summary: "Put back what was there before a run",
    usage: ["undo [SESSION] [options]"],
    notes: [
      "Without a SESSION, the newest one of the workspace that changed something. All its runs are undone, and with --last " +
      "the last one that is not undone yet. What somebody changed after the run " +
      "is named and left as it is (1), unless --force says otherwise; the rest is put back. Without a terminal it needs " +
      "--yes. bulkhead help overlay tells what is kept.",
    ],
    options: ["last", "dryRun", "yes", "force", "workspace", "json"],
    positionals: ["session"],
    words: [0, 1],
    examples: [
      ["undo --dry-run", "What would be put back"],
      ["undo --last", "The last turn of a chat"],
      ["undo --yes", "In a script"],
    ],
  },
  diff: {
    summary: "Show what a run with --overlay would change",
    usage: ["diff [SESSION] [options]"],
    notes: [
      "Without a SESSION, the newest overlay of the workspace. The beginning of an id is enough if no other one " +
      "begins so.",
    ],
    options: ["stat", "workspace", "json"],
    positionals: ["session"],
    words: [0, 1],
    examples: [["diff --stat", "Which files differ, and in how many lines"]],
  },
  apply: {
    summary: "Bring the changes of a run with --overlay in",
    usage: ["apply [PATH ...] [options]"],
    notes: [
      "Without a PATH, all changes. All of them come in or none: none if one of the files has changed in the " +
      "workspace since. For each file that your own tools would execute, such as a hook of git, you are asked; " +
      "without a terminal it is left out (3) unless --allow-write=PATH names it.",
    ],
    options: ["session", "allowWrite", "workspace", "json"],
    positionals: ["file"],
    words: [0, Infinity],
    examples: [
      ["apply", "Everything of the newest overlay of this workspace"],
      ["apply src docs/intro.md", "A folder and a file"],
    ],
  },
} as const satisfies Record<string, Command>;
