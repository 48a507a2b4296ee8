import { assert, assertEquals, assertThrows } from "@std/assert";

import { type GrantFlags, makeGrants } from "../../../../../runtime/walls/grants/make_grants.ts";
import { checkHostWords } from "../../../../../runtime/walls/net/check_host_words.ts";
import { shownUrl } from "../../../../../runtime/walls/net/check_url.ts";
import { foldConnections } from "../../../../../runtime/walls/net/fold_connections.ts";
import { hostWordProblem, readHostWord } from "../../../../../runtime/walls/net/host_word.ts";
import { programRules, toolRules } from "../../../../../runtime/walls/net/net_rules.ts";
import { showNetRules } from "../../../../../runtime/walls/net/show_net_rules.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { Scope } from "../../../../../schemas/grants.ts";
import type { Connection, NetRules } from "../../../../../schemas/net.ts";

const PURE = { permissions: "none" } as const;

Deno.test("toolRules() and programRules() follow the policy and the flags", PURE, () => {
  const none = { deny: [], private: [] };
  const table: [GrantFlags, tools: Scope, programs: Scope][] = [
    [{}, ["public"], []],
    [{ policy: "read-only" }, ["public"], []],
    [{ policy: "read-only-no-net" }, [], []],
    [{ policy: "read-only-no-net", allow: { net: ["a.com"] } }, ["a.com"], ["a.com"]],
    [{ allow: { net: ["a.com"] } }, ["public", "a.com"], ["a.com"]],
    [{ allow: { net: true } }, true, true],
    [{ allowAll: true }, true, true],
  ];
  for (const [flags, tools, programs] of table) {
    const grants = grantsOf(flags);
    assertEquals(toolRules("granted", grants), { allow: tools, ...none });
    assertEquals(programRules(grants), { allow: programs, ...none });
  }
  const grants = grantsOf({ deny: { net: ["b.com"] }, allowPrivateNet: ["127.0.0.1:80"] });
  const lists = { deny: ["b.com"], private: ["127.0.0.1:80"] };
  assertEquals(toolRules("granted", grants), { allow: ["public"], ...lists });
  assertEquals(programRules(grants), { allow: [], ...lists });
});

Deno.test("toolRules() is what a tool needs of what is granted", PURE, () => {
  const table: [need: string[], granted: Scope, common: string[]][] = [
    [["api.a.com"], true, ["api.a.com"]],
    [["api.a.com:443"], ["public"], ["api.a.com:443"]],
    [["api.a.com:443", "b.com"], ["*.a.com", "c.com"], ["api.a.com:443"]],
    [["*.a.com"], ["x.a.com:80,443", "a.com"], ["x.a.com:80,443"]],
    [["*.a.com:443"], ["x.a.com:80,443"], ["x.a.com:443"]],
    [["a.com:80"], ["a.com:443"], []],
    [["8.0.0.0/8:443"], ["8.8.8.8"], ["8.8.8.8:443"]],
    [["::1", "fd00::/8"], ["[::1]:80,81", "[fd00::]/8:443"], ["[::1]:80,81", "[fd00::/8]:443"]],
    [["[2000::]/3:80,443"], ["2600::/8"], ["[2600::/8]:80,443"]],
    [["8.8.8.8"], ["9.0.0.0/8"], []],
    [["*.a.com"], ["*.b.a.com", "*.a.com", "8.8.8.8"], ["*.b.a.com", "*.a.com"]],
  ];
  for (const [need, granted, common] of table) {
    const grants = grantsOf({ policy: "read-only-no-net", allow: { net: granted } });
    assertEquals(toolRules(need, grants).allow, common, JSON.stringify([need, granted]));
  }
  const open = { allowPrivateNet: ["10.0.0.0/8", "127.0.0.1:80"] };
  assertEquals(toolRules(["127.0.0.1"], grantsOf(open)).private, ["127.0.0.1:80"]);
});

function grantsOf(flags: GrantFlags) {
  return makeGrants(flags, { workspace: "/work", cwd: "/work", realPath: (path) => path });
}

