import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import type { Options } from "../../../../runtime/cli/args/options/option_table.ts";
import { printHelp } from "../../../../runtime/cli/commands/help.ts";
import { renderSources } from "../../../../runtime/cli/commands/sources/render_sources.ts";
import { sourcesCommand } from "../../../../runtime/cli/commands/sources/sources.ts";
import type { Io } from "../../../../runtime/cli/io/io.ts";
import { openSession } from "../../../../runtime/state/sessions/open_session.ts";
import { tracePath } from "../../../../runtime/state/sessions/session_folder.ts";
import { diskSession } from "../../../../runtime/state/tool_state.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { Manifest } from "../../../../schemas/manifest.ts";
import type { KeptSource } from "../../../../schemas/step/sources.ts";
import { entryOf } from "../../../support/manifest_entry.ts";
import { workspace } from "../../../support/run_tool.ts";
import { runLine } from "../../../support/trace_scene.ts";
import manifest from "../../../../tools/manifest.json" with { type: "json" };

const [tool] = (manifest as Manifest).tools;

/** A program with tools of these full names. */
function programOf(...names: string[]): Manifest {
  const tools = names.map((full_name) => {
    const [toolset = "", name = ""] = full_name.split("/");
    return { ...tool!, full_name, toolset, name };
  });
  return { ...manifest as Manifest, default_toolset: "one", tools };
}

async function helpFor(words: string | readonly string[], program: Manifest): Promise<string> {
  let text = "";
  const io = {
    manifest: () => Promise.resolve(program),
    stdoutWidth: () => null,
    stdout: (bytes: Uint8Array) => Promise.resolve(void (text += new TextDecoder().decode(bytes))),
  } as unknown as Io;
  assertEquals(await printHelp({ command: "help", positionals: [words].flat(), options: {} }, io), 0);
  return text;
}

Deno.test("help shows the command or topic that is called like a tool, and names the tool", async () => {
  for (const [word, begin] of [["call", "Run one tool call\n"], ["permissions", "Workspace and paths\n"]]) {
    const text = await helpFor(word!, programOf(`one/${word}`, "one/other"));
    assert(text.startsWith(begin!), text.slice(0, 80));
    assert(text.endsWith(`\nThere is a tool of this name too: bulkhead help one/${word}\n`));
    const full = await helpFor(`one/${word}`, programOf(`one/${word}`));
    assert(full.startsWith(`one/${word}: `), full.slice(0, 80));
    assert(!(await helpFor(word!, programOf("one/other"))).includes("of this name too"));
  }
});

Deno.test("help shows the tool that a call would find, and names the others", async () => {
  const both = programOf("one/look", "two/look", "two/see", "three/see");
  const look = await helpFor("look", both);
  assert(look.startsWith("one/look: ") && look.includes("bulkhead call look "), look);
  assert(look.includes("\nOther tools of this name: two/look\n"));
  const second = await helpFor("two/look", both);
  assert(second.startsWith("two/look: ") && second.includes("bulkhead call two/look "), second);
  const unclear = await assertRejects(() => helpFor("see", both), ToolError);
  assertEquals([unclear.code, unclear.details.candidates], ["invalid_input", ["two/see", "three/see"]]);
});

Deno.test("help of a command with a word is that of the word", async () => {
  const program = programOf("one/Read");
  assertStringIncludes(await helpFor(["mcp", "serve"], program), "Usage: bulkhead mcp serve [options]");
  assertStringIncludes(await helpFor(["call", "one/Read"], program), "one/Read: ");
  const error = await assertRejects(() => helpFor(["permissions", "serve"], program), ToolError);
  assertStringIncludes(error.message, 'Unexpected word "serve"');
});

const OPENED: KeptSource = {
  number: 1,
  title: "Tea & kettles: 50 % of {them} in C_1 #2 ~^\\$",
  url: "https://a.example/x_y?q=1&r=%20#top",
  snippet: "s",
  charCount: 5,
  found: "2026-01-30T23:00:00.000Z",
  opened: "2026-01-31T00:00:00.000Z",
};
const FOUND: KeptSource = { number: 2, title: "", url: "https://b.example/}{", snippet: "", charCount: 0 };
const HOSTILE: KeptSource = {
  ...{ ...FOUND, number: 3, title: "a\n  @misc{evil,\n}\x1b[2J\u202eb" },
  ...{ url: "https://c.example/\x1b[2J}\n@comment{", found: "2026-02-01T10:00:00.000Z" },
};

