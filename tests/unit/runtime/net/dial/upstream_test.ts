import { assertEquals, assertThrows } from "@std/assert";

import { GateFailure } from "../../../../../runtime/net/dial/gate_failure.ts";
import { proxyFor } from "../../../../../runtime/net/dial/upstream.ts";

const PROXIES = { http: "proxy.example:3128", https: "https://user:word@secure.example", direct: [] };

Deno.test("proxyFor() reads the proxies of the user", { permissions: "none" }, () => {
  const to = { host: "example.com", port: 443 };
  assertEquals(proxyFor(to, "http", PROXIES), {
    host: "proxy.example",
    port: 3128,
    secure: false,
    socks: false,
    login: null,
  });
  assertEquals(proxyFor(to, "https", PROXIES), {
    host: "secure.example",
    port: 443,
    secure: true,
    socks: false,
    login: { name: "user", password: "word" },
  });
  assertEquals(proxyFor(to, "http", { ...PROXIES, http: null }), null);
  assertThrows(() => proxyFor(to, "http", { ...PROXIES, http: "socks4://a:1" }), GateFailure, "socks4:");
  const socks = proxyFor(to, "http", { ...PROXIES, http: "socks5h://a.example" });
  assertEquals([socks?.host, socks?.port, socks?.socks], ["a.example", 1080, true]);
});

Deno.test("proxyFor() takes a percent sign in a password as it stands, if it stands for no other character", {
  permissions: "none",
}, () => {
  const login = (http: string) =>
    proxyFor({ host: "example.com", port: 80 }, "http", { ...PROXIES, http })?.login;
  assertEquals(login("http://me:p%40ss@a.example"), { name: "me", password: "p@ss" });
  assertEquals(login("http://me:100%@a.example"), { name: "me", password: "100%" });
  assertEquals(login("http://me%zz:%ff@a.example"), { name: "me%zz", password: "%ff" });
});

Deno.test("proxyFor() reads NO_PROXY as curl does", { permissions: "none" }, () => {
  const isDirect = (host: string, port: number, ...direct: string[]) =>
    proxyFor({ host, port }, "http", { ...PROXIES, direct }) === null;
  const cases: [boolean, string, number, ...string[]][] = [
    [true, "example.com", 80, "example.com"],
    [true, "www.Example.com.", 80, "example.com"],
    [true, "www.example.com", 80, ".example.com"],
    [true, "example.com", 80, "*.example.com"],
    [false, "notexample.com", 80, "example.com"],
    [true, "example.com", 8080, "example.com:8080"],
    [false, "example.com", 80, "example.com:8080"],
    [true, "10.1.2.3", 80, "10.0.0.0/8"],
    [false, "11.1.2.3", 80, "10.0.0.0/8"],
    [true, "10.1.2.3", 80, "10.1.2.3"],
    [true, "[2001:db8::1]", 80, "2001:db8::1"],
    [true, "example.com", 80, "other.example", "*"],
    [true, "localhost", 80],
    [true, "127.0.0.1", 80],
    [true, "[::1]", 80],
    [false, "example.com", 80],
  ];
  for (const [expected, host, port, ...words] of cases) {
    assertEquals(isDirect(host, port, ...words), expected, `${host}:${port} ${words}`);
  }
});
