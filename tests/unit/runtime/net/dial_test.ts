import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";

import { GateFailure } from "../../../../runtime/net/dial/gate_failure.ts";
import { askSocks } from "../../../../runtime/net/dial/socks_client.ts";
import { proxyFor } from "../../../../runtime/net/dial/upstream.ts";
import { proxyGreeting } from "../../../../runtime/net/forms/gate_headers.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { programTest } from "../../../support/needed_programs.ts";
import { bridge } from "../../../support/net/bridge.ts";
import { tlsServer } from "../../../support/net/certificates.ts";
import { DIRECT, gateScene, onlyTo, rawServer, testServer } from "../../../support/net/gate_scene.ts";
import { inOwnNetwork } from "../../../support/net/own_network.ts";

const FIXTURE = new URL("../../../fixtures/net/rebinding.ts", import.meta.url).pathname;

programTest(
  "a name that changes its address is dialled where it was checked, or refused",
  ["ip", "unshare"],
  async () => {
    assertEquals(await inOwnNetwork(FIXTURE), {
      ends: {
        public: ["192.0.1.1", "192.0.1.1"],
        rebinding: ["192.0.1.1", "permission_denied private"],
        mixed: ["permission_denied private", "permission_denied private"],
        behind: ["permission_denied private", "permission_denied private"],
        inner: ["permission_denied private", "permission_denied private"],
        denied: ["permission_denied denied", "permission_denied denied"],
      },
      reached: ["192.0.1.1"],
      // The room itself looks nothing up, and nobody asks for a name that is refused.
      names: ["public", "rebinding", "mixed", "behind", "inner"].map((host) => `${host}.example.com`),
    });
  },
);

Deno.test("names without an address and ports without a server are failures of the other side", async () => {
  await using server = testServer(() => new Response("there"));
  const rules = onlyTo("127.0.0.1:1", `localhost:${server.port}`, "none.invalid");
  await using scene = await gateScene({ rules });
  assertEquals(await scene.say(`http://localhost:${server.port}/`), "there");
  assertEquals(await scene.say("http://127.0.0.1:1/", { retries: 0 }), "external_failure connect");
  const error = await scene.ask("http://none.invalid/", { retries: 0 });
  assert(error instanceof ToolError);
  assertEquals([error.code, error.details.reason], ["external_failure", "dns"]);
});

Deno.test("a server that does not greet back in TLS is given up in time", async () => {
  using silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const host = `127.0.0.1:${(silent.addr as Deno.NetAddr).port}`;
  await using scene = await gateScene({ rules: onlyTo(host) }, { connectMs: 200 });
  assertEquals(await scene.say(`https://${host}/`), "timeout timeout");
});

const EXAMPLE = { allow: ["public", "good.example", "other.example"], deny: ["denied.example"], private: [] };

/** Hears what a client says next, as a text of a byte each. */
async function hear(conn: Deno.Conn): Promise<string> {
  const buffer = new Uint8Array(16 * 1024);
  return new TextDecoder("latin1").decode(buffer.subarray(0, await conn.read(buffer) ?? 0));
}

/** A corporate proxy that leads everybody whom it greets to one server. */
function leading(port: number, listener: Deno.Listener, greet: (conn: Deno.Conn) => Promise<boolean>) {
  const serve = async (conn: Deno.Conn) => {
    if (!await greet(conn)) return conn.close();
    const up = await Deno.connect({ hostname: "127.0.0.1", port });
    await Promise.allSettled([conn.readable.pipeTo(up.writable), up.readable.pipeTo(conn.writable)]);
  };
  const served: Promise<void>[] = [];
  const accepted = (async () => {
    for await (const conn of listener) served.push(serve(conn).catch(() => {}));
  })().catch(() => {});
  return {
    port: (listener.addr as Deno.NetAddr).port,
    async [Symbol.asyncDispose]() {
      listener.close();
      await accepted;
      await Promise.all(served);
    },
  };
}

const HERE = { hostname: "127.0.0.1", port: 0 };

