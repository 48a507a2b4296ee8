import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path";

import { certificates } from "../../support/net/certificates.ts";
import { scriptedModel, type ScriptedRequest, type ScriptedTurn } from "../../support/scripted_model.ts";
import { descendants, isAlive, until } from "../../support/cli/processes.ts";
import { makeScene, parseLines } from "../../support/cli/scene.ts";
import { type Json, readEvents, serveProgram, TOKEN } from "../../support/cli/serve/served.ts";

/** Without a sandbox, programs need a word. */
const PROGRAMS = ["--allow-run"];
const DONE = { text: "It is written." };

/** Writes a file, or does what the prompt says. */
function script({ body }: ScriptedRequest): ScriptedTurn {
  const messages = body.messages as { role: string; content: unknown }[];
  if (messages.at(-1)!.role === "tool") return DONE;
  const said = JSON.stringify(messages.findLast(({ role }) => role === "user")?.content);
  if (said.includes("ask")) {
    return { tool_calls: [{ name: "AskUser", arguments: { question: "Which colour?" } }] };
  }
  if (said.includes("wait")) return { tool_calls: [{ name: "Bash", arguments: { command: "sleep 300" } }] };
  return { tool_calls: [{ name: "Write", arguments: { path: "made.txt", content: "made\n" } }] };
}

function modelEnv(url: string) {
  return { OPENAI_BASE_URL: url, OPENAI_API_KEY: "sk-of-the-tests", OPENAI_MODEL: "small" };
}

Deno.test("serve answers calls and batches inside what was granted, and tells how to reach it", async () => {
  using scene = makeScene({ "ws/a.txt": "apple\n", "other/b.txt": "berry\n" });
  await using server = await serveProgram(scene, { flags: ["--policy", "read-only"] });
  const read = await server.json("/tools/Read", { arguments: { path: "a.txt" } });
  assertEquals([read.ok, read.text.includes("apple")], [true, true]);
  const written = await server.json("/tools/harness/Write", { arguments: { path: "new.txt", content: "x" } });
  assertEquals([written.error.code, scene.exists("ws/new.txt")], ["permission_denied", false]);
  const calls = [{ id: "r", tool: "Read", arguments: { path: "a.txt" } }, { tool: "Nothing" }];
  const lines = parseLines(await (await server.ask("/batch", { body: { calls } })).text()) as Json[];
  assertEquals(lines.map(({ id, ok }) => [id, ok]), [["r", true], [2, false]]);
  const outside = await server.ask("/tools/Read", {
    body: { arguments: { path: "b.txt" }, workspace: scene.at("other") },
  });
  assertEquals([outside.status, (await outside.json()).error.code], [403, "permission_denied"]);
  const wider = await server.ask("/tools/Read", { body: { grants: { policy: "coder" } } });
  assertEquals(wider.status, 400);
  await wider.body?.cancel();
  const info = await server.json("/info");
  assertEquals([info.workspaces, info.policy], [[scene.ws], "read-only"]);
  const { code, stdout, stderr } = await server.end();
  assertEquals([code, stdout], [143, ""]);
  assertStringIncludes(stderr, `serving on ${server.url}/`);
});

