import { assert, assertEquals, assertRejects } from "@std/assert";

import { makeGate } from "../../../../../runtime/net/open_gate.ts";
import { CallTime } from "../../../../../runtime/sources/mcp/client/call_time.ts";
import { ServerSession } from "../../../../../runtime/sources/mcp/client/server_session.ts";
import { ServerLink } from "../../../../../runtime/sources/mcp/client/server_link.ts";
import type { McpServer } from "../../../../../runtime/sources/mcp/config/mcp_server.ts";
import { logOut } from "../../../../../runtime/sources/mcp/login/log_in.ts";
import { isLoggedIn, planRemote } from "../../../../../runtime/sources/mcp/login/plan_remote.ts";
import type { RemoteWay } from "../../../../../runtime/sources/mcp/wire/remote_way.ts";
import type { SourceHost } from "../../../../../runtime/sources/source.ts";
import type { Progress } from "../../../../../schemas/context.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { agree, authorizationServer } from "../../../../support/mcp/authorization_server.ts";
import { echo, remoteScene, sseServer, streamableServer } from "../../../../support/mcp/remote_servers.ts";
import { DIRECT, onlyTo } from "../../../../support/net/gate_scene.ts";

Deno.test("a worker without permissions speaks with remote servers of both eras, and of both transports", async () => {
  await using both = streamableServer();
  await using legacy = streamableServer({ only: "legacy" });
  await using modern = streamableServer({ only: "modern" });
  await using old = sseServer();
  const cases = [
    [both.mcp, both.host, "either", "2026-07-28"],
    [both.mcp, both.host, "http", "2026-07-28"],
    [legacy.mcp, legacy.host, "either", "2025-11-25"],
    [modern.mcp, modern.host, "either", "2026-07-28"],
    [old.sse, old.host, "either", "2024-11-05"],
    [old.sse, old.host, "sse", "2024-11-05"],
  ] as const;
  for (const [url, host, transport, protocol] of cases) {
    await using scene = remoteScene(host, { way: { transport } });
    await using link = await scene.open(url);
    assertEquals((await link.facts()).protocol, protocol, `${url} ${transport}`);
    assertEquals(await echo(link, "hi"), "hi");
    const all = (await link.connections()).map(({ who, decision }) => `${who} ${decision}`);
    assertEquals([...new Set(all)], ["mcp/test allowed"]);
  }
  // Each session was ended in words.
  assertEquals(legacy.sessions.size, 0);
});

Deno.test("calls of remote servers tell how far they are, and are cancelled", async () => {
  for (const only of ["legacy", "modern"] as const) {
    await using server = streamableServer({ only });
    await using scene = remoteScene(server.host);
    await using link = await scene.open(server.mcp);
    const told: Progress[] = [];
    const cancel = new AbortController();
    const slow = link.ask({ method: "tools/call", name: "slow", input: {} }, {
      signal: cancel.signal,
      time: new CallTime(20_000),
      onProgress(progress) {
        told.push(progress);
        cancel.abort();
      },
    });
    assertEquals((await assertRejects(() => slow, ToolError)).code, "cancelled");
    assertEquals(told, [{ done: 1, total: 2, message: "half" }]);
    assertEquals(await echo(link, "after"), "after");
  }
});

Deno.test("the gate's rules hold for remote servers: the error names the flag", async () => {
  await using server = streamableServer();
  for (const transport of ["either", "http", "sse"] as const) {
    const rules = { allow: ["public"], deny: [], private: [] };
    await using scene = remoteScene(server.host, { rules, way: { transport } });
    const { code, details } = await assertRejects(() => scene.open(server.mcp), ToolError);
    assertEquals(code, "permission_denied", transport);
    assertEquals(details.flag, `--allow-private-net=${server.host}`, transport);
  }
});

Deno.test("a redirect to another origin is not followed, and takes no header along", async () => {
  const heard: Request[] = [];
  await using other = streamableServer({ before: (request) => (heard.push(request), null) });
  await using server = streamableServer({
    before: ({ url }) => new URL(url).pathname === "/mcp" ? Response.redirect(other.mcp, 307) : null,
  });
  const rules = { allow: ["public"], deny: [], private: true } as const;
  const way = { headers: { "X-Key": "a-secret-of-the-user" } };
  await using scene = remoteScene(server.host, { rules, way });
  await assertRejects(() => scene.open(server.mcp), ToolError);
  assertEquals(heard.length, 0);
});

