import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";

import { exportSession } from "../../../../runtime/export/export_session.ts";
import { openSession } from "../../../../runtime/state/sessions/open_session.ts";
import { diskSession } from "../../../../runtime/state/tool_state.ts";
import { beginRecord } from "../../../../runtime/state/undo/undo_store.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { TraceLine } from "../../../../schemas/agent/trace.ts";
import { entryOf } from "../../../support/manifest_entry.ts";
import { workspace } from "../../../support/run_tool.ts";
import {
  endLine,
  EVERY_LINE,
  replyLine,
  resultLine,
  runLine,
  taskLine,
} from "../../../support/trace_scene.ts";

const EVIL = `"'><img src=x onerror=alert(1)><script>alert(2)</script></pre><style>*{}</style>&lt;`;
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);
const manifest = { tools: [entryOf("one/find", { keeps_sources: "book" })] };
const redact = (text: string) => text.replaceAll("hunter2", "[redacted]");

async function makeSession(state: string, lines: (artifacts: string) => readonly TraceLine[]) {
  const place = { id: "s", workspace: "/ws", now: new Date() };
  using session = await openSession(state, { ...place, redact: (text) => text });
  const artifacts = join(session.folder, "artifacts");
  Deno.mkdirSync(artifacts);
  Deno.writeFileSync(join(artifacts, "shot.png"), PNG);
  for (const line of lines(artifacts)) session.trace.write(line);
  return session.folder;
}

function picture(path: string) {
  return { type: "image" as const, path, mime_type: "image/png", bytes: PNG.length };
}

Deno.test("exportSession() makes one page of everything, in which foreign text stays text", async () => {
  using ws = workspace({ "work/a": `old ${EVIL}\n`, "outside.png": PNG });
  const state = ws.at("state");
  const folder = await makeSession(state, (artifacts) => [
    runLine({ agent: EVIL, model: EVIL }),
    taskLine(EVIL),
    replyLine(EVIL, "c1"),
    { t: "call", id: "c1", tool: EVIL, arguments: { [EVIL]: EVIL } },
    resultLine("c1", {
      content: EVIL,
      pictures: [picture(`${artifacts}/shot.png`), picture(ws.at("outside.png"))],
    }),
    { t: "plan", plan: { id: "p", title: EVIL, steps: [{ text: EVIL, status: "completed", notes: EVIL }] } },
    { t: "compact", keep: 1, summary: EVIL },
    endLine({ answer: EVIL, questions: [EVIL] }),
  ]);
  const source = { number: 1, title: EVIL, url: `javascript:${EVIL}`, snippet: "", charCount: 0 };
  await diskSession(folder).set("one", "book", { sources: [source] });
  const head = { session: "s", workspace: ws.at("work"), time: "2026-01-01", by: "run" } as const;
  const record = beginRecord(state, head);
  await record.keep([ws.at("work/a")]);
  Deno.writeTextFileSync(ws.at("work/a"), `password hunter2 ${EVIL}\n`);
  await record.close();

  const page = await exportSession("s", { state, manifest, redact });
  assertEquals(page.match(/<(?:script|iframe|link|object|base|a|form)\b/gi), null);
  assertEquals(page.match(/<img[^>]*>/g), [`<img alt="shot.png" src="data:image/png;base64,iVBORw0KGgoA">`]);
  assertEquals(page.match(/<style>/g)?.length, 1);
  const leads = page.match(/(?:src|href|url)\s*[=(]\s*["']?(?!data:)[\w/]+:?/gi) ?? [];
  assertEquals(leads.filter((at) => !at.endsWith("=x")), []);
  for (const heading of ["Answer", "What was said and done", "Changes", "Sources"]) {
    assertStringIncludes(page, `<h2>${heading}</h2>`);
  }
  assertStringIncludes(page, "[picture outside.png, 9 bytes: not part of this file]");
  assertStringIncludes(page, `<span class="add">+password [redacted]`);
  const policy = '<meta http-equiv="content-security-policy" content="default-src &#39;none&#39;;';
  assertStringIncludes(page, policy);
  // Each element that is opened is closed.
  for (const name of ["details", "article", "pre", "span", "div", "ul", "ol", "dl"]) {
    const count = (pattern: RegExp) => page.match(pattern)?.length ?? 0;
    assertEquals(count(new RegExp(`<${name}[ >]`, "g")), count(new RegExp(`</${name}>`, "g")), name);
  }
});

Deno.test("exportSession() knows every kind of line, bounds long texts, and refuses an empty session", async () => {
  using ws = workspace();
  const state = ws.at("state");
  await assertRejects(() => exportSession("s", { state, manifest, redact }), ToolError);
  await makeSession(state, () => [
    ...EVERY_LINE,
    { t: "call", id: "c9", tool: "harness/Read", arguments: null },
    { t: "call", id: "c10", tool: "harness/Read", arguments: null },
    resultLine("c10", { content: "y".repeat(200_000) }),
  ]);
  const page = await exportSession("s", { state, manifest, redact });
  assertStringIncludes(page, "no result: it is not known what it did");
  assertStringIncludes(page, "100000 more characters are not shown");
  assertStringIncludes(page, "not_found");
  assertEquals(page.includes("You are an agent."), false);
});
