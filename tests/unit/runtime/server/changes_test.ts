import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";

import type { GrantSettings } from "../../../../runtime/host/host_settings.ts";
import { RUN_OPERATIONS } from "../../../../runtime/server/api/run_operations.ts";
import { disposition, fileAnswer } from "../../../../runtime/server/changes/file_answer.ts";
import { changeHandlers } from "../../../../runtime/server/changes/change_handlers.ts";
import type { HandlerAnswer } from "../../../../runtime/server/contract/answer.ts";
import { openRuns } from "../../../../runtime/server/runs/open_runs.ts";
import { RunAccess } from "../../../../runtime/server/runs/run_access.ts";
import { makeOverlay } from "../../../../runtime/state/overlay/overlay_store.ts";
import { openSession } from "../../../../runtime/state/sessions/open_session.ts";
import { claimSession } from "../../../../runtime/state/sessions/session_claim.ts";
import { diskSession } from "../../../../runtime/state/tool_state.ts";
import { beginRecord } from "../../../../runtime/state/undo/undo_store.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { entryOf } from "../../../support/manifest_entry.ts";
import { codeOf } from "../../../support/refusal.ts";
import { workspace } from "../../../support/run_tool.ts";
import { servedIn } from "../../../support/server/served_runs.ts";
import { endLine, runLine, taskLine } from "../../../support/trace_scene.ts";
import { listed } from "../../../support/listed.ts";

const SETTINGS = {
  ...{ flags: [], config: null, tools: null, model: null },
  policy: { name: "coder", base: "coder" as const, allow: [], deny: [], named: false },
};

async function scene(grants: GrantSettings = {}, flags: readonly string[] = []) {
  const root = workspace({ "ws/a": "1\n", "ws/b": "1\n" });
  const [state, ws] = [root.at("state/bulkhead"), root.at("ws")];
  const served = servedIn(root, "http://127.0.0.1:9");
  const access = new RunAccess({ ...served, host: { ...served.host, grants } });
  const open = (resume?: string) => {
    const how = resume === undefined ? { id: "s" } : { resume };
    return openSession(state, { ...how, workspace: ws, redact: (text) => text, now: new Date() });
  };
  using session = await open();
  const settings = { ...SETTINGS, flags };
  for (const line of [runLine({ workspace: ws, settings }), taskLine("Do it"), endLine()]) {
    session.trace.write(line);
  }
  Deno.mkdirSync(join(session.folder, "artifacts"));
  Deno.writeTextFileSync(join(session.folder, "artifacts", "page.html"), "<script>alert(1)</script>");
  const { folder } = session;
  await diskSession(folder).set("one", "book", {
    sources: [{ number: 1, title: "T", url: "https://a.example/", snippet: "", charCount: 3 }],
  });
  const handlers = changeHandlers({
    access,
    manifest: { tools: [entryOf("one/find", { keeps_sources: "book" })] },
    redact: (text) => text.replaceAll(/known-(?:old|new)-value/g, "[masked]"),
  });
  return {
    ...{ root, ws, handlers, open, access },
    /** Asks as a client would: what is answered must fit the schema of its operation. */
    async ask(
      operation: string,
      params: Record<string, string> = { id: "s" },
      query: Record<string, string> = {},
    ): Promise<HandlerAnswer> {
      const { signal } = new AbortController();
      const from = { headers: {}, client: "127.0.0.1", connections: 1, signal };
      const request = { params, query, body: undefined, ...from };
      const answer = await handlers[operation]!(request);
      const { json } = RUN_OPERATIONS.find(({ id }) => id === operation)!.answer;
      if (json !== undefined) assertEquals(json.parse(answer.json), answer.json);
      return answer;
    },
    begin: () =>
      beginRecord(state, { session: "s", workspace: ws, time: new Date().toISOString(), by: "run" }),
    [Symbol.dispose]: () => root[Symbol.dispose](),
  };
}

const textOf = ({ bytes }: HandlerAnswer) => new TextDecoder().decode(bytes?.bytes);

