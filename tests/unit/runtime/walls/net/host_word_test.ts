import { assert, assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import type { GrantFlags } from "../../../../../runtime/walls/grants/make_grants.ts";
import { checkHostWords } from "../../../../../runtime/walls/net/check_host_words.ts";
import { hostWordProblem, readHostWord } from "../../../../../runtime/walls/net/host_word.ts";

Deno.test(
  "readHostWord() reads hosts, ports, wildcards, addresses and ranges",
  { permissions: "none" },
  () => {
    const table: [text: string, kind: string, name: string | number, ports: number[] | null][] = [
      ["public", "public", "", null],
      ["public:80,443", "public", "", [80, 443]],
      ["Example.com.", "name", "example.com", null],
      ["example.com:443", "name", "example.com", [443]],
      ["münchen.de", "name", "xn--mnchen-3ya.de", null],
      ["*.example.com:80,443", "below", "example.com", [80, 443]],
      ["localhost:3000", "name", "localhost", [3000]],
      ["8.8.8.8", "range", 32, null],
      ["8.8.8.8:53", "range", 32, [53]],
      ["::1", "range", 128, null],
      ["[::1]", "range", 128, null],
      ["[::1]:80,81", "range", 128, [80, 81]],
      ["::ffff:10.0.0.1", "range", 32, null],
      ["10.0.0.0/8", "range", 8, null],
      ["10.0.0.0/8:443", "range", 8, [443]],
      ["0.0.0.0/0", "range", 0, null],
      ["fd00::/8", "range", 8, null],
      ["[fd00::]/8:443", "range", 8, [443]],
      ["[fd00::/8]:443", "range", 8, [443]],
    ];
    for (const [text, kind, name, ports] of table) {
      const word = readHostWord(text);
      const seen = word.kind === "range" ? word.range.length : word.kind === "public" ? "" : word.name;
      assertEquals([word.text, word.kind, seen, word.ports], [text, kind, name, ports]);
    }
  },
);

Deno.test("readHostWord() says what is wrong with a word that is none", { permissions: "none" }, () => {
  const table: [text: string, why: string][] = [
    ["", "it names no host"],
    [":80", "it names no host"],
    ["*", 'write "public" for all public hosts'],
    ["a.*.com", "it is no host, write one as"],
    ["*.10.0.0.1", "it is no host, write one as"],
    ["*.", "it is no host, write one as"],
    ["https://example.com", "write only the host of the URL"],
    ["https://example.com:443/a", "write only the host of the URL"],
    ["example.com/path", "it is no range of addresses"],
    ["user@example.com", "it is no host"],
    ["a b", "it is no host"],
    ["example..com", "it is no host"],
    ["fe80::1%eth0", "it is no host"],
    ["443", "a number is no host, write a port behind its host"],
    ["example.com:", "a port is a number from 1 to 65535"],
    ["example.com:0", "a port is a number from 1 to 65535"],
    ["example.com:65536", "a port is a number from 1 to 65535"],
    ["example.com:80,", "a port is a number from 1 to 65535"],
    ["example.com:https", "a port is a number from 1 to 65535"],
    ["example.com:80-90", "a port is a number from 1 to 65535"],
    ["[::1]x", "it is no host"],
    ["127.1", "write the address as 127.0.0.1"],
    ["0x7f.0.0.1:80", "write the address as 127.0.0.1"],
    ["10.1.2.3/8", "its address is not the first of the range, write 10.0.0.0/8"],
    ["10.0.0.0/33", "it is no range of addresses"],
    ["10.0.0.0/", "it is no range of addresses"],
    ["::ffff:10.0.0.0/104", "it is no range of addresses"],
  ];
  for (const [text, why] of table) {
    const problem = hostWordProblem(text) ?? "none";
    assert(
      problem.startsWith(`Cannot use "${text}" as a host: `) && problem.includes(why),
      `${text}: ${problem}`,
    );
  }
});

Deno.test(
  "checkHostWords() refuses words that mean nothing where they stand",
  { permissions: "none" },
  () => {
    const wrong: [GrantFlags, string][] = [
      [{ allow: { net: ["a.org", "*"] } }, 'Cannot use "*" as a host'],
      [{ deny: { net: ["10.0.0.1/8"] } }, 'Cannot use "10.0.0.1/8" as a host'],
      [{ allowPrivateNet: ["public"] }, "public hosts are no private ones"],
    ];
    for (const [flags, why] of wrong) assertThrows(() => checkHostWords(flags), ToolError, why);
    checkHostWords({ allow: { net: true }, deny: { net: ["public"] }, allowPrivateNet: ["::1", "*.corp"] });
    assertEquals(hostWordProblem("public", { isPrivate: true })?.includes("no private ones"), true);
  },
);
