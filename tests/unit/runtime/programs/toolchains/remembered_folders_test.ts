import { assertEquals } from "@std/assert";
import { join } from "@std/path";

import type { ScannedFolder } from "../../../../../runtime/programs/protected/scan_folder.ts";
import { makeTreeScan } from "../../../../../runtime/programs/protected/tree_scan.ts";
import { RememberedFolders } from "../../../../../runtime/programs/toolchains/remembered_folders.ts";

const FOLDERS = Array.from({ length: 40 }, (_, n) => `/toolchain/${n}`);
const FOUND: ScannedFolder = {
  stamp: "1",
  count: 1,
  folders: [],
  found: [{ name: ".env", kind: "secret" }],
  isClosed: false,
};

function inFolder(test: (folder: string) => void | Promise<void>): () => Promise<void> {
  return async () => {
    const folder = Deno.realPathSync(Deno.makeTempDirSync());
    try {
      await test(folder);
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  };
}

function keep(file: string, folders: readonly string[]): void {
  const memory = new RememberedFolders(file);
  for (const path of folders) memory.set(path, FOUND);
  memory.keep();
}

Deno.test(
  "folders of toolchains are remembered in a private file, and forgotten when nobody asks for them",
  inFolder((folder) => {
    const file = join(folder, "state/toolchains.json");
    keep(file, FOLDERS);
    const next = new RememberedFolders(file);
    assertEquals(FOLDERS.map((path) => next.get(path)), FOLDERS.map(() => FOUND));
    assertEquals([Deno.statSync(file).mode! & 0o777, Deno.statSync(join(folder, "state")).mode! & 0o777], [
      0o600,
      0o700,
    ]);
    const others = FOLDERS.map((path) => `${path}/other`);
    keep(file, others);
    const last = new RememberedFolders(file);
    assertEquals([last.get(FOLDERS[0]!), last.get(others[0]!)], [undefined, FOUND]);
    assertEquals([...Deno.readDirSync(join(folder, "state"))].length, 1);
  }),
);

Deno.test(
  "what others could have written, or was found by other rules, is not believed; a few folders leave no file",
  inFolder((folder) => {
    const file = join(folder, "toolchains.json");
    keep(file, FOLDERS.slice(0, 10));
    assertEquals([...Deno.readDirSync(folder)], []);
    keep(file, FOLDERS);
    Deno.chmodSync(file, 0o620);
    assertEquals(new RememberedFolders(file).get(FOLDERS[0]!), undefined);
    Deno.chmodSync(file, 0o600);
    assertEquals(new RememberedFolders(file).get(FOLDERS[0]!), FOUND);
    Deno.writeTextFileSync(file, JSON.stringify({ ...JSON.parse(Deno.readTextFileSync(file)), rules: "" }));
    assertEquals(new RememberedFolders(file).get(FOLDERS[0]!), undefined);
    Deno.writeTextFileSync(file, "{");
    assertEquals(new RememberedFolders(file).get(FOLDERS[0]!), undefined);
  }),
);

Deno.test(
  "a scan reads what has changed since, and nothing else",
  inFolder(async (folder) => {
    const file = join(folder, "toolchains.json");
    const scan = async (path: string, depth: number) => {
      const known = new RememberedFolders(file);
      const found = await makeTreeScan({ known })([{ path, depth }]);
      known.keep();
      return found.map((one) => one.path);
    };
    // Folders that nobody has touched for a while.
    const found = await scan("/usr", 3);
    const { ino } = Deno.statSync(file);
    assertEquals([await scan("/usr", 3), Deno.statSync(file).ino], [found, ino]);
    keep(file, [folder, ...FOLDERS]);
    Deno.writeTextFileSync(join(folder, "id_rsa"), "KEY");
    assertEquals(await scan(folder, 1), [join(folder, "id_rsa")]);
  }),
);
