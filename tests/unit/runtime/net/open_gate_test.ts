import { assert, assertEquals, assertRejects } from "@std/assert";

import { removeDeadFolders } from "../../../../runtime/net/gate_folder.ts";
import { makeGate } from "../../../../runtime/net/open_gate.ts";
import { exists } from "../../../../runtime/walls/files/file_facts.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { DIRECT, gateScene, onlyTo, testServer } from "../../../support/net/gate_scene.ts";

const DOOR = { who: "test/tool", rules: onlyTo(), secrets: [], form: "request" } as const;

Deno.test("the gate carries a request to a server and the answer back, and tells of it", async () => {
  await using server = testServer(async (request) => {
    const seen = [...request.headers.keys()].filter((name) => name.startsWith("x-gate"));
    return new Response(
      `${request.method} ${new URL(request.url).search} ${await request.text()} ${
        request.headers.get("x-own")
      } ${seen}`,
      { headers: { "x-answer": "yes" } },
    );
  });
  await using scene = await gateScene({ rules: onlyTo(server.host) });
  const request = { method: "POST", body: "body", headers: { "x-own": "mine" } } as const;
  const answer = await scene.ask(`${server.url}/page?q=1#part`, request);
  assert("status" in answer, String(answer));
  assertEquals(new TextDecoder().decode(answer.body), "POST ?q=1 body mine ");
  assertEquals([answer.status, answer.headers["x-answer"], answer.truncated], [200, "yes", false]);
  const [connection, ...others] = await scene.door.take("c1");
  assertEquals(others, []);
  const { sentBytes = 0, receivedBytes = 0, ...told } = connection ?? {};
  assertEquals(told, {
    who: "test/tool",
    host: "127.0.0.1",
    port: server.port,
    address: "127.0.0.1",
    decision: "allowed",
    rule: server.host,
  });
  assert(sentBytes > 50 && receivedBytes > 50, `${sentBytes} ${receivedBytes}`);
  assertEquals(await scene.door.take("c1"), []);
});

Deno.test("the gate refuses what the rules do, names the flag, and tells of it", async () => {
  await using server = testServer(() => new Response("reached"));
  await using scene = await gateScene();
  const error = await scene.ask(server.url);
  assert("code" in error);
  assertEquals(error.code, "permission_denied");
  assertEquals(error.details.flag, `--allow-private-net=${server.host}`);
  assertEquals(await scene.say("http://user:word@example.com/"), "invalid_input scheme");
  assertEquals(await scene.say("file:///etc/passwd"), "invalid_input scheme");
  const [connection] = await scene.door.take("c1");
  assertEquals([connection?.decision, connection?.flag, connection?.receivedBytes], [
    "refused",
    `--allow-private-net=${server.host}`,
    0,
  ]);
});

Deno.test("a gate that ends fails its requests, and the next door works", async () => {
  const asked = Promise.withResolvers<void>();
  await using server = testServer(() => {
    asked.resolve();
    return new Response(new ReadableStream({ start: (control) => control.enqueue(new Uint8Array(10)) }));
  });
  await using scene = await gateScene({ rules: onlyTo(server.host) });
  await scene.gate.stand(true);
  const hanging = scene.say(server.url, { retries: 0 });
  await asked.promise;
  await scene.gate.kill();
  assertEquals(await hanging, "external_failure");
  assertEquals([scene.door.isOpen, await scene.door.take("c1")], [false, []]);
  const again = await scene.gate.door({
    ...{ who: "test/tool", secrets: [], form: "request" },
    rules: onlyTo(server.host),
  });
  assert(again.isOpen && again.path !== scene.door.path);
});

Deno.test("the folder of a run stays while it lives, also between two gates", async () => {
  const gate = makeGate({ upstream: DIRECT });
  const folder = await gate.folder();
  const look = async () => {
    const before = Date.now() / 1_000 - 90;
    Deno.utimeSync(folder, before, before);
    await removeDeadFolders();
    return Deno.statSync(folder).ino;
  };
  const made = await look();
  await (await gate.door(DOOR)).close();
  await gate.kill();
  assertEquals(await look(), made);
  const door = await gate.door(DOOR);
  assert(exists(door.path) && door.path.startsWith(folder));
  assertEquals([await look(), Deno.statSync(folder).mode! & 0o777], [made, 0o700]);
  await gate[Symbol.asyncDispose]();
  assertEquals(exists(folder), false);
});

Deno.test("a gate that stands has a second one, so that the next door starts none", async () => {
  let started = 0;
  const start = () => {
    started++;
    const text = "self.onmessage = ({ data: { t, door } }) => " +
      "self.postMessage(t === 'open' ? { t: 'ready' } : { t: 'opened', id: door.id });";
    return new Worker(`data:text/javascript,${encodeURIComponent(text)}`, { type: "module" });
  };
  const gate = makeGate({ upstream: DIRECT, start });
  await gate.stand(true);
  assertEquals([(await gate.door(DOOR)).isOpen, started], [true, 2]);
  await gate.kill();
  assertEquals([(await gate.door(DOOR)).isOpen, started], [true, 2]);
  await gate.kill();
  await gate[Symbol.asyncDispose]();
});

Deno.test("a gate that does not answer any more is ended, and the next door works", async () => {
  const started: Worker[] = [];
  const deaf = () => {
    const text =
      "self.onmessage = ({ data: { t, door } }) => { if (t === 'open') self.postMessage({ t: 'ready' }); " +
      "if (t === 'door' && door.id === 1) self.postMessage({ t: 'opened', id: 1 }); }";
    const worker = new Worker(`data:text/javascript,${encodeURIComponent(text)}`, { type: "module" });
    started.push(worker);
    return worker;
  };
  const gate = makeGate({ upstream: DIRECT, start: deaf, answerMs: 50 });
  const door = await gate.door(DOOR);
  assertEquals([door.isOpen, await door.take("c1"), door.isOpen, await door.close()], [true, [], false, []]);
  assertEquals((await assertRejects(() => gate.door(DOOR), ToolError)).code, "external_failure");
  assertEquals(started.length, 2);
  await gate[Symbol.asyncDispose]();
});

Deno.test("a gate leaves nothing behind", async () => {
  const scene = await gateScene();
  const folder = scene.door.path.replace(/\/[^/]*$/, "");
  assertEquals(Deno.statSync(folder).mode! & 0o777, 0o700);
  await scene[Symbol.asyncDispose]();
  assertEquals([...Deno.readDirSync("/tmp")].some(({ name }) => `/tmp/${name}` === folder), false);
});

for (const net of [false, ["a.example"]]) {
  Deno.test(`no gate stands with net ${JSON.stringify(net)}, and the flag is named`, {
    permissions: { net, read: true, write: true },
  }, async () => {
    const gate = makeGate({ upstream: DIRECT });
    const { code, details } = await assertRejects(() => gate.door(DOOR), ToolError, "without --allow-net");
    assertEquals([code, details?.flag], ["permission_denied", "--allow-net"]);
    await gate[Symbol.asyncDispose]();
  });
}
