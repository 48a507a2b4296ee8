import { assertEquals } from "@std/assert";

import hashText from "../../../../tools/par/hash_text.ts";
import { workspace } from "../../../support/run_tool.ts";

const HASHES: readonly (readonly [string, string | undefined, string, string])[] = [
  ["hello", "sha1", "sha1", "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"],
  ["hello", "MD5", "md5", "5d41402abc4b2a76b9719d911017c592"],
  ["hello", undefined, "sha256", "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"],
  ["", "Sha256", "sha256", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["é", "md5", "md5", "66ddcd97cfdeabb2f6fb8a999b4bc76f"],
];

Deno.test("hash_text hashes the UTF-8 bytes and echoes the name in lower case", async () => {
  using ws = workspace();
  for (const [text, asked, algorithm, hash] of HASHES) {
    const { result } = await ws.run(hashText, { text, ...(asked && { algorithm: asked }) });
    assertEquals(result, { hash, algorithm });
  }
});

Deno.test("hash_text refuses an unknown algorithm and names the known ones", async () => {
  using ws = workspace();
  for (const algorithm of ["sha512", "", "sha-1"]) {
    const { error } = await ws.run(hashText, { text: "hello", algorithm });
    assertEquals(error?.code, "invalid_input");
    assertEquals(
      error?.message,
      `Cannot hash with "${algorithm}": unknown algorithm, use md5, sha1, sha256`,
    );
  }
});
