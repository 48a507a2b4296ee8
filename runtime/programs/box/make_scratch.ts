import { systemError } from "../../walls/files/system_error.ts";

/** Where a program under a profile of macOS has its home and its temporary files, in its own folder. */
export function placesIn(scratch: string): { home: string; tmp: string } {
  return { home: `${scratch}/home`, tmp: `${scratch}/tmp` };
}

/**
 * Makes the private folder of a program; `text` are the settings of git for its home. Needs `write`.
 *
 * @throws {ToolError} If the system does not make it
 * @param makeFolder Makes a folder that is there for its user alone, and returns what removes it; it fails if one is there
 * @returns What removes it: a line for the user if that failed, `null` if not
 */
export async function makeScratch(
  { scratch, text }: { scratch: string; text: string },
  makeFolder: (path: string) => Promise<() => Promise<void>>,
): Promise<() => Promise<string | null>> {
  const remove = await makeFolder(scratch).catch((error) => {
    throw systemError(error, "make", scratch);
  });
  const { home, tmp } = placesIn(scratch);
  const removed = async () => {
    try {
      await remove();
      return null;
    } catch (error) {
      return `The private folder ${scratch} of a program is still there: ${
        error instanceof Error ? error.message : String(error)
      }; remove it`;
    }
  };
  try {
    for (const folder of [home, tmp]) await Deno.mkdir(folder, { mode: 0o700 });
    if (text !== "") await Deno.writeTextFile(`${home}/.gitconfig`, text, { createNew: true, mode: 0o600 });
    return removed;
  } catch (error) {
    await removed();
    throw systemError(error, "make", scratch);
  }
}