Deno.test("headers of the configuration come with each request, and are seen nowhere", async () => {
  const key = "sk-the-key-of-the-user";
  const keys: (string | null)[] = [];
  await using server = streamableServer({
    before: (request) => (keys.push(request.headers.get("x-key")), null),
    note: () => ` ${key} ${encodeURIComponent(`${key}/`)}`,
  });
  await using scene = remoteScene(server.host, { way: { headers: { "X-Key": key } } });
  await using link = await scene.open(server.mcp);
  const text = await echo(link, "hi");
  assert(keys.length > 1 && keys.every((one) => one === key));
  assert(text.startsWith("hi ") && !text.includes(key), text);
  const connections = JSON.stringify(await link.connections());
  assert(!connections.includes(key), connections);
});

Deno.test("a key in the words of a refusal is masked", async () => {
  const key = "sk-the-key-of-the-user";
  await using server = streamableServer({ before: () => new Response(`bad key ${key}`, { status: 500 }) });
  await using scene = remoteScene(server.host, { way: { headers: { "X-Key": key } } });
  const error = await assertRejects(() => scene.open(server.mcp), ToolError);
  assert(!JSON.stringify(error.toInfo()).includes(key), error.message);
  assertEquals([error.code, error.details.status], ["external_failure", 500]);
});

Deno.test("a session that the server has forgotten ends the link, and the next one begins another", async () => {
  await using server = streamableServer({ only: "legacy" });
  await using scene = remoteScene(server.host);
  await using link = await scene.open(server.mcp);
  server.sessions.clear();
  await assertRejects(() => echo(link, "hi"), ToolError);
  assertEquals(link.end?.message, "it does not know this session any more");
  await using next = await scene.open(server.mcp);
  assertEquals(await echo(next, "again"), "again");
});

Deno.test("a session that has expired is opened again once, and the call made there", async () => {
  let greeted = 0;
  let refusing = false;
  await using server = streamableServer({
    only: "legacy",
    before: (request) => {
      if (request.method === "POST" && request.headers.get("mcp-session-id") === null) greeted++;
      return refusing && request.headers.has("mcp-session-id") ? new Response("gone", { status: 404 }) : null;
    },
  });
  await using scene = remoteScene(server.host);
  await using session = new ServerSession({
    ...scene.plan(server.mcp),
    ...{ name: "small", startMs: 10_000, onMore() {}, warn() {} },
  });
  await session.tools();
  const once = greeted;
  server.sessions.clear();
  const say = async (message: string) => {
    const ask = { method: "tools/call", name: "echo", input: { message } } as const;
    const answer = await session.ask(ask, { signal: scene.signal, time: new CallTime(10_000) });
    return (answer as { content: { text: string }[] }).content[0]!.text;
  };
  assertEquals([await say("hi"), greeted], ["hi", 2 * once]);
  refusing = true;
  const { message } = await assertRejects(() => say("again"), ToolError);
  assertEquals(message, 'Server "small" failed: it does not know this session any more');
});

Deno.test("a stream of events that breaks off ends the link", async () => {
  await using server = sseServer();
  await using scene = remoteScene(server.host, { way: { transport: "sse" } });
  await using link = await scene.open(server.sse);
  assertEquals(await echo(link, "hi"), "hi");
  server.drop();
  const options = { signal: scene.signal, time: new CallTime(10_000) };
  await assertRejects(() => link.ask({ method: "tools/list" }, options), ToolError);
});

Deno.test("answers beyond the bounds end, whatever their form", async () => {
  const big = "x".repeat(11 * 1024 * 1024);
  const packed = { "content-type": "application/json", "content-encoding": "gzip" };
  const gzip = () => new CompressionStream("gzip");
  const forms: Record<string, (id: unknown) => Response> = {
    json: (id) => Response.json({ jsonrpc: "2.0", id, result: { big } }),
    events: () => new Response(`data: ${big}\n\n`, { headers: { "content-type": "text/event-stream" } }),
    packed: () => new Response(new Blob([big.repeat(4)]).stream().pipeThrough(gzip()), { headers: packed }),
    refusal: () => new Response(big, { status: 500 }),
  };
  for (const [name, form] of Object.entries(forms)) {
    await using server = streamableServer({ before: async (request) => form((await request.json()).id) });
    await using scene = remoteScene(server.host, { way: { transport: "http" } });
    const error = await assertRejects(() => scene.open(server.mcp), ToolError);
    assertEquals(error.code, "external_failure", name);
  }
});

