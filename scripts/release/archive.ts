import { join } from "@std/path";

import { packTar, packZip } from "../package/pack_folder.ts";
import type { Target } from "./targets.ts";

/**
 * Packs the archive of a system: the binary, and the texts that go with it.
 *
 * @param texts By their paths in the archive
 * @returns The name of the archive
 */
export async function makeArchive(
  { target, version, binary, texts, folder }: {
    target: Target;
    version: string;
    binary: string;
    texts: Readonly<Record<string, string>>;
    /** Where the archive goes. */
    folder: string;
  },
): Promise<string> {
  const name = `bulkhead-${version}-${target.name}`;
  const staging = await Deno.makeTempDir({ prefix: "bulkhead-archive-" });
  try {
    const top = join(staging, name);
    await Deno.mkdir(top);
    await Deno.copyFile(binary, join(top, target.file));
    await Deno.chmod(join(top, target.file), 0o755);
    for (const [path, text] of Object.entries(texts)) {
      await Deno.mkdir(join(top, path, ".."), { recursive: true });
      await Deno.writeTextFile(join(top, path), text);
    }
    const pack = target.archive === "zip" ? packZip : packTar;
    await pack(top, join(folder, `${name}.${target.archive}`));
  } finally {
    await Deno.remove(staging, { recursive: true });
  }
  return `${name}.${target.archive}`;
}
