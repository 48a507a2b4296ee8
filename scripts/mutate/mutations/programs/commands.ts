import type { Mutation } from "../../mutation.ts";

/** Of rules about commands. */
export const COMMANDS: readonly Mutation[] = [
  {
    id: "programs-deny-through",
    file: "runtime/programs/shell/command_rule.ts",
    find: "    if (arg === null || arg === words[wanted]) wanted++;",
    replace: "    if (arg === words[wanted]) wanted++;",
    promise: "a word that is not known counts as the denied one",
    caughtBy: ["tests/unit/runtime/programs/shell/refuse_test.ts"],
  },
  {
    id: "programs-deny-fetchers",
    file: "runtime/programs/shell/command_rule.ts",
    find: "  if (opaque.length === 0 && !FETCHERS.has(program)) return false;",
    replace: "  if (opaque.length === 0) return false;",
    promise: "a denied program is found where npx fetches it",
    caughtBy: ["tests/unit/runtime/programs/shell/refuse_test.ts"],
  },
  {
    id: "programs-allow-elsewhere",
    file: "runtime/programs/shell/command_rule.ts",
    find: ": program === rule.program && !isElsewhere(path);",
    replace: ": program === rule.program;",
    promise: "a file elsewhere with an allowed name is another program",
    caughtBy: ["tests/unit/runtime/programs/shell/refuse_test.ts"],
  },
  {
    id: "programs-allow-words",
    file: "runtime/programs/shell/command_rule.ts",
    find: "(rule.words ?? []).every((word, at) => operands[at] === word) &&",
    replace: "(rule.words ?? []).every((word) => operands.includes(word)) &&",
    promise: "allowed words stand in their places",
    caughtBy: ["tests/unit/runtime/programs/shell/refuse_test.ts"],
  },
  {
    id: "programs-deny-first",
    file: "runtime/programs/shell/refuse_command.ts",
    find: "one) => isDenied(one, command) || holdsDenied(one, command, { opaque }));",
    replace: "one) => isDenied(one, command));",
    promise: "a denied program is found in commands that are not understood",
    caughtBy: ["tests/unit/runtime/programs/shell/refuse_test.ts"],
  },
  {
    id: "programs-unreadable",
    file: "runtime/programs/shell/refuse_command.ts",
    find: "  const judged = unforeseen || isNamed ? { ...analysis, opaque: [] } : analysis;",
    replace: "  const judged = { ...analysis, opaque: [] };",
    promise: "what is not understood is not allowed by a list",
    caughtBy: ["tests/unit/runtime/programs/shell/refuse_test.ts"],
  },
];
