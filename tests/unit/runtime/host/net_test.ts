import { assert, assertEquals, assertNotEquals, assertRejects, assertStringIncludes } from "@std/assert";

import { callTool } from "../../../../runtime/calls/call_tool.ts";
import { findTool } from "../../../../runtime/calls/catalog/find_tool.ts";
import { gateSecrets } from "../../../../runtime/host/net/gate_secrets.ts";
import {
  bypassesProxies,
  readAuthorities,
  readProxies,
} from "../../../../runtime/host/net/gate_surroundings.ts";
import { type OpenPort, takePort } from "../../../../runtime/host/net/loopback_network.ts";
import { makeProgramNetwork } from "../../../../runtime/host/net/program_network.ts";
import { makeRunGate, type RunGate } from "../../../../runtime/host/net/run_gate.ts";
import { openHost } from "../../../../runtime/host/open_host.ts";
import { runnerSettings } from "../../../../runtime/host/runner_settings.ts";
import { exists } from "../../../../runtime/walls/files/file_facts.ts";
import { type GrantFlags, makeGrants } from "../../../../runtime/walls/grants/make_grants.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { until } from "../../../support/cli/processes.ts";
import { entryOf } from "../../../support/manifest_entry.ts";
import { testServer } from "../../../support/net/gate_scene.ts";
import { workspace } from "../../../support/run_tool.ts";
import type { Manifest } from "../../../../schemas/manifest.ts";
import type { Connection } from "../../../../schemas/net.ts";

const PURE = { permissions: "none" } as const;

const RULES = { allow: ["public"], deny: [], private: [] };
const KEY = { name: "TEST_KEY", hosts: ["a.example:443"] };

Deno.test("each tool has one door of its own, and is told its keys by name", async () => {
  await using gate = makeRunGate({ env: { TEST_KEY: "value" }, warn() {} });
  const [one, other] = [entryOf("a/one", { secrets: [KEY] }), entryOf("a/other")];
  const doors = await Promise.all([one, one, other].map((tool) => gate.toolDoor(tool, RULES)));
  assertEquals(doors.map(({ path }) => path === doors[0]!.path), [true, true, false]);
  assertEquals([one, other].map(gate.keysOf), [["TEST_KEY"], []]);
});

Deno.test("a tool whose door is gone gets another one", async () => {
  await using gate = makeRunGate({ env: {}, warn() {} });
  const tool = entryOf("a/one");
  const door = await gate.toolDoor(tool, RULES);
  await door.close();
  const next = await gate.toolDoor(tool, RULES);
  assertNotEquals(next.path, door.path);
  assertEquals(next.isOpen, true);
});

const MAIN = new URL("../../../../main.ts", import.meta.url).href;
const manifest = JSON.parse(
  Deno.readTextFileSync(new URL("../../../../tools/manifest.json", import.meta.url)),
) as Manifest;

Deno.test("a gate that dies in the middle of downloads fails them, and the next calls have another", async () => {
  let hung = 0;
  await using server = testServer(({ url }) => {
    if (!url.includes("/endless")) return new Response("fine", { headers: { "content-type": "text/plain" } });
    hung++;
    return new Response(new ReadableStream({ start: (control) => control.enqueue(new Uint8Array(10)) }));
  });
  using ws = workspace();
  const env = { ...Deno.env.toObject(), XDG_STATE_HOME: ws.at(".state") };
  const options = { workspace: ws.path, sandbox: "off", env, config: false } as const;
  let folder = "";
  {
    const settings = runnerSettings({ ...options, allowPrivateNet: [server.host] }, manifest, MAIN);
    await using host = openHost(settings, { manifest });
    const fetch = (path: string) =>
      callTool(findTool(host.catalog, "harness/WebFetch"), { url: server.url + path }, { machine: host });
    const downloads = [fetch("/endless/1"), fetch("/endless/2")];
    await until("the requests", () => hung >= 2);
    folder = await host.gate.folder();
    await host.gate.kill();
    for (const { ok, error } of await Promise.all(downloads)) {
      assertEquals([ok, error?.code], [false, "external_failure"]);
    }
    const { ok, text } = await fetch("/page");
    assert(ok, text);
    assertStringIncludes(text, "fine");
  }
  assertEquals(exists(folder), false);
});

