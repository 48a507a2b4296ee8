import { assertEquals } from "@std/assert";

import { ConnectionList } from "../../../../runtime/net/connection_list.ts";
import { GateFailure } from "../../../../runtime/net/dial/gate_failure.ts";

Deno.test("no number of connections hides one", () => {
  const list = new ConnectionList();
  const first = list.begin("sh", { host: "shop.example", port: 80 }, null);
  first.counts.sentBytes = 5_000;
  first.end();
  const open = list.begin("sh", { host: "open.example", port: 80 }, null);
  for (let n = 0; n < 5_000; n++) {
    list.begin("sh", { host: `n${n}.example`, port: 80 }, null).end(new GateFailure("outside", "no"));
  }
  open.counts.sentBytes = 7;
  const told = list.take(null);
  assertEquals(
    told.filter(({ decision }) => decision === "allowed").map(({ host, sentBytes }) => [host, sentBytes]),
    [
      ["shop.example", 5_000],
      ["open.example", 7],
    ],
  );
  assertEquals(told.reduce((sum, { count = 1 }) => sum + count, 0), 5_002);
  assertEquals(told.length < 1_100, true);
});

Deno.test("what a connection carries after it was told is told the next time", () => {
  const list = new ConnectionList();
  const trace = list.begin("sh", { host: "shop.example", port: 80 }, null);
  trace.counts.sentBytes = 3;
  const bytes = () => list.take(null).map(({ sentBytes, count }) => [sentBytes, count]);
  assertEquals(bytes(), [[3, undefined]]);
  assertEquals(bytes(), []);
  trace.counts.sentBytes += 4;
  assertEquals(bytes(), [[4, 0]]);
  trace.counts.sentBytes += 5;
  trace.end(new GateFailure("server_name", "another name"));
  assertEquals(list.rest().map(({ sentBytes, count, decision }) => [sentBytes, count, decision]), [
    [5, 1, "refused"],
  ]);
  assertEquals(bytes(), [[5, 1]]);
  assertEquals(list.take(null), []);
});

Deno.test("the connections of a call go with it, also those that are open", () => {
  const list = new ConnectionList();
  list.begin("par/fetch_url", { host: "shop.example", port: 80 }, "c1");
  list.begin("par/fetch_url", { host: "shop.example", port: 80 }, "c2");
  assertEquals(list.take("c1").length, 1);
  assertEquals(list.take("c1").length, 0);
  assertEquals(list.rest().length, 1);
});
