import { assertEquals } from "@std/assert";

import { withoutProxies } from "../../../../../runtime/programs/network/network_variables.ts";
import { type GrantFlags, makeGrants } from "../../../../../runtime/walls/grants/make_grants.ts";

const grantsOf = (flags: GrantFlags) =>
  makeGrants(flags, { workspace: "/ws", cwd: "/ws", realPath: (path) => path });

Deno.test("withoutProxies() keeps the user's proxies from a box that leads to the gate, and from no other", () => {
  const proxy = "http://proxy.example:8080";
  const env = { HTTPS_PROXY: proxy, http_proxy: proxy, All_Proxy: proxy, no_proxy: "*", GOPROXY: proxy };
  assertEquals(withoutProxies(env, grantsOf({ allow: { net: ["example.org"] } })), { GOPROXY: proxy });
  assertEquals(withoutProxies(env, grantsOf({ shareNet: true })), env);
  assertEquals(withoutProxies(env, grantsOf({})), env);
});