Deno.test("renderSources() prints a line each as text, and all that is known as JSON", () => {
  const told = `[1] ${OPENED.title} - ${OPENED.url}\n[2] https://b.example/}{ - https://b.example/}{\n`;
  assertEquals(renderSources("s", [OPENED, FOUND], "text"), told);
  assertEquals(JSON.parse(renderSources("s", [OPENED, FOUND], "json")), {
    session: "s",
    sources: [
      {
        ...{ number: 1, title: OPENED.title, url: OPENED.url, snippet: "s", chars: 5 },
        ...{ found: OPENED.found, opened: OPENED.opened },
      },
      { number: 2, title: "", url: FOUND.url, snippet: "", chars: 0, found: null, opened: null },
    ],
  });
  assertEquals(renderSources("s", [], "text"), "");
});

Deno.test("renderSources() escapes what means something to BibTeX and TeX", () => {
  assertEquals(
    renderSources("s", [OPENED], "bibtex"),
    "@misc{source1,\n" +
      "  title = {{Tea \\& kettles: 50 \\% of {\\textbraceleft}them{\\textbraceright} in C\\_1 \\#2 " +
      "{\\textasciitilde}{\\textasciicircum}{\\textbackslash}\\$}},\n" +
      "  howpublished = {\\url{https://a.example/x_y?q=1&r=%20#top}},\n" +
      "  url = {https://a.example/x_y?q=1&r=%20#top},\n" +
      "  urldate = {2026-01-31},\n" +
      "  note = {Accessed 2026-01-31},\n" +
      "}\n",
  );
});

Deno.test("renderSources() lets no source end its entry, begin another one, or steer a terminal", () => {
  for (const form of ["text", "bibtex", "csl-json"] as const) {
    const text = renderSources("s", [HOSTILE, FOUND], form);
    // deno-lint-ignore no-control-regex
    assertEquals(/[\x1b\u202e]/.test(text), false, form);
  }
  const entries = renderSources("s", [HOSTILE, FOUND], "bibtex");
  assertEquals(entries.match(/^@.*$/gm), ["@misc{source3,", "@misc{source2,"]);
  let depth = 0;
  for (const [sign] of entries.matchAll(/[{}]/g)) {
    depth += sign === "{" ? 1 : -1;
    assertEquals(depth >= 0, true);
  }
  assertEquals(depth, 0);
  assertEquals(renderSources("s", [HOSTILE], "text").split("\n").length, 2);
});

Deno.test("renderSources() makes items of CSL-JSON: web pages with the day of access", () => {
  const items = JSON.parse(renderSources("s", [OPENED, FOUND, HOSTILE], "csl-json"));
  assertEquals(items.slice(0, 2), [
    {
      ...{ id: "source1", type: "webpage", "citation-number": "1", title: OPENED.title, URL: OPENED.url },
      accessed: { "date-parts": [[2026, 1, 31]] },
    },
    { id: "source2", type: "webpage", "citation-number": "2", title: FOUND.url, URL: FOUND.url },
  ]);
  assertEquals(items[2].accessed, { "date-parts": [[2026, 2, 1]] });
});

const TOOLS = ["one/find", "one/open"].map((name) => entryOf(name, { keeps_sources: "book" }));

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

async function makeSession(folder: string, id: string, at: number, ...titles: string[]): Promise<void> {
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
  await makeSession(ws.path, "older-1", 1, "A");
  await makeSession(ws.path, "newer-2", 2, "B", "C");
  await makeSession(ws.path, "empty-3", 3);
  assertEquals((await printed(ws.path, [])).out, "[1] B - https://0.example/\n[2] C - https://1.example/\n");
  assertEquals((await printed(ws.path, ["old"])).out, "[1] A - https://0.example/\n");
  assertEquals(JSON.parse((await printed(ws.path, [], { json: true })).out).session, "newer-2");
  assertEquals((await printed(ws.path, [], { as: "bibtex" })).out.match(/^@misc/gm)?.length, 2);
  const { out, err } = await printed(ws.path, ["empty-3"]);
  assertEquals([out, err], ["", "bulkhead: session empty-3 has no sources\n"]);
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
