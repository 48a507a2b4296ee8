import { basename, dirname, join } from "@std/path";

import { ToolError } from "../../schemas/error.ts";

/** Names the files of a release, itself not among them. */
const SUMS = "SHA256SUMS";

/**
 * Checks that a release may take the place of a folder: it is not there, or holds nothing but an earlier release. Needs
 * `--allow-read`.
 *
 * @throws {ToolError} `conflict` if it holds anything else, which would be lost
 */
export function checkOutput(folder: string): void {
  const names = namesIn(folder);
  if (names === null) return;
  const known = names.includes(SUMS) ? namedIn(Deno.readTextFileSync(join(folder, SUMS))) : [];
  const others = names.filter((name) => name !== SUMS && !known.includes(name));
  if (others.length === 0) return;
  throw new ToolError(
    "conflict",
    `Cannot write a release to ${folder}: it holds ${JSON.stringify(others[0])}, which is no part of one; ` +
      "name another folder with --output",
  );
}

/**
 * Puts a release in the place of a folder, whole: the one before it stands until all files of the new one are there. Needs
 * `--allow-read` and `--allow-write`.
 */
export async function moveRelease(from: string, folder: string): Promise<void> {
  checkOutput(folder);
  await Deno.mkdir(dirname(folder), { recursive: true });
  const staging = await Deno.makeTempDir({ dir: dirname(folder), prefix: `.${basename(folder)}-` });
  try {
    for (const { name } of Deno.readDirSync(from)) {
      await Deno.copyFile(join(from, name), join(staging, name));
      await Deno.chmod(join(staging, name), 0o644);
    }
    await Deno.chmod(staging, 0o755);
    if (namesIn(folder) !== null) await Deno.remove(folder, { recursive: true });
    await Deno.rename(staging, folder);
  } catch (error) {
    await Deno.remove(staging, { recursive: true }).catch(() => {});
    throw error;
  }
}

function namesIn(folder: string): string[] | null {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

function namedIn(sums: string): string[] {
  return sums.split("\n").map((line) => line.slice(line.indexOf("  ") + 2));
}
