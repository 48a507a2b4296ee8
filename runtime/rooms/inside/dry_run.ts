import type { Files } from "../../../schemas/context.ts";
import { diffLines } from "../../text/unified_diff.ts";
import { readText } from "../../walls/files/read_text.ts";
import type { Asker } from "../asks/asker.ts";
import type { Ask } from "../asks/ask.ts";

/** What a dry run has in the place of what changes anything. */
export interface DryEffects {
  files: Files;
  ask: Asker<Ask>;
}

/**
 * Runs the work of a tool up to the first thing that it would change or ask for, and changes nothing. Needs `read`.
 *
 * @returns The change of the file as the lines of a diff; `null` if there is none to show
 * @throws What the tool throws before that: then the call cannot succeed as things are now
 */
export async function dryRun(
  files: Files,
  run: (effects: DryEffects) => unknown,
): Promise<string | null> {
  let stopped: { change: string | null } | null = null;
  const stop = (change: string | null): never => {
    stopped ??= { change };
    throw new Error("a dry run ends here");
  };
  const dry: Files = {
    ...files,
    async write(path, bytes) {
      const { real } = await files.locate(path, "write");
      return stop(changeOf(readText(real), bytes));
    },
    // deno-lint-ignore require-await
    remove: async () => stop(null),
  };
  try {
    await run({ files: dry, ask: () => stop(null) });
  } catch (error) {
    if (stopped === null) throw error;
  }
  return (stopped as { change: string | null } | null)?.change ?? null;
}

/** A new file, and one that is no text, is shown as its tool shows it. */
function changeOf(before: string | null | false, bytes: Uint8Array): string | null {
  if (typeof before !== "string") return null;
  const { hunks } = diffLines(before, new TextDecoder().decode(bytes));
  return hunks === "" ? null : hunks.trimEnd();
}