Deno.test("a run's files, diff and sources are told, and its changes taken back once it has ended", async () => {
  using at = await scene();
  const record = at.begin();
  await record.keep([`${at.ws}/a`, `${at.ws}/b`]);
  Deno.writeTextFileSync(`${at.ws}/a`, "2\n");
  Deno.writeTextFileSync(`${at.ws}/b`, "2\n");
  const row = (path: string) => ({ path, status: "modified", added: 1, removed: 1 });
  assertEquals((await at.ask("listRunFiles")).json, {
    changed: [row("a"), row("b")],
    artifacts: [{ name: "page.html", type: "text/html", bytes: 25 }],
  });
  const diff = await at.ask("diffRun");
  assertEquals(diff.bytes?.type, "text/x-diff; charset=utf-8");
  assertStringIncludes(textOf(diff), "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n");
  const busy = await assertRejects(() => at.ask("undoRun"), ToolError);
  assertEquals([busy.code, busy.message.startsWith('Run "s" is at work')], ["conflict", true]);
  await record.close();
  Deno.writeTextFileSync(`${at.ws}/b`, "somebody else\n");
  const refused = [{ path: "b", reason: "it changed after the run had changed it" }];
  assertEquals((await at.ask("undoRun")).json, {
    done: [{ path: "a", action: "restore" }],
    warnings: [],
    refused,
  });
  assertEquals([at.root.read("ws/a"), at.root.read("ws/b")], ["1\n", "somebody else\n"]);
  const source = { number: 1, title: "T", url: "https://a.example/", snippet: "" };
  const sources = [{ ...source, chars: 3, found: null, opened: null }];
  assertEquals((await at.ask("runSources")).json, { sources });
});

Deno.test("changes that wait in a copy of the workspace are told as such", async () => {
  using at = await scene();
  const made = await makeOverlay(at.root.at("state/bulkhead"), {
    id: "s",
    workspace: at.ws,
    now: new Date(),
  });
  const { tree } = made.overlay;
  Deno.writeTextFileSync(`${tree}/a`, "2\n");
  Deno.removeSync(`${tree}/b`);
  const { changed, waits } = (await at.ask("listRunFiles")).json as Record<string, unknown>;
  assertEquals([changed, waits], [[
    { path: "a", status: "modified", added: 1, removed: 1 },
    { path: "b", status: "deleted", added: 0, removed: 1 },
  ], true]);
  assertStringIncludes(textOf(await at.ask("diffRun")), "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n");
});

Deno.test("nothing is taken back while the run goes on again, and nothing that is not there", async () => {
  using at = await scene();
  const none = await assertRejects(() => at.ask("undoRun"), ToolError, "no changes to undo");
  assertEquals(none.code, "invalid_input");
  const record = at.begin();
  await record.keep([`${at.ws}/a`]);
  Deno.writeTextFileSync(`${at.ws}/a`, "2\n");
  await record.close();
  {
    using _resumed = await at.open("s");
    assertEquals((await assertRejects(() => at.ask("undoRun"), ToolError)).code, "conflict");
    assertEquals(at.root.read("ws/a"), "2\n");
  }
  await at.ask("undoRun");
  assertEquals([at.root.read("ws/a"), textOf(await at.ask("diffRun"))], ["1\n", ""]);
});

Deno.test("a file that the run changed is given as it is now or was before, and no other one", async () => {
  using at = await scene();
  const record = at.begin();
  Deno.mkdirSync(`${at.ws}/n`);
  const names = ["a", "n/new.txt", "link", "gone", "../outside"];
  Deno.symlinkSync("b", `${at.ws}/link`);
  await record.keep(names.map((name) => join(at.ws, name)));
  for (const name of ["a", "n/new.txt", "gone", "../outside"]) {
    Deno.writeTextFileSync(join(at.ws, name), "2\n");
  }
  Deno.removeSync(`${at.ws}/gone`);
  await record.close();
  for (const path of ["a", "n/new.txt"]) {
    const file = await at.ask("readChangedFile", { id: "s", path });
    assertEquals([textOf(file), file.bytes?.type], ["2\n", "text/plain; charset=utf-8"], path);
  }
  const before = (path: string) => at.ask("readChangedFile", { id: "s", path }, { side: "before" });
  assertEquals(textOf(await before("a")), "1\n");
  for (const path of ["n/new.txt", "b", "../outside", "n", ""]) {
    assertEquals((await assertRejects(() => before(path), ToolError)).code, "not_found", path);
  }
  Deno.removeSync(`${at.ws}/n`, { recursive: true });
  Deno.symlinkSync(at.ws, `${at.ws}/n`);
  Deno.writeTextFileSync(`${at.ws}/new.txt`, "behind a link\n");
  const refused = [
    ...listed(
      "b, link, gone, ../outside, n/new.txt, n, ., /etc/hostname",
    ),
    "",
    `${at.ws}/a`,
  ];
  for (const path of refused) {
    const error = await assertRejects(() => at.ask("readChangedFile", { id: "s", path }), ToolError);
    assertEquals(error.code, "not_found", path);
  }
});