/** Such a proxy of HTTP, which tells what it was asked. */
function proxyTo(port: number, tls?: { cert: string; key: string }) {
  const asked: string[] = [];
  const listener: Deno.Listener = tls ? Deno.listenTls({ ...tls, ...HERE }) : Deno.listen(HERE);
  const lead = leading(port, listener, async (conn) => {
    const head = await hear(conn);
    asked.push(head);
    if (!head.startsWith("CONNECT ")) return false;
    await conn.write(new TextEncoder().encode("HTTP/1.1 200 OK\r\n\r\n"));
    return true;
  });
  return { asked, ...lead };
}

const host = ({ headers }: Request) => headers.get("host");

Deno.test("https goes through the user's proxy as a tunnel, with the certificate checked by name", async () => {
  await using server = await tlsServer((request) => new Response(`secure ${host(request)}`));
  const { ca } = server;
  await using proxy = proxyTo(server.port);
  const upstream = { ...DIRECT, https: `http://user:p%40ss@127.0.0.1:${proxy.port}` };
  await using scene = await gateScene({ rules: EXAMPLE }, { upstream, caCerts: () => Promise.resolve([ca]) });
  assertEquals(await scene.say("https://good.example/"), "secure good.example");
  assertStringIncludes(proxy.asked[0]!, "CONNECT good.example:443 HTTP/1.1\r\n");
  assertStringIncludes(proxy.asked[0]!, `Proxy-Authorization: Basic ${btoa("user:p@ss")}`);
  const wrong = await scene.ask("https://other.example/", { retries: 0 });
  assert(wrong instanceof ToolError);
  assertEquals([wrong.code, wrong.retryable, wrong.details.reason], ["external_failure", false, "tls"]);
  assertEquals(await scene.say("https://denied.example/"), "permission_denied denied");
  assertEquals(await scene.say("https://10.0.0.1/"), "permission_denied private");
  assertEquals(proxy.asked.length, 2);
  // Who reads the audit must not take the proxy's address for that of a host.
  const dialled = await scene.door.take("c1");
  assertEquals([dialled.length > 0, dialled.filter(({ address }) => address !== null)], [true, []]);
});

Deno.test("http goes to the user's proxy as a whole URL, but for hosts that are reached directly", async () => {
  await using direct = testServer(() => new Response("direct"));
  await using proxy = rawServer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nthe proxy");
  const upstream = { http: proxy.url, https: null, direct: ["localhost.example"] };
  const rules = { ...onlyTo(`localhost:${direct.port}`), allow: ["public", "good.example"] };
  await using scene = await gateScene({ rules }, { upstream });
  assertEquals(await scene.say("http://good.example/a?b=c#d"), "the proxy");
  assertStringIncludes(proxy.asked[0]!, "GET http://good.example/a?b=c HTTP/1.1\r\n");
  assertEquals(await scene.say(`http://localhost:${direct.port}/`), "direct");
  assertEquals(proxy.asked.length, 1);
  assertEquals((await scene.door.take("c1")).map(({ address }) => address === null), [true, false]);
});

Deno.test("what is refused is told as such, also with a proxy that cannot be used", async () => {
  const upstream = { ...DIRECT, http: "socks4://127.0.0.1:1", https: "::" };
  await using scene = await gateScene({ rules: EXAMPLE }, { upstream });
  for (const scheme of ["http", "https"]) {
    assertEquals(await scene.say(`${scheme}://169.254.169.254/`), "permission_denied private");
    assertEquals(await scene.say(`${scheme}://denied.example/`), "permission_denied denied");
    assertEquals(await scene.say(`${scheme}://good.example/`, { retries: 0 }), "external_failure proxy");
  }
});

Deno.test("a proxy that wants a password is told as such, and is not asked again", async () => {
  await using refusing = rawServer("HTTP/1.1 407 Who\r\nContent-Length: 4\r\n\r\nwho?");
  const upstream = { ...DIRECT, http: refusing.url, https: refusing.url };
  await using scene = await gateScene({ rules: EXAMPLE }, { upstream });
  for (const [at, url] of ["http://good.example/", "https://good.example/"].entries()) {
    const error = await scene.ask(url);
    assert(error instanceof ToolError && error.details.reason === "proxy_login", String(error));
    assertStringIncludes(error.message, "it wants a name and a password");
    assertEquals(refusing.asked.length, at + 1);
  }
  await using program = await gateScene({ form: "proxy", rules: EXAMPLE }, { upstream });
  await using way = bridge(program.door);
  using client = Deno.createHttpClient({ proxy: { url: way.url } });
  const answer = await fetch("http://good.example/", { client });
  assertEquals([answer.status, await answer.text()], [
    502,
    "bulkhead: cannot reach good.example:80: your proxy did not lead to good.example:80: it wants a name and a password\n",
  ]);
});

