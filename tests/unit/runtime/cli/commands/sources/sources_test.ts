import { assertEquals, assertRejects } from "@std/assert";

import type { Options } from "../../../../../../runtime/cli/args/options/option_table.ts";
import { sourcesCommand } from "../../../../../../runtime/cli/commands/sources/sources.ts";
import type { Io } from "../../../../../../runtime/cli/io/io.ts";
import { openSession } from "../../../../../../runtime/state/sessions/open_session.ts";
import { tracePath } from "../../../../../../runtime/state/sessions/session_folder.ts";
import { diskSession } from "../../../../../../runtime/state/tool_state.ts";
import { ToolError } from "../../../../../../schemas/error.ts";
import { entryOf } from "../../../../../support/manifest_entry.ts";
import { workspace } from "../../../../../support/run_tool.ts";
import { runLine } from "../../../../../support/trace_scene.ts";

const TOOLS = [
  entryOf("one/find", { keeps_sources: "book" }),
  entryOf("one/open", { keeps_sources: "book" }),
];

async function printed(folder: string, words: string[], options: Options = {}) {
  const said = { out: "", err: "" };
  const write = (stream: keyof typeof said) => (bytes: Uint8Array) =>
    Promise.resolve(void (said[stream] += new TextDecoder().decode(bytes)));
  const io = {
    cwd: () => "/ws",
    env: (name: string) => name === "XDG_STATE_HOME" ? folder : undefined,
    manifest: () => Promise.resolve({ tools: TOOLS }),
    stdout: write("out"),
    stderr: write("err"),
  } as unknown as Io;
  assertEquals(await sourcesCommand({ command: "sources", positionals: words, options }, io), 0);
  return said;
}

async function makeSession(
  folder: string,
  id: string,
  { at, titles }: { at: number; titles: readonly string[] },
): Promise<void> {
  const state = `${folder}/bulkhead`;
  const now = new Date();
  using session = await openSession(state, { id, workspace: "/ws", redact: (text) => text, now });
  session.trace.write(runLine({ workspace: "/ws" }));
  const sources = titles.map((title, index) => ({
    ...{ number: index + 1, title, url: `https://${index}.example/`, snippet: "", charCount: 0 },
  }));
  if (titles.length > 0) await diskSession(`${state}/sessions/${id}`).set("one", "book", { sources });
  const time = new Date(Date.UTC(2025, 0, 1, 0, 0, at));
  Deno.utimeSync(tracePath(state, id), time, time);
}

Deno.test("sources prints the book of the newest session of the workspace that has one, or of the one that is named", async () => {
  using ws = workspace();
  await makeSession(ws.path, "older-1", { at: 1, titles: ["A"] });
  await makeSession(ws.path, "newer-2", { at: 2, titles: ["B", "C"] });
  await makeSession(ws.path, "empty-3", { at: 3, titles: [] });
  assertEquals((await printed(ws.path, [])).out, "[1] B - https://0.example/\n[2] C - https://1.example/\n");
  assertEquals((await printed(ws.path, ["old"])).out, "[1] A - https://0.example/\n");
  assertEquals(JSON.parse((await printed(ws.path, [], { json: true })).out).session, "newer-2");
  assertEquals((await printed(ws.path, [], { as: "bibtex" })).out.match(/^@misc/gm)?.length, 2);
  assertEquals(await printed(ws.path, ["empty-3"]), {
    out: "",
    err: "bulkhead: session empty-3 has no sources\n",
  });
  await assertRejects(() => printed(ws.path, [], { workspace: "/other" }), ToolError, "has sources");
  for (const id of ["none", "../empty-3", "../../x"]) {
    await assertRejects(() => printed(ws.path, [id]), ToolError);
  }
});

Deno.test("sources finds the session of single calls, which has no trace", async () => {
  using ws = workspace();
  const folder = `${ws.path}/bulkhead/sessions/kettles`;
  Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const sources = [{ number: 1, title: "K", url: "https://k.example/", snippet: "", charCount: 0 }];
  await diskSession(folder).set("one", "book", { sources });
  for (const id of ["kettles", "ket"]) {
    assertEquals((await printed(ws.path, [id])).out, "[1] K - https://k.example/\n");
  }
  Deno.mkdirSync(`${ws.path}/bulkhead/sessions/ketchup`, { mode: 0o700 });
  await assertRejects(() => printed(ws.path, ["ket"]), ToolError, "no session");
});
