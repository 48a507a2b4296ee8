import { basename, dirname, join } from "@std/path";
import { zipSync } from "fflate";

import { filesBelow } from "../compile/files_below.ts";

/** No file of an archive is newer: the same files make the same archive. Archives of kind zip know no earlier day. */
const PACKED_AT = "1980-01-01";

/**
 * Packs a folder into an archive that is the same for the same files. Needs `--allow-run`, `tar` and `gzip`.
 *
 * @param path Where the archive is made, with `.tgz` or `.tar.gz`
 */
export async function packTar(folder: string, path: string): Promise<void> {
  const { success, code } = await new Deno.Command("tar", {
    args: [
      ...["--create", "--sort=name", `--mtime=@0`, "--owner=0", "--group=0", "--numeric-owner"],
      ...["--mode=u=rwX,go=rX", "--use-compress-program=gzip -n", `--file=${path}`, basename(folder)],
    ],
    cwd: dirname(folder),
    stdout: "inherit",
  }).output();
  if (!success) throw new Error(`tar failed with exit code ${code}`);
}

/** Packs a folder into an archive of kind zip that is the same for the same files. */
export async function packZip(folder: string, path: string): Promise<void> {
  const top = basename(folder);
  const files = filesBelow(folder).map((name) =>
    [`${top}/${name}`, Deno.readFileSync(join(folder, name))] as const
  );
  await Deno.writeFile(
    path,
    zipSync(Object.fromEntries(files), { mtime: `${PACKED_AT}T12:00:00`, level: 6 }),
  );
}
