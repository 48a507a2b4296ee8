import { assert, assertEquals } from "@std/assert";

import type { Operation } from "../../../../runtime/server/api/operation.ts";
import type { ListenSettings } from "../../../../runtime/server/contract/protocol.ts";
import { checkCaller, gateAt, openServerGate } from "../../../../runtime/server/inside/guard.ts";
import { Routes } from "../../../../runtime/server/inside/routes.ts";
import { HttpFailure } from "../../../../runtime/server/inside/wire/http_failure.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { HOSTILE_REQUESTS, hostileText } from "../../../support/server/hostile_requests.ts";
import { serveHandlers, TOKEN } from "../../../support/server/serve_handlers.ts";

Deno.test("answerRequest() refuses what could mean two things, is too long, or comes from elsewhere", async () => {
  const reached: string[] = [];
  const reach = ({ params }: { params: unknown }) => {
    reached.push(JSON.stringify(params));
    return { json: {} };
  };
  await using server = await serveHandlers({ startRun: reach, listRuns: reach });
  const seen: Record<string, number> = {};
  for (const request of HOSTILE_REQUESTS) {
    const all = await server.raw(hostileText(request, { port: server.port, token: TOKEN }));
    assert(all.startsWith("HTTP/1.1 "), request.title);
    seen[request.title] = Number(all.split(" ")[1]);
    // One answer, whatever stands behind the request.
    assertEquals(all.match(/^HTTP\/1\.1 /gm)?.length, 1, request.title);
  }
  assertEquals(seen, Object.fromEntries(HOSTILE_REQUESTS.map(({ title, status }) => [title, status])));
  assertEquals(reached, []);
  assertEquals(await server.fetch("/runs").then((answer) => answer.json()), {});
});

Deno.test("answerRequest() says in the form of each operation what is wrong with a request", async () => {
  const empty = () => ({ json: {} });
  await using server = await serveHandlers({ startRun: empty, listRuns: empty });
  const error = async (path: string, init?: RequestInit) => {
    const answer = await server.fetch(path, init);
    const { error } = await answer.json();
    return [answer.status, error.code, error.message];
  };
  const near = 'There is nothing at GET "/run", did you mean "/runs"?';
  assertEquals(await error("/run"), [404, "not_found", near]);
  assertEquals((await error("/runs", { method: "DELETE" })).slice(0, 2), [405, "invalid_input"]);
  const wrong = "The query is wrong: Parameter 'limit' must be of type integer.";
  assertEquals(await error("/runs?limit=many"), [400, "invalid_input", wrong]);
  const post = (body: unknown) =>
    error("/runs", {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json; charset=utf-8" },
    });
  const [status, code, message] = await post({ promt: "x", images: [{ name: 1 }] });
  assertEquals([status, code], [400, "invalid_input"]);
  for (const word of ["parameter: prompt", "parameter: promt", "images[0].data_url"]) {
    assert(message.includes(word), message);
  }
  const openai = await server.fetch("/v1/nothing");
  assertEquals([openai.status, await openai.json()], [404, {
    error: {
      message: 'There is nothing at GET "/v1/nothing"; GET /openapi.json has all paths',
      type: "invalid_request_error",
      param: null,
      code: "not_found",
    },
  }]);
});

Deno.test("answerRequest() lets pages of listed origins ask, and no others", async () => {
  await using server = await serveHandlers({ listRuns: () => ({ json: [] }) }, {
    origins: ["https://chat.example/"],
    names: ["box.lan", "box.lan:99"],
  });
  const host = `Host: box.lan\r\n`;
  const origin = "Origin: https://chat.example\r\nSec-Fetch-Site: cross-site\r\nConnection: close\r\n";
  const preflight = await server.raw(
    `OPTIONS /runs HTTP/1.1\r\n${host}${origin}Access-Control-Request-Method: POST\r\n` +
      "Access-Control-Request-Headers: content-type,x-stainless-os\r\n\r\n",
  );
  assert(preflight.startsWith("HTTP/1.1 204"), preflight);
  assert(/access-control-allow-origin: https:\/\/chat\.example\r\n/.test(preflight), preflight);
  assert(/access-control-allow-headers: .*x-stainless-os/.test(preflight), preflight);
  const listed = await server.raw(
    `GET /runs HTTP/1.1\r\n${host.replace("lan", "lan:99")}${origin}Authorization: Bearer ${TOKEN}\r\n\r\n`,
  );
  assert(listed.startsWith("HTTP/1.1 200"), listed);
  assert(/access-control-allow-origin: https:\/\/chat\.example\r\n/.test(listed), listed);
  assert(/vary: origin\r\n/.test(listed), listed);
  assertEquals(/access-control-allow-credentials/.test(preflight + listed), false);
  const foreign = await server.raw(
    `GET /runs HTTP/1.1\r\n${host}${origin.replace("chat", "evil")}Authorization: Bearer ${TOKEN}\r\n\r\n`,
  );
  assert(foreign.startsWith("HTTP/1.1 403"), foreign);
  assertEquals(foreign.includes("access-control-allow-origin"), false);
});

