import { assert, assertEquals, assertThrows } from "@std/assert";

import { checkUrl } from "../../../../../runtime/walls/net/check_url.ts";
import { decideAddress, decideName } from "../../../../../runtime/walls/net/decide_net.ts";
import { checkHosts, netRefusal } from "../../../../../runtime/walls/net/net_refusal.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { REFUSED_HOSTS, REFUSED_URLS } from "../../../../support/net/spellings.ts";
import { listed } from "../../../../support/listed.ts";
import type { NetRules } from "../../../../../schemas/net.ts";

const PURE = { permissions: "none" } as const;

const PUBLIC: NetRules = { allow: ["public"], deny: [], private: [] };

const PASSING_HOSTS = [
  "8.8.8.8 168.63.129.15 134744072 1.1 172.15.0.1 172.32.0.1 100.63.0.1 100.128.0.1 192.0.1.1 198.20.0.1 198.17.0.1 223.255.255.255",
  "[2606:4700:4700::1111] [::ffff:8.8.8.8] [64:ff9b::8.8.8.8] 127.0.0.1.nip.io localhost.example.com 0x7f.example.com",
  "ⓔⓧⓐⓜⓟⓛⓔ.ⓒⓞⓜ example.com. EXAMPLE.com münchen.de xn--mnchen-3ya.de a_b.example.com 11.0.0.1 169.253.0.1 128.0.0.1",
].flatMap((line) => line.split(" "));

Deno.test("decideName() refuses every spelling of what is not public", PURE, () => {
  assert(REFUSED_HOSTS.length + REFUSED_URLS.length + PASSING_HOSTS.length >= 180);
  for (const host of REFUSED_HOSTS) {
    assertRefused(`http://${host}/`);
    assertRefused(`https://${host}:8443/a?b#c`);
  }
  for (const url of REFUSED_URLS) assertRefused(url);
});

Deno.test("decideName() refuses them as programs spell them to a proxy", PURE, () => {
  for (const host of REFUSED_HOSTS) {
    const spellings = host.includes(":") ? [host, host.slice(1, -1)] : [host];
    for (const text of spellings) {
      assert(!decideName(PUBLIC, { host: text, port: 443 }).allowed, text);
    }
  }
  for (
    const host of [
      ...["example.com@127.0.0.1", "example.com/", "a b.com", "ex%61mple.com", "example.com%00", ""],
      ...["example.com:80", "[::1]:80", "example.com\0", "[::1", "exa\nmple.com"],
      // A flag that names them would allow more, or could not be written.
      ...["*.example.com", "a,b.example.com", "$(id).example.com", "a'b.example.com"],
    ]
  ) {
    const decision = decideName(PUBLIC, { host, port: 80 });
    assertEquals(decision.allowed ? "allowed" : decision.reason, "host", host);
  }
});

Deno.test("decideName() lets public hosts pass to the lookup", PURE, () => {
  for (const host of PASSING_HOSTS) {
    const { url, port } = checkUrl(`http://${host}/`);
    assertEquals(decideName(PUBLIC, { host: url.hostname, port }), { allowed: true, rule: "public" }, host);
  }
  const backslash = checkUrl("http://example.com\\@127.0.0.1/");
  assertEquals(decideName(PUBLIC, { host: backslash.name, port: 80 }).allowed, true);
  assertEquals(backslash.url.href, "http://example.com/@127.0.0.1/");
});

Deno.test("decideAddress() refuses names that lead to what is not public", PURE, () => {
  for (
    const address of listed(
      "127.0.0.1, 10.1.2.3, 169.254.169.254, ::1, ::ffff:10.0.0.1, fd00::1, 0.0.0.0, fe80::1",
    )
  ) {
    const decision = decideAddress(PUBLIC, { host: "rebind.example.com", port: 443, address });
    assert(!decision.allowed && decision.reason === "private", address);
    assertEquals(decision.flag, "--allow-private-net=rebind.example.com:443");
  }
  for (const address of ["fe80::1%eth0", "example.com", "", "0x7f.1"]) {
    const decision = decideAddress(PUBLIC, { host: "example.com", port: 443, address });
    assert(!decision.allowed && decision.reason === "host", address);
  }
  const answered = { host: "example.com", port: 443, address: "93.184.215.14" };
  assertEquals(decideAddress(PUBLIC, answered), { allowed: true, rule: "public" });
  const other = decideAddress(PUBLIC, { host: "8.8.8.8", port: 443, address: "8.8.4.4" });
  assertEquals(other.allowed, false);
});

