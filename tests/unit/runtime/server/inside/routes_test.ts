import { assertEquals, assertThrows } from "@std/assert";

import type { Operation } from "../../../../../runtime/server/api/operation.ts";
import { Routes } from "../../../../../runtime/server/inside/routes.ts";

const operation = (method: Operation["method"], path: string): Operation => ({
  ...{ id: `${method} ${path}`, method, path, tag: "t", summary: "", answer: { description: "" } },
});

const routes = new Routes([
  operation("GET", "/runs"),
  operation("POST", "/runs"),
  operation("GET", "/runs/{id}"),
  operation("GET", "/runs/{id}/files/{name}"),
  operation("POST", "/tools/{name+}"),
]);

Deno.test("Routes finds operations by method and path, and decodes each part once", () => {
  const found = (method: string, path: string) => {
    const route = routes.find(method, path);
    return route.t === "route" ? [route.operation.id, route.params] : route.t;
  };
  assertEquals(found("GET", "/runs"), ["GET /runs", {}]);
  assertEquals(found("HEAD", "/runs"), ["GET /runs", {}]);
  assertEquals(found("GET", "/runs/a%20b%2525"), ["GET /runs/{id}", { id: "a b%25" }]);
  assertEquals(found("GET", "/runs/r/files/a.b%C3%A4"), [
    "GET /runs/{id}/files/{name}",
    { id: "r", name: "a.bä" },
  ]);
  assertEquals(found("POST", "/tools/set/Name"), ["POST /tools/{name+}", { name: "set/Name" }]);
  assertEquals(found("POST", "/tools/set%2FName"), ["POST /tools/{name+}", { name: "set/Name" }]);
  assertEquals(found("GET", "/runs/"), "none");
  assertEquals(found("GET", "/runs//files/a"), "none");
  assertEquals(found("GET", "/runs/r%2Ffiles"), "none");
  assertEquals(found("GET", "/Runs"), "none");
  assertEquals(found("POST", "/tools"), "none");
  assertEquals(found("DELETE", "/runs"), "methods");
});

Deno.test("Routes says for which methods something is there", () => {
  const found = routes.find("DELETE", "/runs");
  assertEquals(found.t === "methods" && found.allow, ["GET", "HEAD", "POST"]);
});

Deno.test("Routes takes no path that a second reader could take for another one", () => {
  for (
    const path of [
      "/runs/..",
      "/runs/%2e%2e",
      "/runs/a%2f..%2fb",
      "/runs/.",
      "/runs/a%5cb",
      "/runs/%00",
      "/runs/%ff",
      "/runs/%",
    ]
  ) {
    assertThrows(() => routes.find("GET", path), Error, "The path cannot be read");
  }
});
