import { assertEquals, assertThrows } from "@std/assert";

import { nextUrl } from "../../../../../runtime/net/room/redirect.ts";
import type { WebRequest } from "../../../../../schemas/context.ts";
import { ToolError } from "../../../../../schemas/error.ts";

const answer = (status: number, location?: string) => ({
  status,
  headers: new Headers(location === undefined ? {} : { location }),
});

Deno.test("nextUrl() gives keys and headers of one's own to the same origin alone", () => {
  const asked: WebRequest = {
    url: "https://a.example/x",
    headers: { Authorization: "Bearer 1", cookie: "c=1", "X-Api-Key": "2", Accept: "text/html" },
    secret: { name: "KEY", header: "x-key" },
  };
  assertEquals(nextUrl(asked, answer(302, "/y")), { ...asked, method: "GET", url: "https://a.example/y" });
  for (const url of ["https://b.example/y", "http://a.example/x", "https://a.example:8443/x"]) {
    assertEquals(nextUrl(asked, answer(302, url)), {
      url,
      method: "GET",
      headers: { Accept: "text/html" },
    });
  }
});

Deno.test("nextUrl() keeps a body where the status says so", () => {
  const asked: WebRequest = {
    url: "https://a.example/",
    method: "POST",
    body: "b",
    headers: { "content-type": "text/plain", accept: "*/*" },
  };
  const methodOf = (method: "POST" | "HEAD" | "GET", status: number) => {
    const next = nextUrl({ ...asked, method }, answer(status, "/y"));
    return [next?.method, next?.body, next?.headers?.["content-type"]];
  };
  for (const status of [301, 302, 303]) assertEquals(methodOf("POST", status), ["GET", undefined, undefined]);
  for (const status of [307, 308]) assertEquals(methodOf("POST", status), ["POST", "b", "text/plain"]);
  assertEquals(methodOf("HEAD", 303)[0], "HEAD");
});

Deno.test("nextUrl() keeps the part after # and leads to the web alone", () => {
  const asked: WebRequest = { url: "https://a.example/x#part" };
  assertEquals(nextUrl(asked, answer(301, "/y"))?.url, "https://a.example/y#part");
  assertEquals(nextUrl(asked, answer(301, "/y#other"))?.url, "https://a.example/y#other");
  for (const [status, location] of [[200, "/y"], [304, "/y"], [300, "/y"], [302, undefined]] as const) {
    assertEquals(nextUrl(asked, answer(status, location)), null);
  }
  assertEquals(nextUrl({ ...asked, maxRedirects: 0 }, answer(302, "/y")), null);
  for (const location of ["file:///etc/passwd", "https://me:secret@a.example/", "http://[::1", "data:,x"]) {
    const error = assertThrows(() => nextUrl(asked, answer(302, location)), ToolError);
    assertEquals([error.code, error.message.includes("secret")], ["external_failure", false]);
  }
});
