import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";

import { callTool } from "../../../../../runtime/calls/call_tool.ts";
import { findTool } from "../../../../../runtime/calls/catalog/find_tool.ts";
import { makeRunGate } from "../../../../../runtime/host/net/run_gate.ts";
import { openHost } from "../../../../../runtime/host/open_host.ts";
import { runnerSettings } from "../../../../../runtime/host/runner_settings.ts";
import { exists } from "../../../../../runtime/walls/files/file_facts.ts";
import type { Manifest } from "../../../../../schemas/manifest.ts";
import { isAlive, processesNaming, until } from "../../../../support/cli/processes.ts";
import { boxTest } from "../../../../support/box.ts";
import { entryOf } from "../../../../support/manifest_entry.ts";
import { testServer } from "../../../../support/net/gate_scene.ts";

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

const MAIN = new URL("../../../../../main.ts", import.meta.url).href;
const manifest = JSON.parse(
  Deno.readTextFileSync(new URL("../../../../../tools/manifest.json", import.meta.url)),
) as Manifest;

/** A whole run, and a server whose `/endless/…` sends some bytes and then nothing. */
async function withRun(
  sandbox: "off" | "auto",
  check: (run: {
    url: string;
    call(tool: string, input: unknown): ReturnType<typeof callTool>;
    /** Settles when so many requests hang. */
    hanging(count: number): Promise<void>;
    gate: Pick<ReturnType<typeof openHost>["gate"], "kill" | "folder">;
  }) => Promise<void>,
): Promise<void> {
  let hung = 0;
  await using server = testServer(({ url }) => {
    if (!url.includes("/endless")) return new Response("fine", { headers: { "content-type": "text/plain" } });
    hung++;
    return new Response(new ReadableStream({ start: (control) => control.enqueue(new Uint8Array(10)) }));
  });
  const workspace = Deno.realPathSync(Deno.makeTempDirSync());
  const env = { ...Deno.env.toObject(), XDG_STATE_HOME: `${workspace}/.state` };
  const options = {
    ...{ workspace, sandbox, env },
    config: false,
    allowPrivateNet: [server.host],
  } as const;
  try {
    await using host = openHost(runnerSettings(options, manifest, MAIN), { manifest });
    await check({
      url: server.url,
      call: (tool, input) => callTool(findTool(host.catalog, tool), input, { machine: host }),
      hanging: (count) => until("the requests", () => hung >= count),
      gate: host.gate,
    });
  } finally {
    Deno.removeSync(workspace, { recursive: true });
  }
}

Deno.test("a gate that dies in the middle of downloads fails them, and the next calls have another", async () => {
  let folder = "";
  await withRun("off", async ({ url, call, hanging, gate }) => {
    const downloads = [1, 2, 3].map((n) => call("harness/WebFetch", { url: `${url}/endless/${n}` }));
    await hanging(3);
    folder = await gate.folder();
    await gate.kill();
    for (const { ok, error } of await Promise.all(downloads)) {
      assertEquals([ok, error?.code], [false, "external_failure"]);
    }
    const { ok, text } = await call("harness/WebFetch", { url: `${url}/page` });
    assert(ok, text);
    assertStringIncludes(text, "fine");
  });
  assertEquals(exists(folder), false);
});

boxTest("a gate that dies in the middle of a program's download fails it, and the next goes on", async () => {
  let folder = "";
  await withRun("auto", async ({ url, call, hanging, gate }) => {
    const download = call("harness/Bash", { command: `curl -sS -o part ${url}/endless` });
    await hanging(1);
    folder = await gate.folder();
    await gate.kill();
    const failed = await download;
    assertStringIncludes(failed.warnings.join("\n"), "broke off");
    assertStringIncludes(failed.text, "curl: (");
    assertStringIncludes((await call("harness/Bash", { command: `curl -sS ${url}/page` })).text, "fine");
  });
  await until("the end of its processes", () => !processesNaming(folder).some(isAlive));
  assertEquals(exists(folder), false);
});
