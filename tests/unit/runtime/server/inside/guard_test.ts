import { assertEquals } from "@std/assert";

import type { ListenSettings } from "../../../../../runtime/server/contract/protocol.ts";
import { checkCaller, gateAt, openServerGate } from "../../../../../runtime/server/inside/guard.ts";
import { HttpFailure } from "../../../../../runtime/server/inside/wire/http_failure.ts";

const settings = {
  host: "0.0.0.0",
  port: 0,
  token: "t",
  names: ["chat.lan", "box.lan:99"],
  origins: [],
  tls: null,
};

async function refusal(
  headers: Record<string, string>,
  { tls = null as ListenSettings["tls"], port = 8686, local = "192.168.1.5:8686" } = {},
): Promise<number | null> {
  const all = { ...settings, tls, operations: [], version: "1" };
  const gate = gateAt(await openServerGate(all, port), local);
  const request = {
    method: "GET",
    target: "/",
    length: 0,
    keeps: true,
    headers: new Map(Object.entries(headers)),
  };
  try {
    checkCaller(request, gate);
    return null;
  } catch (error) {
    return error instanceof HttpFailure ? error.status : 0;
  }
}

Deno.test("checkCaller() knows the server by its names, and by the address that the client reached", async () => {
  const cases: [headers: Record<string, string>, status: number | null][] = [
    [{ host: "192.168.1.5:8686" }, null],
    [{ host: "192.168.1.6:8686" }, 421],
    [{ host: "LOCALHOST:8686" }, null],
    [{ host: "localhost" }, 421],
    [{ host: "chat.lan" }, null],
    [{ host: "chat.lan:8686" }, null],
    [{ host: "chat.lan:99" }, 421],
    [{ host: "box.lan:99" }, null],
    [{ host: "box.lan" }, 421],
    [{ host: "chat.lan.evil.example" }, 421],
    [{}, 421],
    [{ host: "chat.lan", origin: "http://chat.lan" }, null],
    [{ host: "chat.lan", origin: "https://chat.lan" }, 403],
    [{ host: "chat.lan", origin: "http://192.168.1.5:8686" }, null],
    [{ host: "chat.lan", origin: "null" }, 403],
    [{ host: "chat.lan", "sec-fetch-site": "cross-site" }, 403],
    [{ host: "chat.lan", "sec-fetch-site": "same-origin" }, null],
  ];
  for (const [headers, status] of cases) {
    assertEquals(await refusal(headers), status, JSON.stringify(headers));
  }
  const tls = { cert: "", key: "", port: 0 };
  assertEquals(await refusal({ host: "chat.lan", origin: "https://chat.lan" }, { tls }), null);
  assertEquals(await refusal({ host: "localhost" }, { port: 80 }), null);
});
