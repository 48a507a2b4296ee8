import { assertEquals, assertNotEquals } from "@std/assert";

import {
  answerPreflight,
  checkToken,
  corsHeaders,
  letIn,
  openServerGate,
} from "../../../../runtime/server/inside/guard.ts";
import { OpeningCode } from "../../../../runtime/server/inside/opening_code.ts";
import { HttpFailure } from "../../../../runtime/server/inside/wire/http_failure.ts";

const SETTINGS = {
  ...{ host: "127.0.0.1", port: 0, token: "right", names: [], origins: ["https://app.example"], tls: null },
  ...{ operations: [], version: "1", code: "open" },
};
const gateOf = (more: Partial<typeof SETTINGS> = {}) => openServerGate({ ...SETTINGS, ...more }, 8686);
const gate = await gateOf();
const { name, value } = gate.cookie;
const asked = (headers: Record<string, string>, method = "GET") => ({
  ...{ method, target: "/", length: 0, keeps: true, headers: new Map(Object.entries(headers)) },
});

function statusOf(act: () => unknown): number | null {
  try {
    act();
    return null;
  } catch (error) {
    if (error instanceof HttpFailure) return error.status;
    throw error;
  }
}

const tokenOf = (headers: Record<string, string>, method = "GET") =>
  statusOf(() => checkToken(asked(headers, method), gate));

Deno.test("checkToken() takes the token itself, and no other", () => {
  assertEquals(tokenOf({ authorization: "Bearer right" }, "POST"), null);
  for (
    const shown of [
      "Bearer wrong",
      "Bearer righ",
      "Bearer right2",
      "Bearer RIGHT",
      "Basic right",
      "right",
      "Bearer ",
    ]
  ) {
    assertEquals(tokenOf({ authorization: shown }), 401, shown);
  }
  assertEquals(tokenOf({}), 401);
  // A wrong token is not made up for by the cookie.
  assertEquals(tokenOf({ authorization: "Bearer wrong", cookie: `${name}=${value}` }), 401);
});

Deno.test("checkToken() takes the cookie for what its own page asks, and its key for what that changes", () => {
  const cookie = { cookie: `other=1; ${name}=${value}` };
  const own = { ...cookie, "sec-fetch-site": "same-origin" };
  const key = { "x-page-key": gate.pageKey };
  assertEquals([tokenOf(cookie), tokenOf(own), tokenOf({ ...cookie, "sec-fetch-site": "none" })], [
    null,
    null,
    null,
  ]);
  assertEquals(tokenOf({ cookie: `${name}=${"0".repeat(64)}` }), 401);
  assertEquals(tokenOf({ cookie: `x${name}=${value}` }), 401);
  for (const site of ["same-site", "cross-site"]) {
    assertEquals(tokenOf({ ...cookie, "sec-fetch-site": site }), 403, site);
  }
  assertEquals(tokenOf({ ...cookie, "sec-fetch-site": "same-site", origin: "http://127.0.0.1:9" }), 403);
  assertEquals(tokenOf({ ...cookie, "sec-fetch-site": "same-site", origin: "http://127.0.0.1:8686" }), null);
  for (const method of ["POST", "DELETE", "PUT", "PATCH"]) {
    assertEquals([tokenOf(own, method), tokenOf({ ...own, ...key }, method)], [401, null], method);
    assertEquals(tokenOf({ ...cookie, ...key }, method), 403, method);
  }
});

Deno.test("a gate's secrets are of its token, and neither is the other", async () => {
  const other = await gateOf({ token: "left" });
  assertNotEquals(other.cookie.value, value);
  assertEquals(new Set([value, gate.pageKey, "right"]).size, 3);
  assertEquals([(await gateOf()).cookie.value, value.includes("right")], [value, false]);
});

Deno.test("letIn() takes the token and, once, the code of an address, and keeps neither in it", async () => {
  const gate = await gateOf();
  const enter = (query: Record<string, string>, headers = {}) => letIn(query, asked(headers), gate);
  assertEquals(enter({}), null);
  assertEquals(statusOf(() => enter({ token: "wrong" })), 401);
  assertEquals(statusOf(() => enter({ code: "shut" })), 401);
  const headersOf = (reply: ReturnType<typeof enter>) => reply?.headers as Record<string, string>;
  for (const query of [{ token: "right" }, { code: "open" }] as Record<string, string>[]) {
    const { location, "set-cookie": set } = headersOf(enter(query));
    assertEquals(location, `/#key=${gate.pageKey}`);
    assertEquals(set, `${name}=${value}; HttpOnly; SameSite=Strict; Path=/`);
  }
  assertEquals(statusOf(() => enter({ code: "open" })), 401);
  assertEquals(headersOf(enter({ code: "open" }, { cookie: `${name}=${value}` })).location, "/");
  const tls = { cert: "", key: "", port: 0 } as never;
  const secure = await gateOf({ tls });
  assertEquals(
    headersOf(letIn({ token: "right" }, asked({}), secure))["set-cookie"]!.endsWith("; Secure"),
    true,
  );
});

Deno.test("OpeningCode holds for a minute", () => {
  assertEquals([new OpeningCode("c", 0).take("c", 59_999), new OpeningCode("c", 0).take("c", 60_000)], [
    true,
    false,
  ]);
  assertEquals(new OpeningCode(undefined).take(""), false);
});

Deno.test("only pages of listed origins may read answers, and ask what they may ask", () => {
  const listed = { origin: "https://app.example" };
  assertEquals(corsHeaders(asked(listed), gate)["access-control-allow-origin"], "https://app.example");
  for (
    const headers of [{}, { origin: "https://evil.example" }, { origin: "https://app.example.evil" }, {
      origin: "null",
    }]
  ) {
    assertEquals(corsHeaders(asked(headers), gate), { vary: "origin" });
  }
  const method = { "access-control-request-method": "POST" };
  assertEquals(answerPreflight(asked({ ...listed, ...method }, "OPTIONS"), gate)?.status, 204);
  assertEquals(answerPreflight(asked({ ...listed, ...method }), gate), null);
  assertEquals(answerPreflight(asked(listed, "OPTIONS"), gate), null);
  assertEquals(answerPreflight(asked({ origin: "https://evil.example", ...method }, "OPTIONS"), gate), null);
});
