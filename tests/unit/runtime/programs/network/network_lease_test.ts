import { assertEquals } from "@std/assert";

import type { Connection } from "../../../../../schemas/net.ts";
import { leaseNetwork } from "../../../../../runtime/programs/network/network_lease.ts";

const connection = (host: string, changes: Partial<Connection> = {}): Connection => ({
  ...{ who: "curl", host, port: 443, address: null, decision: "refused", rule: "it is not granted" },
  ...{ sentBytes: 0, receivedBytes: 0 },
  ...changes,
});

Deno.test("leaseNetwork() tells of each refusal once in a call, and gives all connections for the audit", {
  permissions: "none",
}, async () => {
  const refused = connection("a.org", { flag: "--allow-net=a.org:443" });
  const reached = connection("b.org", { decision: "allowed", address: "8.8.8.8" });
  const first = [refused, reached];
  const line = "network: a.org:443 was refused: it is not granted, pass --allow-net=a.org:443 to grant it";
  const lease = await leaseNetwork({
    expect() {},
    take: () =>
      Promise.resolve({
        pid: 1,
        isWhole: true,
        connections: () => Promise.resolve(first),
        admit: () => Promise.resolve(),
        end: () => Promise.resolve({ connections: [refused], isWhole: true }),
      }),
    end: () => Promise.resolve(),
  }, "curl");
  assertEquals([await lease.look(), await lease.look()], [[line], []]);
  assertEquals(lease.take(), [...first, ...first]);
  assertEquals([await lease.end(), lease.take(), lease.take()], [[line], [refused], []]);
});

Deno.test("leaseNetwork() tells why a host was not reached, which a program behind CONNECT cannot say", {
  permissions: "none",
}, async () => {
  const rule = "your proxy did not lead to a.org:443: it wants a name and a password";
  const failed = connection("a.org", { decision: "failed", rule });
  const broken = connection("b.org", { decision: "failed", rule: "it broke off", sentBytes: 300 });
  const lease = await leaseNetwork({
    expect() {},
    take: () =>
      Promise.resolve({
        ...{ pid: 1, isWhole: true },
        connections: () => Promise.resolve([failed, broken, failed]),
        admit: () => Promise.resolve(),
        end: () => Promise.resolve({ connections: [failed], isWhole: true }),
      }),
    end: () => Promise.resolve(),
  }, "curl");
  assertEquals(await lease.look(), [`network: a.org:443 was not reached: ${rule}`]);
  assertEquals(await lease.end(), []);
});

Deno.test("leaseNetwork() tells once that a way broke off", { permissions: "none" }, async () => {
  const broken = "network: the way of curl to the network broke off; the next program has a new one";
  for (const isWhole of [true, false]) {
    const lease = await leaseNetwork({
      expect() {},
      take: () =>
        Promise.resolve({
          ...{ pid: 1, isWhole },
          connections: () => Promise.resolve([]),
          admit: () => Promise.resolve(),
          end: () => Promise.resolve({ connections: [], isWhole: false }),
        }),
      end: () => Promise.resolve(),
    }, "curl");
    assertEquals([await lease.look(), await lease.end()], isWhole ? [[], [broken]] : [[broken], []]);
  }
});
