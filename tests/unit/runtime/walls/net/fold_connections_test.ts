import { assertEquals } from "@std/assert";

import { foldConnections } from "../../../../../runtime/walls/net/fold_connections.ts";
import type { Connection } from "../../../../../schemas/net.ts";

const connection = (host: string, more: Partial<Connection> = {}): Connection => ({
  ...{ who: "curl", host, port: 80, address: null, decision: "allowed", rule: "public" },
  ...{ sentBytes: 1, receivedBytes: 2 },
  ...more,
});

Deno.test("a short list of connections stays as it is", () => {
  const two = [connection("a.example"), connection("a.example")];
  assertEquals(foldConnections(two, 2), two);
});

Deno.test("in a long list, connections that are alike become one, with their bytes", () => {
  const list = [
    ...Array.from({ length: 50 }, () => connection("a.example")),
    connection("b.example"),
    connection("b.example", { decision: "refused" }),
    connection("a.example", { count: 0 }),
  ];
  assertEquals(foldConnections(list, 10), [
    connection("a.example", { count: 50, sentBytes: 51, receivedBytes: 102 }),
    connection("b.example"),
    connection("b.example", { decision: "refused" }),
  ]);
});

Deno.test("of too many different ones none is lost, and those that were let through stay apart first", () => {
  const refused = Array.from(
    { length: 30 },
    (_, at) =>
      connection(`n${at}.example`, { decision: "refused", flag: "--allow-net=x", reason: "outside" }),
  );
  const open = Array.from({ length: 4 }, (_, at) => connection(`open${at}.example`));
  const folded = foldConnections([...refused, ...open], 5);
  assertEquals(folded.slice(0, 5), [...open, refused[0]!]);
  assertEquals(folded.slice(5), [
    connection("other hosts", {
      ...{ port: 0, decision: "refused", rule: "" },
      ...{ count: 29, sentBytes: 29, receivedBytes: 58 },
    }),
  ]);
});
