import { assertEquals, assertRejects } from "@std/assert";

import { type OpenPort, takePort } from "../../../../../runtime/host/net/loopback_network.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { Connection } from "../../../../../schemas/net.ts";

const RULES = { allow: ["shop.example"], deny: [], private: [] };
const connection: Connection = {
  ...{
    who: "curl",
    host: "shop.example",
    port: 443,
    address: null,
    decision: "allowed",
    rule: "shop.example",
  },
  ...{ sentBytes: 1, receivedBytes: 1 },
};

Deno.test("takePort() gives one program a port that leads to the gate, and closes it with the program", async () => {
  const asked: unknown[] = [];
  let isOpen = true;
  const open: OpenPort = (...given) => {
    asked.push(given);
    return Promise.resolve({
      loopback: 4711,
      get isOpen() {
        return isOpen;
      },
      take: (call) => Promise.resolve(call === null ? [connection] : []),
      close() {
        isOpen = false;
        return Promise.resolve([{ ...connection, host: "late.example" }]);
      },
    });
  };
  const way = await takePort(open, "curl", RULES);
  assertEquals(asked, [["curl", RULES]]);
  assertEquals([way.pid, way.port, way.isWhole], [null, 4711, true]);
  assertEquals(await way.connections(), [connection]);
  const { code } = await assertRejects(() => way.admit("a:1", { until: Promise.resolve() }), ToolError);
  assertEquals(code, "unavailable");
  const { connections, isWhole } = await way.end({ clean: true });
  assertEquals([connections.map(({ host }) => host), isWhole, isOpen], [["late.example"], true, false]);
  assertEquals(way.isWhole, false);
});

Deno.test("takePort() closes a door without a port", async () => {
  let closed = 0;
  const open: OpenPort = () =>
    Promise.resolve({
      isOpen: true,
      take: () => Promise.resolve([]),
      close: () => (closed++, Promise.resolve([])),
    });
  await assertRejects(() => takePort(open, "curl", RULES), ToolError, "The gate has no port on this machine");
  assertEquals(closed, 1);
});