Deno.test("answerRequest() takes so many requests at once, and tells others when to ask again", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const listRuns = () => (begun.resolve(), promise.then(() => ({ json: [] })));
  const full = new ToolError("rate_limited", "4 runs are at work and 256 wait", { retryable: true });
  const startRun = () => Promise.reject(full);
  await using server = await serveHandlers({ listRuns, startRun }, { limits: { requests: 1 } });
  const first = server.fetch("/runs");
  await begun.promise;
  const told = async (answer: Response) => [
    ...[answer.status, answer.headers.get("retry-after"), (await answer.json()).error.code],
  ];
  assertEquals(await told(await server.fetch("/runs")), [429, "1", "rate_limited"]);
  resolve();
  assertEquals(await (await first).json(), []);
  const body = JSON.stringify({ prompt: "x" });
  const headers = { "content-type": "application/json" };
  const start = await server.fetch("/runs", { method: "POST", body, headers });
  assertEquals(await told(start), [429, "1", "rate_limited"]);
});

Deno.test("a browser without the token is asked for it, and a code lets one browser in once", async () => {
  await using server = await serveHandlers({ listRuns: () => ({ json: [] }) }, { code: "code-of-the-start" });
  const open = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, {
      redirect: "manual",
      headers: { accept: "text/html,*/*;q=0.8", ...headers },
    });
  const wrong = { "/": "enter the token", "/?token=wrong": "token is wrong", "/?code=x": "was used" };
  for (const [path, said] of Object.entries(wrong)) {
    const asked = await open(path);
    const text = await asked.text();
    assertEquals([asked.status, asked.headers.get("content-type")], [401, "text/html; charset=utf-8"], path);
    assert(text.includes('name="token"') && text.includes(said) && !text.includes("<script"), text);
    const policy = asked.headers.get("content-security-policy") ?? "";
    assert(/^default-src 'none'; style-src 'sha256-[^ ]+='; form-action 'self';/.test(policy), policy);
  }
  const json = await open("/", { accept: "application/json" });
  assertEquals([json.status, (await json.json()).error.code], [401, "unauthenticated"]);
  const other = await open("/runs");
  assertEquals((await other.json()).error.code, "unauthenticated");
  const entered = await open("/?code=code-of-the-start");
  const cookie = entered.headers.get("set-cookie")!.split(";")[0]!;
  const code = "/?code=code-of-the-start";
  const again = await Promise.all([open(code), open(code, { cookie })]);
  const right = await open(`/?token=${TOKEN}`);
  assertEquals([entered, ...again, right].map(({ status }) => status), [200, 401, 303, 303]);
  // The cookie alone brings nobody the key of the page.
  const keyed = [again[1]!, right].map(({ headers }) => headers.get("location")!.includes("#key="));
  assertEquals([(await entered.text()).includes("#key="), ...keyed], [true, false, true]);
  const page = await fetch(`${server.url}/runs`, { headers: { cookie } });
  assertEquals(await page.json(), []);
  await Promise.all([...again, right].map(({ body }) => body?.cancel()));
});

Deno.test("a client without the token gets one answer on a connection, so that it holds none back", async () => {
  await using server = await serveHandlers({ listRuns: () => ({ json: {} }) });
  const twice = (path: string, more = "") =>
    server.raw(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${more}\r\n`.repeat(2) +
        "GET / HTTP/1.0\r\n\r\n",
    );
  const answers = (all: string) =>
    [...all.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
  assertEquals(answers(await twice("/runs")), [401]);
  assertEquals(answers(await twice("/health")), [200]);
  assertEquals(answers(await twice("/nothing")), [401]);
  assertEquals(answers(await twice("/runs", `Authorization: Bearer ${TOKEN}\r\n`)), [200, 200, 421]);
});

Deno.test("/openapi.json has what is answered and no more; /health needs no token", async () => {
  await using server = await serveHandlers({ listRuns: () => ({ json: [] }) });
  const document = await server.fetch("/openapi.json").then((answer) => answer.json());
  assertEquals(Object.keys(document.paths).toSorted(), ["/health", "/openapi.json", "/runs"]);
  const health = await fetch(`${server.url}/health`);
  assertEquals(await health.json(), { status: "healthy", service: "bulkhead", version: "1.2.3" });
  const closed = await fetch(`${server.url}/openapi.json`);
  assertEquals(closed.status, 401);
  await closed.body?.cancel();
});

const settings = { host: "0.0.0.0", port: 0, token: "t", names: ["chat.lan", "box.lan:99"], origins: [] };

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
  const none = routes.find("DELETE", "/runs");
  assertEquals(none.t === "methods" && none.allow, ["GET", "HEAD", "POST"]);
});
