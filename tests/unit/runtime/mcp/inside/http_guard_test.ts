import { assertEquals } from "@std/assert";

import { guardRequest } from "../../../../../runtime/mcp/inside/http_guard.ts";

const TOKEN = "0123456789abcdef";

function status(
  headers: Record<string, string>,
  { path = "/mcp", token = TOKEN as string | null } = {},
) {
  const request = new Request(`http://127.0.0.1:4178${path}`, { method: "POST" });
  // A request of a server may have headers that one of a client may not.
  const seen = { headers: new Headers(headers), url: request.url } as Request;
  return guardRequest(seen, { port: 4178, token })?.status ?? null;
}

Deno.test("guardRequest() lets in who knows the token, from this machine", () => {
  const good = { authorization: `Bearer ${TOKEN}` };
  const cases: [headers: Record<string, string>, status: number | null][] = [
    [{ host: "127.0.0.1:4178", ...good }, null],
    [{ host: "localhost:4178", ...good }, null],
    [{ host: "LOCALHOST:4178", authorization: `bearer  ${TOKEN}` }, null],
    [{ host: "[::1]:4178", origin: "http://localhost:4178", ...good }, null],
    [{ host: "evil.example:4178", ...good }, 403],
    [{ host: "127.0.0.1:4179", ...good }, 403],
    [{ host: "127.0.0.1", ...good }, 403],
    [{ host: "127.0.0.1:4178.evil.example", ...good }, 403],
    [good, 403],
    [{ host: "127.0.0.1:4178", origin: "http://evil.example", ...good }, 403],
    [{ host: "127.0.0.1:4178", origin: "null", ...good }, 403],
    [{ host: "127.0.0.1:4178", origin: "https://127.0.0.1:4178", ...good }, 403],
    [{ host: "127.0.0.1:4178", origin: "http://127.0.0.1:4178@evil.example", ...good }, 403],
    [{ host: "127.0.0.1:4178", "sec-fetch-site": "cross-site", ...good }, 403],
    [{ host: "127.0.0.1:4178" }, 401],
    [{ host: "127.0.0.1:4178", authorization: "Bearer " }, 401],
    [{ host: "127.0.0.1:4178", authorization: `Basic ${TOKEN}` }, 401],
    [{ host: "127.0.0.1:4178", authorization: `Bearer ${TOKEN}0` }, 401],
    [{ host: "127.0.0.1:4178", authorization: `Bearer ${TOKEN.slice(1)}` }, 401],
  ];
  for (const [headers, expected] of cases) {
    assertEquals(status(headers), expected, JSON.stringify(headers));
  }
  assertEquals(status({ host: "127.0.0.1:4178", ...good }, { path: "/other" }), 404);
  assertEquals(status({ host: "127.0.0.1:4178" }, { token: null }), null);
});
