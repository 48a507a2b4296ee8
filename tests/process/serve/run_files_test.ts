import { assertEquals, assertStringIncludes } from "@std/assert";

import { scriptedModel, type ScriptedRequest, type ScriptedTurn } from "../../support/scripted_model.ts";
import { makeScene } from "../../support/cli/scene.ts";
import { readEvents, serveProgram } from "../../support/cli/serve/served.ts";

const SECRET = "sk-live0123456789abcdefABCDEF";

/** Writes a file below a folder; the second time, it waits then. */
function script({ body }: ScriptedRequest): ScriptedTurn {
  const messages = body.messages as { role: string; content: unknown }[];
  const isWritten = messages.at(-1)!.role === "tool";
  const waits = JSON.stringify(messages.findLast(({ role }) => role === "user")).includes("wait");
  if (isWritten && !waits) return { text: "It is <b>written</b>." };
  if (waits) return { tool_calls: [{ name: "Bash", arguments: { command: "sleep 300" } }] };
  return { tool_calls: [{ name: "Write", arguments: { path: "n/é.html", content: `<script>${SECRET}\n` } }] };
}

Deno.test("a run's files are told and given over HTTP, exported, and taken back unless it is at work", async () => {
  await using model = scriptedModel(script);
  using scene = makeScene({ "ws/old.txt": "old\n" });
  const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-of-the-tests", OPENAI_MODEL: "small" };
  // Without a sandbox, programs need a word.
  await using server = await serveProgram(scene, { env, flags: ["--allow-run"] });
  const { id } = await server.json("/runs", { prompt: "write" });
  await server.until(id, "completed");
  const at = (path: string) => `/runs/${id}/${path}`;
  const row = { path: "n/é.html", status: "added", added: 1, removed: 0 };
  assertEquals(await server.json(at("files")), { changed: [row], artifacts: [] });
  assertEquals(await server.json(at("sources")), { sources: [] });

  const file = await server.ask(at("changed/n/%C3%A9.html"));
  assertEquals([file.status, file.headers.get("content-type")], [200, "application/octet-stream"]);
  assertStringIncludes(file.headers.get("content-disposition") ?? "", "attachment");
  assertStringIncludes(file.headers.get("content-security-policy") ?? "", "sandbox; default-src 'none'");
  assertEquals(await file.text(), `<script>${SECRET}\n`);
  for (
    const path of ["changed/old.txt", "changed/..%2fold.txt", "files/trace.jsonl", "files/..%2ftrace.jsonl"]
  ) {
    const refused = await server.ask(at(path));
    assertEquals([refused.ok, (await refused.text()).includes("old\n")], [false, false], path);
  }
  const page = await (await server.ask(at("export"))).text();
  assertStringIncludes(page, "It is &lt;b&gt;written&lt;/b&gt;.");
  assertStringIncludes(page, '<span class="add">+&lt;script&gt;');
  assertEquals([page.includes(SECRET), page.includes("<script")], [false, false]);

  await server.json(at("resume"), { prompt: "wait" });
  await readEvents(
    await server.ask(at("events")),
    ({ type, data }) => type === "tool.start" && JSON.stringify(data).includes("sleep"),
  );
  assertStringIncludes(await (await server.ask(at("diff"))).text(), "+++ b/n/é.html\n");
  const busy = await server.ask(at("undo"), { method: "POST" });
  assertEquals([busy.status, (await busy.json()).error.code], [409, "conflict"]);
  await server.json(at("cancel"), undefined, "POST");
  await server.until(id, "interrupted");
  const { done, refused } = await server.json(at("undo"), undefined, "POST");
  assertEquals([done.map(({ path }: { path: string }) => path), refused], [["n", "n/é.html"], []]);
  assertEquals([scene.exists("ws/n"), scene.read("ws/old.txt")], [false, "old\n"]);
});
