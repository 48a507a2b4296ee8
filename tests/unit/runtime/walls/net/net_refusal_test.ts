import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import type { NetRules } from "../../../../../schemas/net.ts";
import { checkHosts, netRefusal } from "../../../../../runtime/walls/net/net_refusal.ts";

const RULES: NetRules = { allow: ["public"], deny: ["*.evil.com"], private: [] };

Deno.test("checkHosts() names the host, the reason and the flag", { permissions: "none" }, () => {
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

Deno.test("checkHosts() passes granted hosts, and leaves other kinds alone", { permissions: "none" }, () => {
  checkHosts([{ kind: "net", value: "https://example.com" }, { kind: "read", value: "::1" }], RULES);
});

Deno.test("checkHosts() refuses hosts that are reached if needed when none may be reached", {
  permissions: "none",
}, () => {
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

Deno.test("netRefusal() shows no more than the start of what is no host", { permissions: "none" }, () => {
  const { message } = netRefusal(
    { allowed: false, reason: "host", rule: "it is not the name of a host", flag: null },
    { host: "a b".repeat(5_000), port: 80 },
  );
  assertEquals(message.length < 300, true, message);
});