Deno.test("the end of the gate ends the link", async () => {
  await using server = streamableServer();
  await using scene = remoteScene(server.host);
  await using link = await scene.open(server.mcp);
  await scene.gate.kill();
  await assertRejects(() => echo(link, "hi"), ToolError);
  assertEquals(link.end?.code, "unavailable");
  await using next = await scene.open(server.mcp);
  assertEquals(await echo(next, "again"), "again");
});

Deno.test("a server that wants a login says what helps", async () => {
  await using server = streamableServer({ before: () => new Response("no", { status: 401 }) });
  const headers = { authorization: "Bearer of-the-user" };
  const cases = [
    [{}, "it wants a login: log in"],
    [{ headers }, "it does not accept the header Authorization of its configuration"],
  ] as const;
  for (const [way, message] of cases) {
    await using scene = remoteScene(server.host, { way });
    const error = await assertRejects(() => scene.open(server.mcp), ToolError);
    assertEquals([error.code, error.message], ["unauthenticated", message]);
  }
});

const BROWSER: Partial<RemoteWay> = { redirectUrl: "http://127.0.0.1:1234/callback" };

Deno.test("a client of the configuration is used as it is", async () => {
  const client = { id: "known", secret: "the-secret-of-the-client" };
  await using logins = authorizationServer({ client });
  await using server = streamableServer({ before: logins.guard });
  const login = { clientId: client.id, clientSecret: client.secret, scope: "a b" };
  const rules = onlyTo(server.host, logins.host);
  let scope: string | null = null;
  const authorize = (url: string) => {
    scope = new URL(url).searchParams.get("scope");
    return agree(url);
  };
  await using scene = remoteScene(server.host, { rules, way: { ...BROWSER, login }, authorize });
  await using link = await scene.open(server.mcp);
  assertEquals([await echo(link, client.secret), scope], ["[redacted]", "a b"]);
});

Deno.test("a browser that comes back from another login proves nothing", async () => {
  await using logins = authorizationServer();
  await using server = streamableServer({ before: logins.guard });
  const rules = onlyTo(server.host, logins.host);
  const authorize = async (url: string) => {
    const params = new URLSearchParams(await agree(url));
    params.set("state", "of somebody else");
    return `?${params}`;
  };
  await using scene = remoteScene(server.host, { rules, way: BROWSER, authorize });
  const error = await assertRejects(() => scene.open(server.mcp), ToolError);
  assertEquals(error.message, "the browser came back from another login: log in again");
  assertEquals(logins.asked.filter(({ path }) => path === "/token"), []);
});

Deno.test("a server cannot lead a login to where the run may not go", async () => {
  await using logins = authorizationServer();
  await using server = streamableServer({ before: logins.guard });
  await using scene = remoteScene(server.host, { way: BROWSER, authorize: agree });
  await assertRejects(() => scene.open(server.mcp), ToolError);
  assertEquals(logins.asked, []);
});

Deno.test("what a login needs goes to no other origin than its own", async () => {
  await using logins = authorizationServer();
  await using server = streamableServer({ before: logins.guard });
  const rules = onlyTo(server.host, logins.host);
  const way = { ...BROWSER, headers: { "X-Key": "the-key-of-the-user" } };
  await using scene = remoteScene(server.host, { rules, way, authorize: agree });
  await using link = await scene.open(server.mcp);
  assertEquals(await echo(link, "hi"), "hi");
  assert(logins.keys.length > 2 && logins.keys.every((key) => key === null));
});

const { signal } = new AbortController();

