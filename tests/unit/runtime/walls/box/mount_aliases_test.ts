import { assertEquals } from "@std/assert";

import { aliasesOf } from "../../../../../runtime/walls/box/mount_aliases.ts";

Deno.test("aliasesOf() finds the other mounts of a folder, of what is above it and of what is in it", () => {
  const root = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    Deno.mkdirSync(`${root}/ws/sub dir`, { recursive: true });
    Deno.mkdirSync(`${root}/m`);
    const line = (device: string, from: string, at: string) =>
      `36 35 ${device} ${from.replaceAll(" ", "\\040")} ${at} rw - ext4 /dev/x rw`;
    const table = [
      line("8:1", "/", "/"),
      line("8:2", `${root}/ws`, `${root}/m`),
      line("8:1", `${root}/ws`, `${root}/elsewhere`),
      line("8:1", `${root}/ws/sub dir`, `${root}/ws/sub\\040dir`),
    ].join("\n");
    // What is not the same folder is not an alias, whatever the table says.
    assertEquals(aliasesOf(`${root}/ws`, table), []);
    // The whole disk a second time; only a link stands for the mount here.
    Deno.symlinkSync("/", `${root}/disk`);
    assertEquals(aliasesOf(`${root}/ws`, `${table}\n${line("8:1", "/", `${root}/disk`)}`), [
      { path: `${root}/disk${root}/ws`, part: "" },
    ]);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});
