import { assert, assertEquals, assertRejects } from "@std/assert";

import type { Carrier } from "../../../../runtime/calls/catalog/carrier.ts";
import type { Host } from "../../../../runtime/host/open_host.ts";
import { ArtifactResources } from "../../../../runtime/mcp/artifact_resources.ts";
import { Connections } from "../../../../runtime/mcp/connections.ts";
import { serveMcp, ToolError } from "../../../../runtime/mcp/mod.ts";
import type { FromServer, ToServer } from "../../../../runtime/mcp/protocol.ts";
import { runServer } from "../../../../runtime/mcp/serve_mcp.ts";
import { toAnswer } from "../../../../runtime/mcp/to_answer.ts";

import { entryOf } from "../../../support/manifest_entry.ts";
import { workspace } from "../../../support/run_tool.ts";
import { testMachine } from "../../../support/test_machine.ts";
import { toolResult } from "../../../support/tool_result.ts";

const TOKEN = "a token of thirty letters here".replaceAll(" ", "-");

Deno.test("serveMcp() serves functions and tools of a program over HTTP, until its signal", async () => {
  using ws = workspace({ "a.txt": "text" });
  const end = new AbortController();
  const ready = Promise.withResolvers<number | null>();
  const served = serveMcp({
    ...{ workspace: ws.path, sandbox: "off", config: false, signal: end.signal },
    here: [{ name: "add", description: "Add.", run: () => 3 }],
    tools: ["here/add", "Read"],
    http: { port: 0, token: TOKEN },
    onReady: ready.resolve,
  });
  served.catch(ready.reject);
  const port = await ready.promise;
  const ask = async (method: string, params: unknown = {}) => {
    const lead = "io.modelcontextprotocol";
    const _meta = {
      ...{ [`${lead}/protocolVersion`]: "2026-07-28", [`${lead}/clientCapabilities`]: {} },
      [`${lead}/clientInfo`]: { name: "test", version: "1" },
    };
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: "POST",
      headers: {
        ...{ authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
        ...{ accept: "application/json, text/event-stream", "mcp-protocol-version": "2026-07-28" },
        ...{ "mcp-method": method, ...(method === "tools/call" && { "mcp-name": "add" }) },
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params as object, _meta } }),
    });
    const text = await answer.text();
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result;
  };
  const { tools } = await ask("tools/list");
  assertEquals(tools.map(({ name }: { name: string }) => name), ["add", "Read"]);
  assertEquals((await ask("tools/call", { name: "add", arguments: {} })).content[0].text, "3");
  end.abort();
  await served;
});

Deno.test("serveMcp() says what cannot be served", async () => {
  using ws = workspace();
  const base = { workspace: ws.path, sandbox: "off", config: false } as const;
  await assertRejects(() => serveMcp({ ...base, tools: ["Read"], toolsets: ["par"] }), TypeError, "complete");
  await assertRejects(() => serveMcp({ ...base, http: { port: 0, token: "short" } }), TypeError, "16");
  await assertRejects(() => serveMcp({ ...base, http: { port: 70_000, token: TOKEN } }), TypeError, "port");
  const error = await assertRejects(() => serveMcp({ ...base, tools: ["Nope"] }), ToolError);
  assertEquals(error.code, "invalid_input");
});

const LOOK = entryOf("test/look", { asks: true });
const CALL: FromServer = {
  t: "call",
  id: 1,
  call: { connection: "c", roots: null, name: "look", input: {} },
};

/** A server whose worker says what the test says. */
function scene(root: string, prepare: () => Promise<void>) {
  const { machine } = testMachine(root, () => Promise.reject(new Error("no room")), {
    control: { permissions: () => ["allow"] },
  });
  const done: string[] = [];
  const carrier: Carrier = {
    call: () => {
      done.push("called");
      const facts = { targets: [], analyses: [], programs: [], connections: [] };
      return Promise.resolve({ result: toolResult({ text: "said" }), facts });
    },
    explain: () => Promise.reject(new Error("not explained")),
  };
  const entry = { tool: LOOK, carrier };
  const host = {
    ...machine,
    catalog: { entries: [entry] },
    ready: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(void done.push("closed")),
  } as unknown as Host;
  const answered = Promise.withResolvers<ToServer>();
  const worker = {
    onmessage: (_: { data: FromServer }) => {},
    postMessage: (message: ToServer) => message.t === "open" || answered.resolve(message),
    terminate: () => void done.push("terminated"),
  };
  const ended = runServer({ worker: worker as unknown as Worker, early: [] }, {
    ...{ way: { kind: "stdio" }, host, offered: [{ entry, name: "look" }], prepare },
    ...{ choice: {}, grows: false, isForeign: () => false },
    ...{ open: () => host, signal: new AbortController().signal, onReady() {}, warn() {} },
  });
  return { say: (data: FromServer) => worker.onmessage({ data }), answered: answered.promise, ended, done };
}