Deno.test("a client gets no content of a file of secrets, and the rest with what is known masked", async () => {
  using at = await scene();
  const login = '[remote "o"]\n\turl = https://me:VALUE@example.com/x.git\n';
  const texts: Record<string, string> = { ".env": "K=VALUE\n", "config": login, "a": "see known-VALUE\n" };
  const record = at.begin();
  for (const side of ["old", "new"]) {
    if (side === "new") await record.keep(Object.keys(texts).map((name) => join(at.ws, name)));
    for (const [name, text] of Object.entries(texts)) {
      Deno.writeTextFileSync(join(at.ws, name), text.replace("VALUE", `${side}-value`));
    }
  }
  await record.close();
  const diff = textOf(await at.ask("diffRun"));
  assertStringIncludes(diff, "+++ b/.env\nsecret by its name: not shown");
  const page = textOf(await at.ask("exportRun"));
  for (const text of [diff, page]) assertEquals([...text.matchAll(/(?:old|new)-value/g)].length, 0, text);
  for (const path of [".env", "config"]) {
    for (const side of ["before", "after"]) {
      const ask = () => at.ask("readChangedFile", { id: "s", path }, { side });
      assertEquals((await assertRejects(ask, ToolError)).code, "permission_denied", path);
    }
  }
  assertEquals(textOf(await at.ask("readChangedFile", { id: "s", path: "a" })), "see [masked]\n");
});

Deno.test("files and exports are given so that nothing in them runs as a page of the server", async () => {
  using at = await scene();
  const file = await at.ask("readRunFile", { id: "s", name: "page.html" });
  assertEquals(file.headers?.["content-disposition"], 'attachment; filename="page.html"');
  assertStringIncludes(file.headers?.["content-security-policy"] ?? "", "sandbox");
  for (const name of ["../trace.jsonl", "..", "", "no"]) {
    const error = await assertRejects(() => at.ask("readRunFile", { id: "s", name }), ToolError);
    assertEquals(error.code, "not_found");
  }
  const page = await at.ask("exportRun");
  assertEquals(page.headers?.["content-disposition"], 'attachment; filename="bulkhead-s.html"');
  assertStringIncludes(page.headers?.["content-security-policy"] ?? "", "sandbox; default-src 'none'");
  assertStringIncludes(textOf(page), "<h1>Do it</h1>");
  for (const operation of Object.keys(at.handlers)) {
    const error = await assertRejects(() => at.ask(operation, { id: "other", name: "page.html" }), ToolError);
    assertEquals(error.code, "not_found", operation);
  }
});

Deno.test("what the server may not write is neither taken back nor removed", async () => {
  using at = await scene({ policy: "read-only" });
  const record = at.begin();
  await record.keep([`${at.ws}/a`]);
  Deno.writeTextFileSync(`${at.ws}/a`, "2\n");
  await record.close();
  await using runs = openRuns(servedIn(at.root, "http://127.0.0.1:9"), at.access);
  const removed = () => runs.remove("s");
  for (const attempt of [() => at.ask("undoRun"), removed]) {
    const { code, message } = await assertRejects(attempt, ToolError);
    assertEquals([code, message.includes(`--allow-write=${at.ws}`)], ["permission_denied", true]);
  }
  assertEquals([at.root.read("ws/a"), (await runs.get("s")).can.undo], ["2\n", false]);
  assertStringIncludes(textOf(await at.ask("diffRun")), "+2\n");
});

Deno.test("what the server may not read is told by its name alone, and secrets too", async () => {
  using at = await scene({ deny: { read: ["b"] } }, ["--deny-read=/"]);
  const record = at.begin();
  const names = ["a", "b", ".env"];
  await record.keep(names.map((name) => join(at.ws, name)));
  for (const name of names) Deno.writeTextFileSync(join(at.ws, name), "KEY=canary\n");
  await record.close();
  const diff = textOf(await at.ask("diffRun"));
  assertEquals(
    [diff.split("canary").length - 1, diff.split("not shown: it may not be read here").length - 1],
    [1, 1],
  );
  assertEquals(textOf(await at.ask("exportRun")).split("canary").length - 1, 1);
  for (const side of ["before", "after"]) {
    for (const path of ["b", ".env"]) {
      const read = () => at.ask("readChangedFile", { id: "s", path }, { side });
      const { code } = await assertRejects(read, ToolError);
      assertEquals(code, path === ".env" && side === "before" ? "not_found" : "permission_denied", path);
    }
  }
});