Deno.test("decideName() and decideAddress() follow the lists", PURE, () => {
  const rules = (lists: Partial<NetRules>): NetRules => ({ allow: [], deny: [], private: [], ...lists });
  const DB = "10.1.2.3";
  // Rules, host, port, address that the lookup finds (or none), and what comes of it.
  const [PRIVATE, OUTSIDE] = ["private --allow-private-net=", "outside --allow-net="];
  const table: [Partial<NetRules>, string, number, string | null, string][] = [
    [{}, "example.com", 443, null, `${OUTSIDE}example.com:443`],
    [{ allow: true }, "example.com", 443, "8.8.8.8", "all"],
    [{ allow: true }, "127.0.0.1", 80, null, `${PRIVATE}127.0.0.1:80`],
    [{ allow: true }, "::1", 80, null, `${PRIVATE}[::1]:80`],
    [{ allow: ["example.com"] }, "EXAMPLE.com.", 25, "8.8.8.8", "example.com"],
    [{ allow: ["example.com"] }, "www.example.com", 443, null, `${OUTSIDE}www.example.com:443`],
    [{ allow: ["example.com"] }, "example.com", 443, "127.0.0.1", `${PRIVATE}example.com:443`],
    [{ allow: ["*.example.com"] }, "a.b.example.com", 443, null, "*.example.com"],
    [{ allow: ["*.example.com"] }, "example.com", 443, null, `${OUTSIDE}example.com:443`],
    [{ allow: ["*.example.com"] }, "badexample.com", 443, null, `${OUTSIDE}badexample.com:443`],
    [{ allow: ["example.com:80,443"] }, "example.com", 443, null, "example.com:80,443"],
    [{ allow: ["example.com:80,443"] }, "example.com", 22, null, `${OUTSIDE}example.com:22`],
    [{ allow: ["public:443"] }, "example.com", 80, null, `${OUTSIDE}example.com:80`],
    [{ allow: ["public:443"] }, "example.com", 443, "8.8.8.8", "public:443"],
    [{ allow: ["8.8.8.0/24"] }, "8.8.8.8", 53, null, "8.8.8.0/24"],
    [{ allow: ["8.8.8.0/24"] }, "134744072", 53, null, "8.8.8.0/24"],
    // A range is no leave to look up names: a name can carry data.
    [{ allow: ["8.8.8.0/24"] }, "dns.example.com", 53, null, `${OUTSIDE}dns.example.com:53`],
    [{ allow: ["2606:4700::/32"] }, "2606:4700:4700::1111", 443, null, "2606:4700::/32"],
    [{ allow: ["public"], deny: ["example.com"] }, "example.com", 443, null, "denied example.com"],
    [{ allow: ["public"], deny: ["*.example.com"] }, "a.example.com", 443, null, "denied *.example.com"],
    [{ allow: ["public"], deny: ["example.com:25"] }, "example.com", 443, "8.8.8.8", "public"],
    [{ allow: ["example.com"], deny: ["8.8.8.0/24"] }, "example.com", 443, "8.8.8.8", "denied 8.8.8.0/24"],
    [{ allow: ["public"], deny: ["8.8.8.8"] }, "64:ff9b::8.8.8.8", 443, null, "denied 8.8.8.8"],
    [{ allow: ["public"], deny: ["public"], private: [DB] }, "example.com", 443, "8.8.8.8", "denied public"],
    [{ allow: ["public"], deny: ["public"], private: [DB] }, DB, 443, null, DB],
    [{ allow: true, deny: true }, "example.com", 443, null, "denied all"],
    [{ private: true, deny: ["127.0.0.0/8"], allow: true }, "0.0.0.0", 80, null, "denied 127.0.0.0/8"],
    [{ private: true, deny: ["localhost"], allow: true }, "127.1", 80, null, "denied localhost"],
    [{ private: true, deny: ["localhost"], allow: true }, "::", 80, null, "denied localhost"],
    [{ private: true, deny: ["::1"], allow: true }, "::", 80, null, "denied ::1"],
    [{ private: true, allow: true }, "169.254.169.254", 80, null, "all"],
    [{ private: true, allow: ["example.com"] }, "127.0.0.1", 80, null, `${OUTSIDE}127.0.0.1:80`],
    [{ private: true }, "localhost", 80, null, `${OUTSIDE}localhost:80`],
    [{ private: ["127.0.0.1:8080"] }, "127.0.0.1", 8080, null, "127.0.0.1:8080"],
    [{ private: ["127.0.0.1:8080"] }, "0x7f.1", 8080, null, "127.0.0.1:8080"],
    [{ private: ["127.0.0.1:8080"] }, "127.0.0.1", 8081, null, `${PRIVATE}127.0.0.1:8081`],
    [{ private: ["127.0.0.1:8080"] }, "0.0.0.0", 8080, null, `${PRIVATE}0.0.0.0:8080`],
    [{ private: ["127.0.0.1"] }, "::ffff:127.0.0.1", 80, null, "127.0.0.1"],
    [{ private: ["localhost:80"] }, "localhost", 80, "127.0.0.1", "localhost:80"],
    [{ private: ["localhost:80"] }, "127.0.0.1", 80, null, `${PRIVATE}127.0.0.1:80`],
    [{ private: ["public"], allow: true }, "127.0.0.1", 80, null, `${PRIVATE}127.0.0.1:80`],
    [{ allow: ["public"], private: ["10.0.0.0/8"] }, "db.internal", 80, DB, "10.0.0.0/8"],
    [{ allow: ["public"], private: ["10.0.0.0/8"] }, "db.example.com", 80, DB, "10.0.0.0/8"],
    [
      { allow: ["public"], private: ["10.0.0.0/8"] },
      "db.internal",
      80,
      "127.0.0.1",
      `${PRIVATE}db.internal:80`,
    ],
    [{ allow: ["public"], private: ["10.0.0.0/8:81"] }, "db.internal", 80, null, `${PRIVATE}db.internal:80`],
    [{ private: ["10.0.0.0/8"] }, "db.internal", 80, null, `${OUTSIDE}db.internal:80`],
    [{ private: ["*.corp.example"] }, "db.corp.example", 80, DB, "*.corp.example"],
  ];
  for (const [lists, host, port, address, expected] of table) {
    const target = { host, port };
    const first = decideName(rules(lists), target);
    const last = first.allowed && address !== null
      ? decideAddress(rules(lists), { ...target, address })
      : first;
    const seen = last.allowed ? last.rule : `${last.reason} ${last.flag ?? last.rule}`;
    assertEquals(seen, expected, `${JSON.stringify(lists)} ${host}:${port} ${address}`);
  }
});

