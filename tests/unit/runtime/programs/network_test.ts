import { assertEquals, assertThrows } from "@std/assert";

import { joinNetwork } from "../../../../runtime/programs/network/join_network.ts";
import { leaseNetwork } from "../../../../runtime/programs/network/network_lease.ts";
import { withoutProxies } from "../../../../runtime/programs/network/network_variables.ts";
import { boxStartScript } from "../../../../runtime/programs/process/start_script.ts";
import { type GrantFlags, makeGrants } from "../../../../runtime/walls/grants/make_grants.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { listed } from "../../../support/listed.ts";
import type { Connection } from "../../../../schemas/net.ts";

const connection = (host: string, changes: Partial<Connection> = {}): Connection => ({
  ...{ who: "curl", host, port: 443, address: null, decision: "refused", rule: "it is not granted" },
  ...{ sentBytes: 0, receivedBytes: 0 },
  ...changes,
});

const PURE = { permissions: "none" } as const;

/** A lease of a way that has some connections in its life and at its end, and breaks off then or before. */
function leaseOf(given: { now?: Connection[]; late?: Connection[]; isWhole?: boolean; endsWhole?: boolean }) {
  const { now = [], late = [], isWhole = true, endsWhole = true } = given;
  const way = {
    ...{ pid: 1, isWhole },
    connections: () => Promise.resolve(now),
    admit: () => Promise.resolve(),
    end: () => Promise.resolve({ connections: late, isWhole: endsWhole }),
  };
  const take = () => Promise.resolve(way);
  return leaseNetwork({ expect() {}, take, end: () => Promise.resolve() }, "curl");
}

Deno.test(
  "leaseNetwork() tells of each refusal once in a call, and gives all connections for the audit",
  PURE,
  async () => {
    const refused = connection("a.org", { flag: "--allow-net=a.org:443" });
    const first = [refused, connection("b.org", { decision: "allowed", address: "8.8.8.8" })];
    const line = "network: a.org:443 was refused: it is not granted, pass --allow-net=a.org:443 to grant it";
    const lease = await leaseOf({ now: first, late: [refused] });
    assertEquals([await lease.look(), await lease.look()], [[line], []]);
    assertEquals(lease.take(), [...first, ...first]);
    assertEquals([await lease.end(), lease.take(), lease.take()], [[line], [refused], []]);
  },
);

Deno.test(
  "leaseNetwork() tells why a host was not reached, which a program behind CONNECT cannot say",
  PURE,
  async () => {
    const rule = "your proxy did not lead to a.org:443: it wants a name and a password";
    const failed = connection("a.org", { decision: "failed", rule });
    const broken = connection("b.org", { decision: "failed", rule: "it broke off", sentBytes: 300 });
    const lease = await leaseOf({ now: [failed, broken, failed], late: [failed] });
    assertEquals(await lease.look(), [`network: a.org:443 was not reached: ${rule}`]);
    assertEquals(await lease.end(), []);
  },
);

Deno.test("leaseNetwork() tells once that a way broke off", PURE, async () => {
  const broken = "network: the way of curl to the network broke off; the next program has a new one";
  for (const isWhole of [true, false]) {
    const lease = await leaseOf({ isWhole, endsWhole: false });
    assertEquals([await lease.look(), await lease.end()], isWhole ? [[], [broken]] : [[broken], []]);
  }
});

const BOX = ["/usr/bin/bwrap", "--unshare-user", "--unshare-all", "--", "sh", "-c", "--unshare-all"];

Deno.test("joinNetwork() lets a box join the network of a process, and changes nothing without one", () => {
  const nsenter = "/usr/bin/nsenter";
  assertEquals(joinNetwork(BOX, { pid: 7, nsenter }), [
    ...[nsenter, "--user=/proc/7/ns/user", "--net=/proc/7/ns/net", "--preserve-credentials", "--"],
    ...listed("/usr/bin/bwrap, --unshare-user, --unshare-all, --share-net, --, sh, -c, --unshare-all"),
  ]);
  assertEquals(joinNetwork(BOX, { pid: null, nsenter: null }), BOX);
});

Deno.test("joinNetwork() never gives a box the network of this machine because something is missing", () => {
  assertThrows(() => joinNetwork(BOX, { pid: 7, nsenter: null }), ToolError, "nsenter");
  assertThrows(() => joinNetwork(["true"], { pid: 7, nsenter: "/usr/bin/nsenter" }), ToolError);
});

Deno.test("a start refuses a process that has ended, or that has the network of this machine", async () => {
  const code = async (joins: number | null) => {
    const { words } = boxStartScript({ bash: "/bin/bash", sh: "/bin/sh" }, null, {
      reports: "report",
      joins,
      needsStdin: true,
    });
    const [program, ...args] = [...words, "true"];
    const { success } = await new Deno.Command(program!, { args, clearEnv: true, stderr: "null" }).output();
    return success;
  };
  assertEquals(await code(null), true);
  assertEquals(await code(Deno.pid), false);
  assertEquals(await code(2 ** 30), false);
});

const grantsOf = (flags: GrantFlags) =>
  makeGrants(flags, { workspace: "/ws", cwd: "/ws", realPath: (path) => path });

Deno.test("withoutProxies() keeps the user's proxies from a box that leads to the gate, and from no other", () => {
  const proxy = "http://proxy.example:8080";
  const env = { HTTPS_PROXY: proxy, http_proxy: proxy, All_Proxy: proxy, no_proxy: "*", GOPROXY: proxy };
  assertEquals(withoutProxies(env, grantsOf({ allow: { net: ["example.org"] } })), { GOPROXY: proxy });
  assertEquals(withoutProxies(env, grantsOf({ shareNet: true })), env);
  assertEquals(withoutProxies(env, grantsOf({})), env);
});