Deno.test("showNetRules() tells which hosts rules let through", PURE, () => {
  const table: [Partial<NetRules>, string][] = [
    [{}, ""],
    [{ allow: true, deny: true }, ""],
    [{ private: true }, ""],
    [{ allow: true }, "all public hosts"],
    [{ allow: ["public", "a.org"], deny: ["b.org", "*.c.org"] }, "all public hosts, but not b.org, *.c.org"],
    [{ allow: ["a.org:443", "::1"], private: ["::1", "10.0.0.0/8"] }, "a.org:443, ::1, 10.0.0.0/8"],
    [{ allow: ["public"], private: true }, "all public hosts, private addresses"],
    [{ private: ["localhost:3000"] }, "localhost:3000"],
  ];
  for (const [rules, shown] of table) {
    assertEquals(showNetRules({ allow: [], deny: [], private: [], ...rules }), shown);
  }
});

Deno.test("readHostWord() reads hosts, ports, wildcards, addresses and ranges", PURE, () => {
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
});

Deno.test("readHostWord() says what is wrong with a word that is none", PURE, () => {
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

Deno.test("checkHostWords() refuses words that mean nothing where they stand", PURE, () => {
  const wrong: [GrantFlags, string][] = [
    [{ allow: { net: ["a.org", "*"] } }, 'Cannot use "*" as a host'],
    [{ deny: { net: ["10.0.0.1/8"] } }, 'Cannot use "10.0.0.1/8" as a host'],
    [{ allowPrivateNet: ["public"] }, "public hosts are no private ones"],
  ];
  for (const [flags, why] of wrong) assertThrows(() => checkHostWords(flags), ToolError, why);
  checkHostWords({ allow: { net: true }, deny: { net: ["public"] }, allowPrivateNet: ["::1", "*.corp"] });
  assertEquals(hostWordProblem("public", { isPrivate: true })?.includes("no private ones"), true);
});

Deno.test("a URL is shown without its name and its password, however it is written", PURE, () => {
  const shown = {
    "http://u:p@x/": "http://…@x/",
    "http:\\\\u:p@x/": "http:\\\\…@x/",
    "http:u:p@x/": "http:…@x/",
    "http:///u:p@y@x/a@b": "http:///…@x/a@b",
    "//u:p@x": "//…@x",
    "http://u:p\n@x/": "http://…@x/",
    "http://x/a@b": "http://x/a@b",
    "http://x?a@b": "http://x?a@b",
    "example.com": "example.com",
  };
  for (const [text, safe] of Object.entries(shown)) assertEquals(shownUrl(text), safe);
  assertEquals(shownUrl(`http://${"p".repeat(1_000_000)}@x/`), "http://…@x/");
  assertEquals(shownUrl("a".repeat(1_000_000)), `${"a".repeat(200)}…`);
});

const connection = (host: string, more: Partial<Connection> = {}): Connection => ({
  ...{ who: "curl", host, port: 80, address: null, decision: "allowed", rule: "public" },
  ...{ sentBytes: 1, receivedBytes: 2 },
  ...more,
});

Deno.test("in a long list, connections that are alike become one, with their bytes", () => {
  const list = [
    ...Array.from({ length: 50 }, () => connection("a.example")),
    connection("b.example"),
    connection("b.example", { decision: "refused" }),
    connection("a.example", { count: 0 }),
  ];
  assertEquals(foldConnections(list, 10), [
    connection("a.example", { count: 50, sentBytes: 51, receivedBytes: 102 }),
    connection("b.example"),
    connection("b.example", { decision: "refused" }),
  ]);
});

Deno.test("of too many different ones none is lost, and those that were let through stay apart first", () => {
  const refused = Array.from(
    { length: 30 },
    (_, at) =>
      connection(`n${at}.example`, { decision: "refused", flag: "--allow-net=x", reason: "outside" }),
  );
  const open = Array.from({ length: 4 }, (_, at) => connection(`open${at}.example`));
  const folded = foldConnections([...refused, ...open], 5);
  assertEquals(folded.slice(0, 5), [...open, refused[0]!]);
  assertEquals(folded.slice(5), [
    connection("other hosts", {
      ...{ port: 0, decision: "refused", rule: "" },
      ...{ count: 29, sentBytes: 29, receivedBytes: 58 },
    }),
  ]);
});