Deno.test("a proxy that is itself reached by https leads to http and to https", async () => {
  await using server = await tlsServer((request) => new Response(`secure ${host(request)} `.repeat(50_000)));
  const { ca } = server;
  await using proxy = proxyTo(server.port, server);
  const text = `https://user:p%40ss@localhost:${proxy.port}`;
  const upstream = { ...DIRECT, http: text, https: text };
  await using scene = await gateScene({ rules: EXAMPLE }, { upstream, caCerts: () => Promise.resolve([ca]) });
  const answers = await Promise.all([1, 2, 3].map(() => scene.say("https://good.example/")));
  for (const answer of answers) assertEquals(answer.split("secure good.example ").length, 50_001);
  assertStringIncludes(proxy.asked[0]!, `Proxy-Authorization: Basic ${btoa("user:p@ss")}`);
  const wrong = await scene.ask("https://other.example/", { retries: 0 });
  assertEquals(wrong instanceof ToolError && wrong.details.reason, "tls");
  await scene.ask("http://good.example/", { retries: 0 });
  assertStringIncludes(proxy.asked.at(-1)!, "GET http://good.example/ HTTP/1.1\r\n");
});

Deno.test("the user's proxy gets a host in the spelling that was checked", async () => {
  await using server = testServer(() => new Response("there"));
  await using proxy = proxyTo(server.port);
  const upstream = { ...DIRECT, https: `http://127.0.0.1:${proxy.port}` };
  const spellings = ["GOOD.Example.", "0300.0.01.01", "3221225729", "[::FFFF:c000:101]"];
  await using scene = await gateScene({ form: "proxy", rules: EXAMPLE }, { upstream });
  for (const host of spellings) {
    using conn = await Deno.connect({ transport: "unix", path: scene.door.path });
    const greeting = proxyGreeting(scene.door.token);
    await conn.write(new TextEncoder().encode(`${greeting}CONNECT ${host}:443 HTTP/1.1\r\n\r\n`));
    await conn.read(new Uint8Array(1024));
  }
  assertEquals(proxy.asked.map((head) => head.split("\r\n").slice(0, 2)), [
    ["CONNECT good.example:443 HTTP/1.1", "Host: good.example:443"],
    ...spellings.slice(1).map(() => ["CONNECT 192.0.1.1:443 HTTP/1.1", "Host: 192.0.1.1:443"]),
  ]);
});

Deno.test("a name that only the user's proxy looks up is not public where public hosts are denied", async () => {
  await using proxy = rawServer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nthe proxy");
  const rules = { allow: ["public"], deny: ["public:80"], private: ["intra.example"] };
  const upstream = { ...DIRECT, http: proxy.url };
  await using scene = await gateScene({ rules }, { upstream });
  assertEquals(await scene.say("http://good.example/"), "permission_denied denied");
  assertEquals(await scene.say("http://intra.example/"), "the proxy");
  assertEquals(await scene.say("http://good.example:8080/"), "the proxy");
});

/** A proxy of SOCKS 5 that wants a name and a password. */
function socksTo(port: number) {
  const said: string[] = [];
  const lead = leading(port, Deno.listen(HERE), async (conn) => {
    for (const answer of [[5, 2], [1, 0], [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]]) {
      said.push(await hear(conn));
      await conn.write(Uint8Array.from(answer));
    }
    return true;
  });
  return { said, ...lead };
}

