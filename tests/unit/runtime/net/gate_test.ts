import { assert, assertEquals, assertRejects } from "@std/assert";

import { ConnectionList } from "../../../../runtime/net/connection_list.ts";
import { GateFailure } from "../../../../runtime/net/dial/gate_failure.ts";
import { makeGateFolder, removeDeadFolders } from "../../../../runtime/net/gate_folder.ts";
import { makeGate } from "../../../../runtime/net/open_gate.ts";
import { GATE_PREFIX, GATES_PARENT, seenGateFolders } from "../../../../runtime/net/seen_gate_folders.ts";
import { exists } from "../../../../runtime/walls/files/file_facts.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { DIRECT, gateScene, onlyTo, testServer } from "../../../support/net/gate_scene.ts";

const DOOR = { who: "test/tool", rules: onlyTo(), secrets: [], form: "request" } as const;

Deno.test("the gate carries a request to a server and the answer back, and tells of it", async () => {
  await using server = testServer(async (request) => {
    const seen = [...request.headers.keys()].filter((name) => name.startsWith("x-gate"));
    const said = [request.method, new URL(request.url).search, await request.text()];
    const text = [...said, request.headers.get("x-own"), seen].join(" ");
    return new Response(text, { headers: { "x-answer": "yes" } });
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
  const at = { host: "127.0.0.1", port: server.port, address: "127.0.0.1" };
  assertEquals(told, { who: "test/tool", ...at, decision: "allowed", rule: server.host });
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
  const wanted = ["refused", `--allow-private-net=${server.host}`, 0];
  assertEquals([connection?.decision, connection?.flag, connection?.receivedBytes], wanted);
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
  const again = await scene.gate.door({ ...DOOR, rules: onlyTo(server.host) });
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

/** Gates that answer some of what they are told, at once; and how many were started. */
function fakeGates(answers: (told: { t: string; door: { id: number } }) => unknown) {
  const told = { started: 0 };
  const start = () => {
    told.started++;
    const worker = Object.assign(new EventTarget(), {
      terminate() {},
      postMessage(data: { t: string; door: { id: number } }) {
        const answer = answers(data);
        const event = new MessageEvent("message", { data: answer });
        if (answer) queueMicrotask(() => (worker.onmessage?.(event), worker.dispatchEvent(event)));
      },
      onmessage: null as ((event: MessageEvent) => void) | null,
    });
    return worker as unknown as Worker;
  };
  return { told, start };
}

Deno.test("a gate that stands has a second one, so that the next door starts none", async () => {
  const { told, start } = fakeGates(({ t, door }) =>
    t === "open" ? { t: "ready" } : { t: "opened", id: door.id }
  );
  const gate = makeGate({ upstream: DIRECT, start });
  await gate.stand(true);
  assertEquals([(await gate.door(DOOR)).isOpen, told.started], [true, 2]);
  await gate.kill();
  assertEquals([(await gate.door(DOOR)).isOpen, told.started], [true, 2]);
  await gate.kill();
  await gate[Symbol.asyncDispose]();
});

Deno.test("a gate that does not answer any more is ended, and the next door works", async () => {
  const { told, start } = fakeGates(({ t, door }) =>
    t === "open" ? { t: "ready" } : t === "door" && door.id === 1 ? { t: "opened", id: 1 } : null
  );
  const gate = makeGate({ upstream: DIRECT, start, answerMs: 50 });
  const door = await gate.door(DOOR);
  assertEquals([door.isOpen, await door.take("c1"), door.isOpen, await door.close()], [true, [], false, []]);
  assertEquals((await assertRejects(() => gate.door(DOOR), ToolError)).code, "external_failure");
  assertEquals(told.started, 2);
  await gate[Symbol.asyncDispose]();
});

const netless = { permissions: { net: ["a.example"], read: true, write: true } };
Deno.test("no gate stands without the whole network, and the flag is named", netless, async () => {
  const gate = makeGate({ upstream: DIRECT });
  const { code, details } = await assertRejects(() => gate.door(DOOR), ToolError, "without --allow-net");
  assertEquals([code, details?.flag], ["permission_denied", "--allow-net"]);
  await gate[Symbol.asyncDispose]();
});

Deno.test("no number of connections hides one", () => {
  const list = new ConnectionList();
  const first = list.begin("sh", { host: "shop.example", port: 80 }, null);
  first.counts.sentBytes = 5_000;
  first.end();
  const open = list.begin("sh", { host: "open.example", port: 80 }, null);
  for (let n = 0; n < 5_000; n++) {
    list.begin("sh", { host: `n${n}.example`, port: 80 }, null).end(new GateFailure("outside", "no"));
  }
  open.counts.sentBytes = 7;
  const told = list.take(null);
  const allowed = told.filter(({ decision }) => decision === "allowed");
  const sent = allowed.map(({ host, sentBytes }) => [host, sentBytes]);
  assertEquals(sent, [["shop.example", 5_000], ["open.example", 7]]);
  assertEquals(told.reduce((sum, { count = 1 }) => sum + count, 0), 5_002);
  assertEquals(told.length < 1_100, true);
});

Deno.test("what a connection carries after it was told is told the next time", () => {
  const list = new ConnectionList();
  const trace = list.begin("sh", { host: "shop.example", port: 80 }, null);
  trace.counts.sentBytes = 3;
  const bytes = () => list.take(null).map(({ sentBytes, count }) => [sentBytes, count]);
  assertEquals(bytes(), [[3, undefined]]);
  assertEquals(bytes(), []);
  trace.counts.sentBytes += 4;
  assertEquals(bytes(), [[4, 0]]);
  trace.counts.sentBytes += 5;
  trace.end(new GateFailure("server_name", "another name"));
  assertEquals(list.rest().map(({ sentBytes, count, decision }) => [sentBytes, count, decision]), [
    [5, 1, "refused"],
  ]);
  assertEquals(bytes(), [[5, 1]]);
  assertEquals(list.take(null), []);
});

Deno.test("the connections of a call go with it, also those that are open", () => {
  const list = new ConnectionList();
  list.begin("par/fetch_url", { host: "shop.example", port: 80 }, "c1");
  list.begin("par/fetch_url", { host: "shop.example", port: 80 }, "c2");
  assertEquals(list.take("c1").length, 1);
  assertEquals(list.take("c1").length, 0);
  assertEquals(list.rest().length, 1);
});

const OWNER_URL = new URL("../../../../runtime/walls/owned/owner_lock.ts", import.meta.url).href;

/** Owns a folder in a process that is killed then. */
async function ownAndDie(folder: string): Promise<void> {
  const code = `import { ownFile } from ${JSON.stringify(OWNER_URL)};
    ownFile(${JSON.stringify(`${folder}/owner`)});
    console.log("up"); await new Promise(() => setInterval(() => {}, 1000));`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--quiet", "--no-check", code],
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  await removeDeadFolders();
  assert(exists(folder), "it was removed while its owner lived");
  child.kill("SIGKILL");
  await reader.cancel();
  await child.status;
}

Deno.test("removeDeadFolders() removes what a killed run left, and nothing whose owner lives", async () => {
  const left = () => Deno.makeTempDirSync({ dir: GATES_PARENT, prefix: GATE_PREFIX });
  const [dead, empty] = [left(), left()];
  const own = await makeGateFolder();
  await ownAndDie(dead);
  await removeDeadFolders();
  // What is old or answers nobody is not dead for that.
  Deno.utimeSync(own.path, 0, 0);
  await removeDeadFolders();
  assertEquals([dead, empty, own.path].map(exists), [false, false, true]);
  own.close();
  await removeDeadFolders();
  assertEquals(exists(own.path), false);
});

Deno.test("who begins beside two that tidy up loses nothing", async () => {
  let isOver = false;
  const sweep = async () => {
    while (!isOver) await removeDeadFolders();
  };
  const sweepers = [sweep(), sweep()];
  const lost: string[] = [];
  for (let start = 0; start < 300; start++) {
    const folder = await makeGateFolder();
    await Deno.writeTextFile(`${folder.path}/1`, "").catch(() => lost.push(folder.path));
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (!exists(`${folder.path}/1`)) lost.push(folder.path);
    await Deno.remove(folder.path, { recursive: true }).catch(() => {});
    folder.close();
  }
  isOver = true;
  await Promise.all(sweepers);
  assertEquals(lost, []);
});

Deno.test("the gates of all runs are among what programs must not see, where they could", async () => {
  await using gate = makeGate({ upstream: DIRECT });
  const folder = await gate.folder();
  const isSeen = (read: true | string[], sandboxShow: string[] = []) =>
    seenGateFolders({ allow: { read, write: [], net: [], run: [] }, sandboxShow }).includes(folder);
  assertEquals([isSeen(["/home/me"]), isSeen(["/tmp/shop"], ["/srv"])], [false, false]);
  const wanted = [true, true, true, true];
  assertEquals([isSeen(true), isSeen(["/tmp"]), isSeen(["/"]), isSeen([], ["/tmp"])], wanted);
});