Deno.test("runServer() answers clients before it is prepared, and runs calls only after that", async () => {
  using ws = workspace();
  const prepared = Promise.withResolvers<void>();
  const { say, answered, ended, done } = scene(ws.path, async () => {
    done.push("preparing");
    await prepared.promise;
    done.push("prepared");
  });
  say(CALL);
  assertEquals(done, []);
  say({ t: "ready", port: null });
  prepared.resolve();
  assertEquals((await answered).t, "answer");
  assertEquals(done, ["preparing", "prepared", "called"]);
  say({ t: "closed", error: null });
  assertEquals(await ended, null);
});

Deno.test("runServer() ends without a call if it cannot be prepared", async () => {
  using ws = workspace();
  const why = new ToolError("configuration", "no gate");
  const { say, ended, done } = scene(ws.path, () => Promise.reject(why));
  say(CALL);
  say({ t: "ready", port: null });
  assertEquals((await ended)?.message, "no gate");
  assertEquals(done, ["terminated", "closed"]);
});

const images = [{ mime_type: "image/png", data: "AAAA" }];
const RESULT = toolResult({ result: { count: 1 }, text: "one", images });
const PARTS = { resources: [], structured: true };

Deno.test("toAnswer() gives text, pictures, structure and links", () => {
  const resource = { uri: "bulkhead://artifact/1/a.txt", name: "a.txt", mimeType: "text/plain", size: 3 };
  assertEquals(toAnswer(RESULT, { resources: [resource], structured: true }), {
    content: [
      { type: "text", text: "one" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "resource_link", ...resource },
    ],
    structuredContent: { count: 1 },
    isError: false,
  });
  assertEquals("structuredContent" in toAnswer(RESULT, { resources: [], structured: false }), false);
  assertEquals("structuredContent" in toAnswer({ ...RESULT, result: "one" }, PARTS), false);
});

Deno.test("toAnswer() gives sounds, and documents as a text or as bytes", () => {
  const answer = toAnswer({
    ...RESULT,
    images: [],
    audio: [{ mime_type: "audio/wav", data: "UklG" }],
    resources: [
      { uri: "note://1", mime_type: "text/plain", text: "" },
      { uri: "file://2", data: "AAEC" },
    ],
  }, PARTS);
  assertEquals(answer.content, [
    { type: "text", text: "one" },
    { type: "audio", data: "UklG", mimeType: "audio/wav" },
    { type: "resource", resource: { uri: "note://1", mimeType: "text/plain", text: "" } },
    { type: "resource", resource: { uri: "file://2", blob: "AAEC" } },
  ]);
});

Deno.test("toAnswer() tells a failure with its code, and its warnings", () => {
  const error = new ToolError("not_found", "No such file").toInfo();
  const answer = toAnswer({ ...RESULT, ok: false, error, images: [], warnings: ["w"] }, PARTS);
  assertEquals(answer, {
    content: [{ type: "text", text: "one" }],
    isError: true,
    _meta: { "bulkhead/warnings": ["w"], "bulkhead/error": error },
  });
});

Deno.test("toAnswer() sends no structure that no client would take", () => {
  const answer = toAnswer({ ...RESULT, result: { text: "x".repeat(5 * 1024 * 1024) } }, PARTS);
  assertEquals([answer.isError, JSON.stringify(answer).length < 1_000], [true, true]);
});

/** Hosts that only say when they are opened and closed. */
function hosts({ single }: { single: boolean }) {
  const said: string[] = [];
  const hostOf = (name: string) =>
    ({
      name,
      [Symbol.asyncDispose]: () => Promise.resolve(void said.push(`close ${name}`)),
    }) as unknown as Host & { name: string };
  const open = (within: readonly string[] | null) => {
    const name = within?.join() ?? "all";
    said.push(`open ${name}`);
    return hostOf(name);
  };
  const nameOf = (host: Host) => Promise.resolve((host as Host & { name: string }).name);
  return { said, nameOf, connections: new Connections(open, hostOf("base"), { single }) };
}