Deno.test("gateSecrets() gives a key to its service, and to the user's own address of it", PURE, () => {
  const keys = [
    { name: "A_KEY", hosts: ["a.example:443"], baseUrl: "A_URL" },
    { name: "B_KEY", hosts: ["b.example:443"] },
    { name: "C_KEY", hosts: ["c.example:443"] },
  ];
  const hosts = (env: Record<string, string>) =>
    gateSecrets(keys, env).map(({ name, hosts }) => [name, ...hosts]);
  assertEquals(hosts({ A_KEY: " one ", B_KEY: "two", C_KEY: " " }), [
    ["A_KEY", "a.example:443"],
    ["B_KEY", "b.example:443"],
  ]);
  assertEquals(hosts({ A_KEY: "one", A_URL: "http://127.0.0.1:8080/v1" }), [
    ["A_KEY", "a.example:443", "127.0.0.1:8080"],
  ]);
  assertEquals(hosts({ A_KEY: "one", A_URL: "nonsense" }), [["A_KEY", "a.example:443"]]);
  const [key] = gateSecrets(keys, { A_KEY: " s3cret-k3y " });
  assertEquals(key?.value, "s3cret-k3y");
  // An answer may repeat it so.
  for (const form of ["s3cret-k3y", btoa("s3cret-k3y").slice(0, 13), "y3k-terc3s"]) {
    assertEquals(key?.forms.includes(form), true, form);
  }
});

Deno.test("readProxies() reads the variables as curl does", PURE, () => {
  assertEquals(readProxies({}), { http: null, https: null, direct: [] });
  assertEquals(
    readProxies({ HTTPS_PROXY: "a:1", https_proxy: "b:2", ALL_PROXY: "c:3", no_proxy: " x , .y z" }),
    { http: "c:3", https: "b:2", direct: ["x", ".y", "z"] },
  );
  assertEquals([bypassesProxies({ NO_PROXY: "" }), bypassesProxies({ NO_PROXY: "x" })], [false, true]);
});

Deno.test("readAuthorities() reads each file once, and tells of one that it cannot read", () => {
  using ws = workspace({ "ca.pem": "PEM" });
  const warnings: string[] = [];
  const read = readAuthorities({
    SSL_CERT_FILE: `${ws.path}/ca.pem`,
    NODE_EXTRA_CA_CERTS: `${ws.path}/ca.pem`,
    DENO_CERT: `${ws.path}/missing.pem`,
  }, (message) => warnings.push(message));
  assertEquals(read, ["PEM"]);
  assertEquals(warnings.length, 1);
  assertStringIncludes(warnings[0]!, "DENO_CERT");
});

const SHOP_RULES = { allow: ["shop.example"], deny: [], private: [] };
const connection: Connection = {
  ...{ who: "curl", host: "shop.example", port: 443, address: null, decision: "allowed" },
  ...{ rule: "shop.example", sentBytes: 1, receivedBytes: 1 },
};

Deno.test("takePort() gives one program a port that leads to the gate, and closes it with the program", async () => {
  const asked: unknown[] = [];
  let isOpen = true;
  const open: OpenPort = (...given) => {
    asked.push(given);
    return Promise.resolve({
      loopback: 4711,
      get isOpen() {
        return isOpen;
      },
      take: (call) => Promise.resolve(call === null ? [connection] : []),
      close() {
        isOpen = false;
        return Promise.resolve([{ ...connection, host: "late.example" }]);
      },
    });
  };
  const way = await takePort(open, "curl", SHOP_RULES);
  assertEquals(asked, [["curl", SHOP_RULES]]);
  assertEquals([way.pid, way.port, way.isWhole], [null, 4711, true]);
  assertEquals(await way.connections(), [connection]);
  const { code } = await assertRejects(() => way.admit("a:1", { until: Promise.resolve() }), ToolError);
  assertEquals(code, "unavailable");
  const { connections, isWhole } = await way.end({ clean: true });
  assertEquals([connections.map(({ host }) => host), isWhole, isOpen], [["late.example"], true, false]);
  assertEquals(way.isWhole, false);
});

