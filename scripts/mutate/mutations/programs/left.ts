import type { Mutation } from "../../mutation.ts";

/** Of what a program may leave. */
export const LEFT: readonly Mutation[] = [
  {
    id: "programs-git-ext-url",
    file: "runtime/programs/git/harmless_settings.ts",
    find: 'return !url.includes("::") && ',
    replace: "return ",
    promise: "an address that starts a program is not harmless",
    caughtBy: ["tests/unit/runtime/programs/protected/inspect_test.ts"],
  },
  {
    id: "programs-git-continued",
    file: "runtime/programs/git/harmless_settings.ts",
    find: 'if (name === undefined || value.endsWith("\\\\")) return false;',
    replace: "if (name === undefined) return false;",
    promise: "a setting that goes on in the next line hides nothing",
    caughtBy: ["tests/unit/runtime/programs/protected/inspect_test.ts"],
  },
  {
    id: "programs-git-unknown",
    file: "runtime/programs/git/harmless_settings.ts",
    find: "    if (!HARMLESS.has(key)) return false;",
    replace:
      "    if (/^(core\\.(hookspath|fsmonitor|pager|editor|sshcommand)|alias|filter)/.test(key)) return false;",
    promise: "a setting that is not known counts as one that starts something",
    caughtBy: ["tests/unit/runtime/programs/protected/inspect_test.ts"],
  },
  {
    id: "programs-git-rebase-exec",
    file: "runtime/programs/git/harmless_settings.ts",
    find: "pick|reword|",
    replace: "exec|pick|reword|",
    promise: "a rebase with a command in it is not plain",
    caughtBy: ["tests/unit/runtime/programs/protected/inspect_test.ts"],
  },
  {
    id: "programs-git-links-in-new",
    file: "runtime/programs/protected/git_files.ts",
    find: '  if (["info", "HEAD"].some((name) => lstat(join(folder, name))?.isSymlink)) return false;\n',
    replace: "",
    promise: "a new repository with links is not harmless",
    caughtBy: ["tests/unit/runtime/programs/protected/inspect_test.ts"],
  },
  {
    id: "programs-inspector-instructions",
    file: "runtime/programs/protected/inspector.ts",
    find: "    for (const line of changedInstructions(present, options.baseline)) lines.add(line);\n",
    replace: "",
    promise: "changed instructions of agents are told",
    caughtBy: ["tests/unit/runtime/programs/protected/inspect_test.ts"],
  },
  {
    id: "programs-inspector-closed",
    file: "runtime/programs/protected/inspector.ts",
    find: "  for (const path of opened.sort()) lines.add(`Made",
    replace: "  for (const path of []) lines.add(`Made",
    promise: "a folder that a program closed is opened and told",
    caughtBy: ["tests/unit/runtime/programs/protected/inspect_test.ts"],
  },
  {
    id: "programs-inspector-unseen",
    file: "runtime/programs/protected/inspector.ts",
    find: '    if (finding.kind === "closed" && !closed.has(idOf(finding)) && !isUnnamed(finding.path)) {',
    replace: '    if (finding.kind === "closed" && closed.has(idOf(finding)) && !isUnnamed(finding.path)) {',
    promise: "what cannot be looked through is told",
    caughtBy: ["tests/unit/runtime/programs/protected/inspect_test.ts"],
  },
  {
    id: "programs-aside-state",
    file: "runtime/programs/protected/set_aside.ts",
    find: "return entries[file.path]?.state !== entryOf(file).state;",
    replace: "return entries[file.path]?.identity !== entryOf(file).identity;",
    promise: "a hook that was changed in its place is moved away",
    caughtBy: ["tests/unit/runtime/programs/protected/inspect_test.ts"],
  },
];