Deno.test("serve speaks TLS with the user's certificate, and nothing else then", async () => {
  const { ca, cert, key } = await certificates();
  using scene = makeScene({ "ws/a.txt": "apple\n", "cert.pem": cert, "key.pem": key });
  const files = ["--tls-cert", scene.at("cert.pem"), "--tls-key", scene.at("key.pem")];
  const env = { BULKHEAD_SERVE_TOKEN: TOKEN };
  const running = scene.start(["serve", "--port", "0", ...files], { env, timeoutMs: 120_000 });
  try {
    const [, port] = await running.told(/^bulkhead: serving on https:\/\/127\.0\.0\.1:(\d+)\//m);
    using client = Deno.createHttpClient({ caCerts: [ca] });
    const response = await fetch(`https://localhost:${port}/tools/Read`, {
      ...{ client, method: "POST", body: JSON.stringify({ arguments: { path: "a.txt" } }) },
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    });
    assertStringIncludes((await response.json()).text, "apple");
    const plain = await fetch(`http://localhost:${port}/health`).then(() => "answered", () => "cut");
    assertEquals(plain, "cut");
  } finally {
    running.kill("SIGTERM");
    await running.ended();
  }
});

Deno.test("ui opens the page by an address that holds once, and does not tell the token", async () => {
  using scene = makeScene({ "browser.sh": 'printf "%s" "$*" >"$0.part" && mv "$0.part" "$0.opened"\n' });
  const env = { BROWSER: `/bin/sh ${scene.at("browser.sh")}`, BULKHEAD_SERVE_TOKEN: TOKEN };
  const running = scene.start(["ui", "--port", "0"], { env, timeoutMs: 120_000 });
  try {
    await until("the browser", () => scene.exists("browser.sh.opened"));
    // Everybody sees the words of the browser, and the user alone the file.
    const file = fromFileUrl(scene.read("browser.sh.opened"));
    assertEquals(Deno.statSync(file).mode! & 0o777, 0o600);
    const page = Deno.readTextFileSync(file);
    const address = /url=(http:\/\/127\.0\.0\.1:\d+\/\?code=\w{48})"/.exec(page)?.[1] ?? "";
    assert(address !== "" && !page.includes(TOKEN), page);
    const status = async () => {
      const headers = { "sec-fetch-site": "cross-site" };
      const response = await fetch(address, { redirect: "manual", headers });
      await response.body?.cancel();
      return response.status;
    };
    assertEquals([await status(), await status()], [200, 401]);
  } finally {
    running.kill("SIGTERM");
    await running.ended();
  }
});

Deno.test("a run is watched, asked, undone, and found again after the server was killed", async () => {
  await using model = scriptedModel(script);
  using scene = makeScene();
  const env = modelEnv(model.url);
  await using first = await serveProgram(scene, { env, flags: PROGRAMS });
  const written = await first.json("/runs", { prompt: "write the file" });
  const events = await readEvents(await first.ask(`/runs/${written.id}/events`));
  assertEquals(events.map(({ id }) => id), events.map((_, at) => at + 1));
  assertEquals(events.at(-1)!.type, "run.end");
  const rest = await readEvents(
    await first.ask(`/runs/${written.id}/events`, { headers: { "last-event-id": String(events[3]!.id) } }),
  );
  assertEquals(rest, events.slice(4));
  assertEquals(scene.read("ws/made.txt"), "made\n");
  assertStringIncludes(await (await first.ask(`/runs/${written.id}/diff`)).text(), "+made");
  const asked = await first.json("/runs", { prompt: "ask me" });
  const waiting = await first.until(asked.id, "waiting");
  assertEquals(waiting.questions.map(({ text }: Json) => text), ["Which colour?"]);
  await first.json(`/runs/${asked.id}/answer`, { answer: "blue" });
  assertEquals((await first.until(asked.id, "completed")).answer, DONE.text);
  const long = await first.json("/runs", { prompt: "wait long" });
  await readEvents(await first.ask(`/runs/${long.id}/events`), ({ type }) => type === "tool.start");
  const below = descendants(first.running.pid).map(({ pid }) => pid);
  first.running.kill("SIGKILL");
  await until("the end of all that it started", () => !below.some(isAlive));

  await using second = await serveProgram(scene, { env, flags: PROGRAMS });
  const { runs } = await second.json("/runs");
  assertEquals(
    Object.fromEntries(runs.map(({ id, state }: Json) => [id, state])),
    { [written.id]: "completed", [asked.id]: "completed", [long.id]: "interrupted" },
  );
  assertEquals(runs.map(({ usage }: Json) => usage.rounds).toSorted(), [1, 2, 2]);
  assertEquals(await readEvents(await second.ask(`/runs/${written.id}/events`)), events);
  await second.json(`/runs/${long.id}/resume`, { prompt: "write the file now" });
  const done = await second.until(long.id, "completed");
  assertEquals(done.answer, DONE.text);
  const numbers = (await readEvents(await second.ask(`/runs/${long.id}/events`))).map(({ id }) => id);
  assertEquals(numbers, numbers.map((_, at) => at + 1));
  const undone = await second.json(`/runs/${written.id}/undo`, undefined, "POST");
  assert(undone.done.length + undone.refused.length > 0);
});

Deno.test("a server that is told to end keeps its runs, and leaves nothing running", async () => {
  await using model = scriptedModel(script);
  using scene = makeScene();
  const env = modelEnv(model.url);
  const server = await serveProgram(scene, { env, flags: PROGRAMS });
  const { id } = await server.json("/runs", { prompt: "wait long" });
  const heard = readEvents(await server.ask(`/runs/${id}/events`));
  await readEvents(await server.ask(`/runs/${id}/events`), ({ type }) => type === "tool.start");
  const below = descendants(server.running.pid).map(({ pid }) => pid);
  assertEquals((await server.end()).code, 143);
  await heard.catch(() => {});
  await until("the end of all that it ran", () => !below.some(isAlive));
  await using again = await serveProgram(scene, { env, flags: PROGRAMS });
  const run = await again.json(`/runs/${id}`);
  assertEquals([run.state, run.can.resume], ["interrupted", true]);
});
