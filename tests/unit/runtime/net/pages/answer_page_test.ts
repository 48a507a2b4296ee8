import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";

import { answerPage, type PageSite } from "../../../../../runtime/net/pages/answer_page.ts";
import { workspace } from "../../../../support/run_tool.ts";

const SITE = { token: "secret", port: 4000, isOpen: false };
const HERE = "http://127.0.0.1:4000";

function site(root: string): PageSite {
  return { ...SITE, folder: join(root, "pages") };
}

/** A request as a browser sends it. */
function request(path: string, init: RequestInit = {}): Request {
  return new Request(`${HERE}${path}`, { headers: { host: "127.0.0.1:4000" }, ...init });
}

async function ask(root: string, path: string, init: RequestInit = {}): Promise<[number, string]> {
  const answer = await answerPage(request(path, init), site(root));
  return [answer.status, await answer.text()];
}

Deno.test("answerPage() gives files of its folder, and index.html of folders", async () => {
  using ws = workspace({
    "pages/index.html": "<h1>",
    "pages/sub/index.html": "sub",
    "pages/sub/a b.js": "js",
    "pages/é.txt": "é",
  });
  Deno.symlinkSync("sub/a b.js", ws.at("pages/link.js"));
  const table: [string, number, string][] = [
    ["/secret/", 200, "<h1>"],
    ["/secret/index.html", 200, "<h1>"],
    ["/secret/sub/", 200, "sub"],
    ["/secret/sub/a%20b.js?v=1#x", 200, "js"],
    ["/secret/%C3%A9.txt", 200, "é"],
    ["/secret/link.js", 200, "js"],
  ];
  for (const [path, status, text] of table) assertEquals(await ask(ws.path, path), [status, text], path);
  const folder = await answerPage(request("/secret/sub"), site(ws.path));
  assertEquals([folder.status, folder.headers.get("location")], [308, "/secret/sub/"]);
  const bare = await answerPage(request("/secret"), site(ws.path));
  assertEquals(bare.headers.get("location"), "/secret/");
  const head = await answerPage(request("/secret/", { method: "HEAD" }), site(ws.path));
  const told = [200, "text/html; charset=utf-8", ""];
  assertEquals([head.status, head.headers.get("content-type"), await head.text()], told);
});

Deno.test("answerPage() gives nothing else: no list, no hidden file, nothing that links or paths lead to", async () => {
  using ws = workspace({
    "mine.txt": "mine",
    "pages/.env": "key",
    "pages/.git/config": "key",
    "pages/empty/a.txt": "a",
    "pages/a.txt": "a",
    "pagesbeside/a.txt": "mine",
  });
  Deno.symlinkSync(ws.at("mine.txt"), ws.at("pages/file"));
  Deno.symlinkSync("..", ws.at("pages/up"));
  Deno.symlinkSync(".env", ws.at("pages/shown"));
  Deno.symlinkSync("loop", ws.at("pages/loop"));
  await new Deno.Command("mkfifo", { args: [ws.at("pages/fifo")] }).output();
  const paths = [
    ...["/", "/secret/", "/secre/", "/secret/empty/", "/secret/none", "/other/a.txt", "//secret/a.txt"],
    ...["/secret/file", "/secret/up/mine.txt", "/secret/loop", "/secret/fifo", "/secret/a.txt/"],
    ...["/secret/.env", "/secret/shown", "/secret/.git/config", "/secret/%2eenv", "/secret/./.env"],
    ...["%2e%2e/mine.txt", "..%2fmine.txt", "..%5cmine.txt", "%00", "%ff", "%2e%2e/pagesbeside/a.txt"].map(
      (path) => `/secret/${path}`,
    ),
    ...["/secret/a.txt%00.html", `/secret/${encodeURIComponent(ws.at("mine.txt"))}`],
  ];
  for (const path of paths) assertEquals((await ask(ws.path, path))[0], 404, path);
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
    assertEquals((await ask(ws.path, "/secret/a.txt", { method }))[0], 405, method);
  }
});

Deno.test("answerPage() answers only who calls it by its own address", async () => {
  using ws = workspace({ "pages/a.txt": "a" });
  const hosts: [string, number][] = [
    ["127.0.0.1:4000", 200],
    ["localhost:4000", 200],
    ["127.0.0.1", 403],
    ["127.0.0.1:4001", 403],
    ["evil.example:4000", 403],
    ["127.0.0.1.evil.example:4000", 403],
    ["[::1]:4000", 403],
    ["", 403],
  ];
  for (const [host, status] of hosts) {
    const named = new Request(`${HERE}/secret/a.txt`, { headers: { host } });
    const answer = await answerPage(named, site(ws.path));
    await answer.body?.cancel();
    assertEquals(answer.status, status, host);
  }
});

Deno.test("answerPage() keeps a page from other hosts, unless it may reach them", async () => {
  using ws = workspace({ "pages/a.svg": "<svg>" });
  const headersOf = async (isOpen: boolean) => {
    const answer = await answerPage(request("/secret/a.svg"), { ...site(ws.path), isOpen });
    await answer.body?.cancel();
    return answer.headers;
  };
  const closed = await headersOf(false);
  assertStringIncludes(closed.get("content-security-policy") ?? "", "default-src 'self'");
  const told = ["referrer-policy", "x-content-type-options", "content-type"].map((name) => closed.get(name));
  assertEquals(told, ["no-referrer", "nosniff", "image/svg+xml"]);
  const open = await headersOf(true);
  assertEquals([open.get("content-security-policy"), open.get("referrer-policy")], [null, "no-referrer"]);
});