Deno.test("a run that was allowed to read more than the server is not told, nor gone on with", async () => {
  const wider: readonly (readonly [GrantSettings, string[]])[] = [
    [{}, ["--allow-read=/etc"]],
    [{}, ["--allow-read"]],
    [{}, ["--allow-all"]],
    [{}, ["--allow-secrets=/home/you/.env"]],
    [{ deny: { read: ["b"] } }, []],
  ];
  for (const [grants, flags] of wider) {
    using at = await scene(grants, flags);
    await using runs = openRuns(servedIn(at.root, "http://127.0.0.1:9"), at.access);
    const attempts = [
      ...Object.keys(at.handlers).map((operation) => () => at.ask(operation, { id: "s", name: "page.html" })),
      ...[() => runs.get("s"), () => runs.follow("s", 0), () => runs.resume("s", { prompt: "And?" })],
      () => runs.answer("s", { answer: "x" }),
      () => at.access.checkSession("s", at.ws),
    ];
    for (const attempt of attempts) {
      assertEquals(await codeOf(attempt), "permission_denied", `${attempt} ${flags}`);
    }
    assertEquals((await runs.list({})).runs.map(({ id }) => id), ["s"]);
  }
});

Deno.test("the session of a call is that of its own folder, and of no other", async () => {
  using at = await scene();
  Deno.mkdirSync(at.root.at("other"));
  const { state } = at.access;
  const refused = async (id: string, place = at.ws) =>
    (await assertRejects(() => at.access.checkSession(id, place), ToolError)).code;
  await at.access.checkSession("mine", at.ws);
  await at.access.checkSession("mine", at.ws);
  await at.access.checkSession("s", at.ws);
  Deno.mkdirSync(join(state, "sessions", "unmarked"), { mode: 0o700 });
  assertEquals(claimSession(state, "theirs", at.root.at("other")), at.root.at("other"));
  for (const id of ["unmarked", "theirs"]) assertEquals(await refused(id), "permission_denied", id);
  assertEquals([await refused("mine", at.root.at("other")), await refused("s", "/")], [
    "permission_denied",
    "permission_denied",
  ]);
  assertEquals(await refused("../s"), "invalid_input");
});

Deno.test(
  "a file is shown only as what can run nothing, and shut in even then",
  { permissions: "none" },
  () => {
    const cases = {
      "image/png": ["inline", "image/png"],
      "text/plain": ["inline", "text/plain; charset=utf-8"],
      "text/html": ["attachment", "application/octet-stream"],
      "image/svg+xml": ["attachment", "image/svg+xml"],
      "application/xhtml+xml": ["attachment", "application/octet-stream"],
      "application/pdf": ["attachment", "application/pdf"],
      "text/javascript": ["attachment", "application/octet-stream"],
      "text/css": ["attachment", "application/octet-stream"],
      "application/octet-stream": ["attachment", "application/octet-stream"],
    };
    for (const [type, [kind, told]] of Object.entries(cases)) {
      const { headers = {}, bytes } = fileAnswer("f", { bytes: new Uint8Array(1), type });
      assertEquals([headers["content-disposition"], bytes?.type], [`${kind}; filename="f"`, told]);
      assertEquals(headers["x-content-type-options"], "nosniff");
      assertStringIncludes(headers["content-security-policy"]!, "sandbox; default-src 'none'");
      assertEquals(/allow-|script-src|connect-src/.test(headers["content-security-policy"]!), false);
    }
  },
);

Deno.test("a file's name ends no header and begins no other", { permissions: "none" }, () => {
  assertEquals(disposition("inline", "a b-2.png"), 'inline; filename="a b-2.png"');
  const names = ['x"; y="', "a\r\nset-cookie: b=1", "ü\ud800.png", "a\\b", "'*()"];
  for (const name of names) {
    const text = disposition("attachment", name);
    assertEquals(/^attachment; filename="[\w .()+-]*"; filename\*=UTF-8''[\w.~!%-]*$/.test(text), true, text);
    new Headers({ "content-disposition": text });
  }
});
