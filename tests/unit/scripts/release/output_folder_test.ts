import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { join } from "@std/path";

import { ToolError } from "../../../../schemas/error.ts";
import { checkOutput, moveRelease } from "../../../../scripts/release/output_folder.ts";

Deno.test("a release takes the place of an earlier one, and of nothing else", async () => {
  const home = await Deno.makeTempDir({ prefix: "bulkhead-output-" });
  try {
    const release = (name: string, files: readonly string[]) => {
      Deno.mkdirSync(join(home, name));
      const sums = files.map((file) => `${"0".repeat(64)}  ${file}\n`).join("");
      Deno.writeTextFileSync(join(home, name, "SHA256SUMS"), sums);
      for (const file of files) Deno.writeTextFileSync(join(home, name, file), file);
      return join(home, name);
    };
    const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    const output = join(home, "out/release");
    await moveRelease(release("first", ["a.tgz", "b.tgz"]), output);
    await moveRelease(release("second", ["c.tgz"]), output);
    assertEquals(names(output), ["SHA256SUMS", "c.tgz"]);
    assertEquals(names(join(home, "out")), ["release"]);

    const third = release("third", ["d.tgz"]);
    Deno.writeTextFileSync(join(output, "notes.md"), "mine");
    const refused = 'it holds "notes.md", which is no part of one; name another folder with --output';
    assertThrows(() => checkOutput(output), ToolError, refused);
    await assertRejects(() => moveRelease(third, output), ToolError, refused);
    assertEquals(names(output), ["SHA256SUMS", "c.tgz", "notes.md"]);
    assertThrows(() => checkOutput(home), ToolError);
    Deno.mkdirSync(join(home, "empty"));
    checkOutput(join(home, "empty"));
    checkOutput(join(home, "nowhere"));

    // One that breaks off half way leaves the earlier one as it was.
    Deno.removeSync(join(output, "notes.md"));
    Deno.mkdirSync(join(third, "folder"));
    await assertRejects(() => moveRelease(third, output));
    assertEquals([names(output), names(join(home, "out"))], [["SHA256SUMS", "c.tgz"], ["release"]]);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