/** A user's state, a server that wants a login, and runs of that user. */
function userScene(before: (request: Request) => Promise<void> = () => Promise.resolve()) {
  const home = Deno.makeTempDirSync();
  const logins = authorizationServer();
  const remote = streamableServer({
    async before(request) {
      const refused = logins.guard(request);
      if (refused?.status === 401) await before(request);
      return refused;
    },
  });
  const gate = makeGate({ upstream: DIRECT });
  const warnings: string[] = [];
  const host = { env: { HOME: home }, gate, warn: (text: string) => warnings.push(text) };
  const server: McpServer = {
    ...{ name: "s", file: "mcp.json", transport: { kind: "http", url: remote.mcp, headers: {} } },
    ...{ timeouts: { startMs: null, callMs: null }, tools: { allow: null, deny: [] } },
    ...{ grants: null, oauth: null, secrets: [] },
  };
  const user = host as unknown as SourceHost;
  const rules = onlyTo(remote.host, logins.host);
  return {
    ...{ logins, server, user, warnings },
    store: `${home}/.local/state/bulkhead/logins`,
    /** One run: at a browser, or alone. */
    open: (atBrowser = false) => {
      const browser = { redirectUrl: "http://127.0.0.1:1234/callback", authorize: agree };
      const plan = planRemote(server, user, atBrowser ? browser : null);
      return ServerLink.open({
        open: { ...plan, door: () => gate.portDoor({ who: "test", rules, secrets: [] }) },
        offers: { sampling: false, elicitation: false },
        answer: () => Promise.reject(new ToolError("denied_by_policy", "nobody is here")),
        onChanged() {},
      }, { signal });
    },
    async [Symbol.asyncDispose]() {
      await remote[Symbol.asyncDispose]();
      await logins[Symbol.asyncDispose]();
      await gate[Symbol.asyncDispose]();
      Deno.removeSync(home, { recursive: true });
    },
  };
}

Deno.test("two runs that renew one login at once both go on, and it is renewed once", async () => {
  let waiting = 0;
  let both = Promise.withResolvers<void>();
  let isRace = false;
  await using scene = userScene(async () => {
    if (!isRace) return;
    // Both know the old login before one of them renews it.
    if (++waiting === 2) both.resolve();
    await both.promise;
  });
  await (await scene.open(true))[Symbol.asyncDispose]();
  for (let round = 1; round <= 2; round++) {
    scene.logins.expire();
    [waiting, both, isRace] = [0, Promise.withResolvers<void>(), true];
    const [one, other] = await Promise.all([scene.open(), scene.open()]);
    await using _one = one;
    await using _other = other;
    isRace = false;
    assertEquals(await Promise.all([echo(one, "a"), echo(other, "b")]), ["a", "b"]);
    const renewals = scene.logins.asked.filter(({ body }) => body.grant_type === "refresh_token");
    assertEquals(renewals.length, round);
  }
  assertEquals([...Deno.readDirSync(scene.store)].map(({ name }) => name.replace(/^\w+/, "x")), ["x.json"]);
  assertEquals(scene.warnings, []);
});

Deno.test("a run that goes on takes up a renewed login, and none that was forgotten", async () => {
  await using scene = userScene();
  await (await scene.open(true))[Symbol.asyncDispose]();
  await using long = await scene.open();
  scene.logins.expire();
  await using short = await scene.open();
  assertEquals([await echo(long, "a"), await echo(short, "b")], ["a", "b"]);
  assertEquals(scene.logins.asked.filter(({ body }) => body.grant_type === "refresh_token").length, 1);
  assertEquals(await logOut(scene.server, scene.user, { signal }), true);
  assertEquals(await logOut(scene.server, scene.user, { signal }), false);
  scene.logins.expire();
  const error = await assertRejects(() => echo(long, "a"), ToolError);
  assertEquals(error.message, "its login does not hold any longer: bulkhead mcp login s");
  assertEquals(await isLoggedIn(scene.server, scene.user), false);
});

Deno.test("a login that cannot be renewed now is not lost", async () => {
  await using scene = userScene();
  await (await scene.open(true))[Symbol.asyncDispose]();
  scene.logins.expire();
  scene.logins.failing = true;
  const error = await assertRejects(() => scene.open(), ToolError);
  assertEquals(error.code, "unavailable");
  assertEquals(error.message, "its login cannot be renewed now: it answered with the HTTP status 503");
  scene.logins.failing = false;
  await using link = await scene.open();
  assertEquals(await echo(link, "a"), "a");
});

Deno.test("a store that others can write is not used, and said", async () => {
  await using scene = userScene();
  await (await scene.open(true))[Symbol.asyncDispose]();
  assertEquals(await isLoggedIn(scene.server, scene.user), true);
  Deno.chmodSync(scene.store, 0o777);
  assertEquals(await isLoggedIn(scene.server, scene.user), false);
  const error = await assertRejects(() => scene.open(), ToolError);
  assertEquals(error.message, "it wants a login: bulkhead mcp login s");
  assert(scene.warnings[0]?.includes(`run: chmod 700 ${scene.store}`), scene.warnings[0]);
});