Deno.test("the only connection works with the host that is there, and narrower roots get their own", async () => {
  const { said, nameOf, connections } = hosts({ single: true });
  const one = connections.of("pipe");
  assertEquals(await one.use(null, nameOf), "base");
  assertEquals(await one.use(["/b", "/a", "/a"], nameOf), "/a,/b");
  assertEquals(await one.use(["/a", "/b"], nameOf), "/a,/b");
  await connections[Symbol.asyncDispose]();
  assertEquals(said, ["open /a,/b", "close /a,/b", "close base"]);
});

Deno.test("each of several connections has a host of its own, and the first one closes last", async () => {
  const { said, nameOf, connections } = hosts({ single: false });
  assertEquals(await connections.of("1").use(null, nameOf), "all");
  assertEquals(await connections.of("2").use(null, nameOf), "all");
  const ended = connections.of("1");
  connections.end("1");
  connections.end("unknown");
  await assertRejects(() => ended.use(null, nameOf), Error, "ended");
  await connections[Symbol.asyncDispose]();
  assertEquals(said, ["open all", "open all", "close all", "close all", "close base"]);
});

Deno.test("of many roots the latest keep their hosts, and none closes under a call", async () => {
  const { said, nameOf, connections } = hosts({ single: false });
  const one = connections.of("1");
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = one.use(["/0"], () => promise);
  for (let at = 1; at <= 5; at++) await one.use([`/${at}`], nameOf);
  assertEquals(said.filter((line) => line.startsWith("close")), ["close /1"]);
  resolve();
  await running;
  assertEquals(said.filter((line) => line.startsWith("close")), ["close /1", "close /0"]);
  await connections[Symbol.asyncDispose]();
});

Deno.test("ArtifactResources reads the files of its own connection alone, by the very URI that it made", async () => {
  using ws = workspace({ "a b.txt": "mine", "secret.txt": "theirs", "a/b/secret.txt": "mine" });
  const [mine, other] = [new ArtifactResources(), new ArtifactResources()];
  const [path, secret] = [ws.at("a b.txt"), ws.at("secret.txt")];
  const [resource] = mine.add([{ name: "a b.txt", path, bytes: 4 }]);
  const [foreign] = other.add([{ name: "secret.txt", path: secret, bytes: 6 }]);
  const uri = resource!.uri;
  assertEquals(await mine.read(uri), { uri, mimeType: "text/plain", text: "mine" });
  const tricks = [
    ...[foreign!.uri, `file://${secret}`, secret, `${uri}/../secret.txt`, `${uri}?x`, `${uri}#`],
    ...["secret.txt", "..%2fsecret.txt"].map((name) => uri.replace("a%20b.txt", name)),
    ...[uri.toUpperCase(), "bulkhead://artifact/", "", "__proto__"],
  ];
  for (const trick of tricks) assertEquals(await mine.read(trick), null, trick);
  // What became a link since is no file of the call.
  Deno.removeSync(path);
  Deno.symlinkSync(secret, path);
  assertEquals(await mine.read(uri), null);
  // Nor is what a folder leads to that became a link.
  const [deep] = mine.add([{ name: "secret.txt", path: ws.at("a/b/secret.txt"), bytes: 4 }]);
  assert(await mine.read(deep!.uri) !== null);
  Deno.renameSync(ws.at("a"), ws.at("c"));
  Deno.mkdirSync(ws.at("a"));
  Deno.symlinkSync(ws.path, ws.at("a/b"));
  assertEquals(await mine.read(deep!.uri), null);
});

Deno.test("ArtifactResources tells one file once, and gives bytes as base64", async () => {
  using ws = workspace({ "a.png": new Uint8Array([0, 255]) });
  const resources = new ArtifactResources();
  const artifact = { name: "a.png", path: ws.at("a.png"), bytes: 2 };
  const [[first], [again]] = [resources.add([artifact]), resources.add([artifact])];
  assertEquals([again!.uri, resources.list().length], [first!.uri, 1]);
  const content = await resources.read(first!.uri);
  assert(content !== null && "blob" in content);
  assertEquals([content.blob, content.mimeType], ["AP8=", "image/png"]);
});