Deno.test("takePort() closes a door without a port", async () => {
  let closed = 0;
  const open: OpenPort = () =>
    Promise.resolve({
      isOpen: true,
      take: () => Promise.resolve([]),
      close: () => (closed++, Promise.resolve([])),
    });
  const told = "The gate has no port on this machine";
  await assertRejects(() => takePort(open, "curl", SHOP_RULES), ToolError, told);
  assertEquals(closed, 1);
});

/** The network of a run on a Mac with this gate. */
function networkOf(gate: RunGate, flags: GrantFlags) {
  const place = { workspace: "/tmp", cwd: "/tmp", realPath: (path: string) => path };
  return makeProgramNetwork({
    grants: makeGrants(flags, place),
    box: { state: () => Promise.resolve({ works: true, bwrap: null }), isUsed: () => Promise.resolve(true) },
    gate,
    self: { argv: ["/opt/bulkhead"], env: {}, files: [] },
    find: () => null,
  });
}

/** Such a network whose gate is none, and what that was asked for. */
function macNetwork() {
  const asked: unknown[] = [];
  const stood = Promise.withResolvers<void>();
  const gate = {
    door(request: unknown) {
      asked.push(request);
      return Promise.resolve({ loopback: 4711, isOpen: true, close: () => Promise.resolve([]) });
    },
    stand: (lasting: boolean) => (asked.push(["stand", lasting]), stood.resolve(), stood.promise),
    folder: () => Promise.reject(new Error("no bridge was asked for")),
  } as unknown as RunGate;
  const network = networkOf(gate, { allow: { net: ["shop.example"] }, deny: { net: ["bad.example"] } });
  return { asked, network, stood: stood.promise };
}

Deno.test("on macOS a program gets a port of the gate, under the rules of programs or its own", async () => {
  const { asked, network } = macNetwork();
  const way = await network.take("curl");
  assertEquals([way.pid, way.port], [null, 4711]);
  const rules = { allow: ["own.example"], deny: [], private: [] };
  await network.take("node", rules);
  const door = { secrets: [], form: "proxy", listens: "loopback" };
  assertEquals(asked, [
    { who: "curl", rules: { allow: ["shop.example"], deny: ["bad.example"], private: [] }, ...door },
    { who: "node", rules, ...door },
  ]);
  await network.end();
});

Deno.test("on macOS no programs share a network, and only the gate is made ready", async () => {
  const { asked, network, stood } = macNetwork();
  const { code, message } = await assertRejects(() => network.takeClosed(), ToolError);
  const told = "A program behind these walls has no network of its own: that takes bubblewrap";
  assertEquals([code, message], ["unavailable", told]);
  network.expect();
  await stood;
  assertEquals(asked, [["stand", false]]);
});

Deno.test("on macOS the port of a program leads to granted hosts alone, and is shut at its end", async () => {
  await using server = testServer(() => new Response("tea"));
  const granted = server.host;
  await using gate = makeRunGate({ env: {}, warn() {} });
  const way = await networkOf(gate, { allowPrivateNet: [granted] }).take("curl");
  const ask = async (target: string) => {
    using conn = await Deno.connect({ hostname: "127.0.0.1", port: way.port! });
    await conn.write(new TextEncoder().encode(`CONNECT ${target} HTTP/1.1\r\n\r\n`));
    const buffer = new Uint8Array(64);
    const read = await conn.read(buffer) ?? 0;
    return new TextDecoder().decode(buffer.subarray(0, read)).slice(0, 12);
  };
  assertEquals([await ask(granted), await ask("127.0.0.1:1")], ["HTTP/1.1 200", "HTTP/1.1 403"]);
  const { connections } = await way.end({ clean: true });
  const decisions = connections.map(({ who, decision }) => `${who} ${decision}`);
  assertEquals(decisions.sort(), ["curl allowed", "curl refused"]);
  // Refused, or reset by a port that is just being shut.
  assertEquals(await ask(granted).catch(() => ""), "");
});