function assertRefused(text: string): void {
  try {
    const { url, port } = checkUrl(text);
    const decision = decideName(PUBLIC, { host: url.hostname, port });
    assert(!decision.allowed, `${text} is allowed`);
    assertEquals(decision.reason, "private", text);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    assertEquals(error.code, "invalid_input", text);
    assert(["scheme", "host"].includes(error.details.reason as string), text);
  }
}

const RULES: NetRules = { allow: ["public"], deny: ["*.evil.com"], private: [] };

Deno.test("checkHosts() names the host, the reason and the flag", PURE, () => {
  const table: [value: string, rules: NetRules, message: string, flag: string][] = [
    [
      "http://[::1]:8080/",
      RULES,
      "Cannot reach [::1]:8080: it is not public (loopback), pass '--allow-private-net=[::1]:8080' to grant it",
      "--allow-private-net=[::1]:8080",
    ],
    [
      "metadata.google.internal:80",
      RULES,
      "Cannot reach metadata.google.internal:80: it is a name of this machine or its network, pass " +
      "--allow-private-net=metadata.google.internal:80 to grant it",
      "--allow-private-net=metadata.google.internal:80",
    ],
    [
      "https://example.com/a",
      { ...RULES, allow: [] },
      "Cannot reach example.com:443: it is not granted, pass --allow-net=example.com:443 to grant it",
      "--allow-net=example.com:443",
    ],
    [
      "www.evil.com",
      RULES,
      "Cannot reach www.evil.com:443: it is denied by --deny-net or the configuration (*.evil.com)",
      "--deny-net",
    ],
  ];
  for (const [value, rules, message, flag] of table) {
    const error = assertThrows(() => checkHosts([{ kind: "net", value }], rules), ToolError);
    assertEquals([error.code, error.message, error.details.flag], ["permission_denied", message, flag]);
  }
  const wrong: [value: string, why: string][] = [
    ["", 'Cannot ask "": it is not a URL, write it whole, such as https://example.com/page'],
    ["a.com/b", 'Cannot ask "a.com/b": it is not a URL, write it whole, such as https://example.com/page'],
    [
      "javascript:a()",
      'Cannot ask "javascript:a()": javascript: does not lead to a web server, only http: and https: do',
    ],
    ["ftp://a.com", 'Cannot ask "ftp://a.com": ftp: does not lead to a web server, only http: and https: do'],
    [
      "https://u:pw@a.com/",
      'Cannot ask "https://…@a.com/": it has a name or a password in it, leave them out',
    ],
    ["https://a..b/", 'Cannot ask "https://a..b/": its host is not the name of one'],
  ];
  for (const [value, why] of wrong) {
    const error = assertThrows(() => checkHosts([{ kind: "net", value }], RULES), ToolError);
    assertEquals([error.code, error.message], ["invalid_input", why]);
  }
});

Deno.test("checkHosts() passes granted hosts, and leaves other kinds alone", PURE, () => {
  checkHosts([{ kind: "net", value: "https://example.com" }, { kind: "read", value: "::1" }], RULES);
});

Deno.test("checkHosts() refuses hosts that are reached if needed when none may be reached", PURE, () => {
  const hosts = ["https://one.example.com", "https://two.example.com"]
    .map((value) => ({ kind: "net" as const, value, ifNeeded: true }));
  const nothing = { ...RULES, allow: [] };
  const error = assertThrows(() => checkHosts(hosts, nothing), ToolError);
  assertEquals(error.details.flag, "--allow-net=one.example.com:443");
  checkHosts(hosts, { ...RULES, allow: ["two.example.com"] });
  checkHosts([{ kind: "net", value: "https://a.example.com" }, ...hosts], {
    ...RULES,
    allow: ["a.example.com"],
  });
  checkHosts([], nothing);
});

Deno.test("netRefusal() shows no more than the start of what is no host", PURE, () => {
  const { message } = netRefusal(
    { allowed: false, reason: "host", rule: "it is not the name of a host", flag: null },
    { host: "a b".repeat(5_000), port: 80 },
  );
  assertEquals(message.length < 300, true, message);
});
