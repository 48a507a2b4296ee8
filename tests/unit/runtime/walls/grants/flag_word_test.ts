import { assertEquals } from "@std/assert";

import {
  flagWord,
  joinPorts,
  mergeFlags,
  readFlagWord,
  showFlags,
} from "../../../../../runtime/walls/grants/flag_word.ts";

Deno.test("flagWord() writes what readFlagWord() reads back", { permissions: "none" }, () => {
  for (const values of [["/a"], ["/a,b", "c,,d", "/e"], ["two words"]]) {
    assertEquals(readFlagWord(flagWord("--allow-read", values)), { flag: "--allow-read", values });
  }
  for (const hosts of [["a.org:80,443", "b.org", "[::1]:1,2"], ["a.org:80", "10.0.0.0/8:1,2"]]) {
    const word = flagWord("--allow-net", hosts);
    assertEquals([word.includes(",,"), readFlagWord(word).values], [false, hosts]);
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

Deno.test("joinPorts() gives ports back to their host", { permissions: "none" }, () => {
  assertEquals(joinPorts(["example.com:80", "443", "8080", "b.com", "[::1]:1", "2"]), [
    "example.com:80,443,8080",
    "b.com",
    "[::1]:1,2",
  ]);
  assertEquals(joinPorts(["443", "b.com", "80", "::1", "2"]), ["443", "b.com", "80", "::1", "2"]);
});
