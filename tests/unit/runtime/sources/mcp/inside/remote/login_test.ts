import { assert, assertEquals, assertRejects } from "@std/assert";

import type { RemoteWay } from "../../../../../../../runtime/sources/mcp/wire/remote_way.ts";
import { ToolError } from "../../../../../../../schemas/error.ts";
import { onlyTo } from "../../../../../../support/net/gate_scene.ts";
import { agree, authorizationServer } from "../../../../../../support/mcp/authorization_server.ts";
import { echo, remoteScene, streamableServer } from "../../../../../../support/mcp/remote_servers.ts";

const BROWSER: Partial<RemoteWay> = { redirectUrl: "http://127.0.0.1:1234/callback" };

Deno.test("a person logs in once, later runs refresh what proves it, and it is seen nowhere", async () => {
  await using logins = authorizationServer();
  const seen: string[] = [];
  await using server = streamableServer({
    before(request) {
      seen.push(request.headers.get("authorization") ?? "");
      return logins.guard(request);
    },
    note: () => ` ${seen.at(-1)}`,
  });
  const rules = onlyTo(server.host, logins.host);
  const sent: string[] = [];
  const authorize = (url: string) => {
    sent.push(url);
    return agree(url);
  };
  await using first = remoteScene(server.host, { rules, way: BROWSER, authorize });
  await using link = await first.open(server.mcp);
  const said = await echo(link, "hi");
  assert(said.startsWith("hi ") && !said.includes("access-token"), said);
  const { searchParams } = new URL(sent[0]!);
  assertEquals([sent.length, searchParams.get("code_challenge_method")], [1, "S256"]);
  assertEquals(searchParams.get("resource"), server.mcp);
  const kept = first.told.at(-1)!;
  assert(String(kept.tokens?.access_token).startsWith("access-token-"));

  // In a later run nobody is asked, also when the token does not hold any longer.
  logins.expire();
  await using later = remoteScene(server.host, { rules, kept });
  await using again = await later.open(server.mcp);
  assert((await echo(again, "hi")).startsWith("hi "));
  const { tokens } = later.told.at(-1)!;
  assert(tokens?.refresh_token !== kept.tokens?.refresh_token);
  assertEquals(logins.asked.map(({ path, body }) => body.grant_type?.toString() ?? path).slice(0, 1), [
    "/register",
  ]);

  // It ends, too.
  logins.expire();
  logins.forget();
  await using end = remoteScene(server.host, { rules, kept: later.told.at(-1)! });
  const error = await assertRejects(() => end.open(server.mcp), ToolError);
  assertEquals([error.code, error.message], [
    "unauthenticated",
    "its login does not hold any longer: log in",
  ]);
  assert(!JSON.stringify(error.toInfo()).includes("-token-"));
});

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