Deno.test("a SOCKS 5 proxy of the user gets names to look up, with its password", async () => {
  await using server = testServer((request) => new Response(`for ${host(request)}`));
  await using proxy = socksTo(server.port);
  const http = `socks5h://me:secret@127.0.0.1:${proxy.port}`;
  await using scene = await gateScene({ rules: EXAMPLE }, { upstream: { ...DIRECT, http } });
  assertEquals(await scene.say("http://good.example/"), "for good.example");
  const told = ["\x05\x01\x02", "\x01\x02me\x06secret", "\x05\x01\x00\x03\x0cgood.example\x00\x50"];
  assertEquals(proxy.said, told);
});

const PROXIES = { http: "proxy.example:3128", https: "https://user:word@secure.example", direct: [] };

Deno.test("proxyFor() reads the proxies of the user", { permissions: "none" }, () => {
  const to = { host: "example.com", port: 443 };
  const plain = { secure: false, socks: false, login: null };
  assertEquals(proxyFor(to, "http", PROXIES), { host: "proxy.example", port: 3128, ...plain });
  const login = { name: "user", password: "word" };
  const secure = { host: "secure.example", port: 443, ...plain, secure: true, login };
  assertEquals(proxyFor(to, "https", PROXIES), secure);
  assertEquals(proxyFor(to, "http", { ...PROXIES, http: null }), null);
  assertThrows(() => proxyFor(to, "http", { ...PROXIES, http: "socks4://a:1" }), GateFailure, "socks4:");
  const socks = proxyFor(to, "http", { ...PROXIES, http: "socks5h://a.example" });
  assertEquals([socks?.host, socks?.port, socks?.socks], ["a.example", 1080, true]);
});

const PURE = { permissions: "none" } as const;
Deno.test(
  "proxyFor() takes a percent sign in a password as it stands, if it stands for no other character",
  PURE,
  () => {
    const login = (http: string) =>
      proxyFor({ host: "example.com", port: 80 }, "http", { ...PROXIES, http })?.login;
    assertEquals(login("http://me:p%40ss@a.example"), { name: "me", password: "p@ss" });
    assertEquals(login("http://me:100%@a.example"), { name: "me", password: "100%" });
    assertEquals(login("http://me%zz:%ff@a.example"), { name: "me%zz", password: "%ff" });
  },
);

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

/** How asking a proxy ends that answers so, and what it was told. */
type Login = Parameters<typeof askSocks>[2];
async function askedOf(answers: readonly number[][], login: Login = null) {
  const said: number[][] = [];
  const rest = answers.flat();
  const conn = {
    read(buffer: Uint8Array) {
      const part = rest.splice(0, buffer.length);
      buffer.set(part);
      return Promise.resolve(part.length === 0 ? null : part.length);
    },
    write: (bytes: Uint8Array) => Promise.resolve((said.push([...bytes]), bytes.length)),
  } as unknown as Deno.Conn;
  const asking = askSocks(conn, { host: "a.example", port: 258 }, login);
  const failure = await asking.then(() => null, (error) => error);
  return failure instanceof GateFailure ? failure.reason : failure ?? { said, rest };
}

Deno.test("askSocks() takes a way only from a proxy that says so", { permissions: "none" }, async () => {
  const name = [...new TextEncoder().encode("a.example")];
  const ask = [5, 1, 0, 3, 9, ...name, 1, 2];
  const way = [5, 0, 0, 1, ...[1, 2, 3, 4], ...[0, 80]];
  assertEquals(await askedOf([[5, 0], way, [7]]), { said: [[5, 1, 0], ask], rest: [7] });
  const login = { name: "me", password: "pw" };
  const words = [1, 2, 109, 101, 2, 112, 119];
  assertEquals(await askedOf([[5, 2], [1, 0], way], login), { said: [[5, 1, 2], words, ask], rest: [] });
  assertEquals([await askedOf([[4, 0], way]), await askedOf([[5, 0], [5, 2, 0, 1]])], ["proxy", "proxy"]);
  assertEquals(await askedOf([[5, 2], way]), "proxy_login");
  assertEquals(await askedOf([[5, 255], way], login), "proxy_login");
  assertEquals(await askedOf([[5, 2], [1, 1], way], login), "proxy_login");
  assertEquals([await askedOf([[5]]), await askedOf([[5, 0], [5, 0, 0]])], ["proxy", "proxy"]);
});
