import { assert, assertEquals, assertRejects } from "@std/assert";

import { makeGate } from "../../../../../runtime/net/open_gate.ts";
import { ServerLink } from "../../../../../runtime/sources/mcp/client/server_link.ts";
import type { McpServer } from "../../../../../runtime/sources/mcp/config/mcp_server.ts";
import { logOut } from "../../../../../runtime/sources/mcp/login/log_in.ts";
import { isLoggedIn, planRemote } from "../../../../../runtime/sources/mcp/login/plan_remote.ts";
import type { RemoteWay } from "../../../../../runtime/sources/mcp/wire/remote_way.ts";
import type { SourceHost } from "../../../../../runtime/sources/source.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { agree, authorizationServer } from "../../../../support/mcp/authorization_server.ts";
import { echo, remoteScene, streamableServer } from "../../../../support/mcp/remote_servers.ts";
import { DIRECT, onlyTo } from "../../../../support/net/gate_scene.ts";

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
  await using scene = remoteScene(server.host, {
    rules,
    way: { ...BROWSER, headers: { "X-Key": "the-key-of-the-user" } },
    authorize: agree,
  });
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
    name: "s",
    file: "mcp.json",
    transport: { kind: "http", url: remote.mcp, headers: {} },
    timeouts: { startMs: null, callMs: null },
    tools: { allow: null, deny: [] },
    grants: null,
    oauth: null,
    secrets: [],
  };
  const user = host as unknown as SourceHost;
  const rules = onlyTo(remote.host, logins.host);
  return {
    logins,
    server,
    user,
    warnings,
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
  assertEquals([error.code, error.message], [
    "unavailable",
    "its login cannot be renewed now: it answered with the HTTP status 503",
  ]);
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
