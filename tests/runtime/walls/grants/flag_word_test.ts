import { assertEquals } from "@std/assert";

import { flagWord, mergeFlags, readFlagWord, showFlags } from "../../../../runtime/walls/grants/flag_word.ts";

Deno.test("flagWord() writes what readFlagWord() reads back", { permissions: "none" }, () => {
  for (const values of [["/a"], ["/a,b", "c,,d", "/e"], ["two words"]]) {
    assertEquals(readFlagWord(flagWord("--allow-read", values)), { flag: "--allow-read", values });
  }
  assertEquals(readFlagWord("--allow-net"), { flag: "--allow-net", values: true });
});

Deno.test("mergeFlags() joins words of the same flag", { permissions: "none" }, () => {
  assertEquals(mergeFlags(["--allow-read=/a", "--allow-write=/a,,b", "--allow-read=/c", "--allow-read=/a"]), [
    "--allow-read=/a,/c",
    "--allow-write=/a,,b",
  ]);
  assertEquals(mergeFlags(["--allow-run=git", "--allow-run"]), ["--allow-run"]);
});

Deno.test("showFlags() quotes what a shell would take apart", { permissions: "none" }, () => {
  assertEquals(
    showFlags(["--policy=coder", "--allow-write=/my files/a"]),
    "--policy=coder '--allow-write=/my files/a'",
  );
});
