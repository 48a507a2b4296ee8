import type { Target } from "../../../schemas/access.ts";

/** Returns what a command of an editor touches: `view` reads its path, every other command writes it as well. */
export function editorTargets({ command, path }: { command: string; path: string }): Target[] {
  const read: Target = { kind: "read", value: path };
  return command === "view" ? [read] : [read, { kind: "write", value: path }];
}
