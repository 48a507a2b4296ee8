import { assertEquals, assertThrows } from "@std/assert";

import { systemOf, TARGETS, targetsOf } from "../../../../scripts/release/targets.ts";

/** The first bytes of programs: where a number stands, in which order, and what it is. */
function head(parts: readonly [at: number, bytes: readonly number[]][]): Uint8Array {
  const bytes = new Uint8Array(256);
  for (const [at, values] of parts) bytes.set(values, at);
  return bytes;
}

Deno.test("systemOf() reads for which system a program was made", () => {
  const ELF = [0x7f, 0x45, 0x4c, 0x46];
  const MACH = [0xcf, 0xfa, 0xed, 0xfe];
  const PE: [number, number[]][] = [[0, [0x4d, 0x5a]], [60, [0x80]], [0x80, [0x50, 0x45]]];
  const heads: [Uint8Array, string | null][] = [
    [head([[0, ELF], [18, [0x3e]]]), "linux-x64"],
    [head([[0, ELF], [18, [0xb7]]]), "linux-arm64"],
    [head([[0, ELF], [18, [0x28]]]), null],
    [head([[0, MACH], [4, [7, 0, 0, 1]]]), "darwin-x64"],
    [head([[0, MACH], [4, [12, 0, 0, 1]]]), "darwin-arm64"],
    [head([...PE, [0x84, [0x64, 0x86]]]), "win32-x64"],
    [head([[0, [0x4d, 0x5a]], [60, [0xff, 0xff]]]), null],
    [new TextEncoder().encode("#!/bin/sh\n"), null],
  ];
  for (const [bytes, system] of heads) assertEquals(systemOf(bytes), system);
  using file = Deno.openSync(Deno.execPath());
  const own = new Uint8Array(256);
  file.readSync(own);
  assertEquals(TARGETS.find(({ name }) => name === systemOf(own))?.triple, Deno.build.target);
});

Deno.test("targetsOf() takes names of systems, and none means all", () => {
  assertEquals(targetsOf(["win32-x64", "linux-x64"]).map(({ archive }) => archive), ["tar.gz", "zip"]);
  assertEquals(targetsOf([]), TARGETS);
  assertThrows(() => targetsOf(["linux-x86"]), Error, 'Unknown target "linux-x86": there are linux-x64, ');
});
