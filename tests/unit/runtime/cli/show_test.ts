import { assertEquals } from "@std/assert";

import type { Io } from "../../../../runtime/cli/io/io.ts";
import { EventStream } from "../../../../runtime/cli/show/event_stream.ts";
import { LiveArea } from "../../../../runtime/cli/show/live_area.ts";
import { renderSession } from "../../../../runtime/cli/show/render_session.ts";
import { endingLines } from "../../../../runtime/cli/show/run_lines.ts";
import { showResult } from "../../../../runtime/cli/show/show_call.ts";
import { cutEnd, cutStart, renderTable, widthOf } from "../../../../runtime/cli/show/tables/columns.ts";
import { markBlock, OUTSIDE_MARK } from "../../../../runtime/text/mark_block.ts";
import type { RunEvent } from "../../../../schemas/agent/events.ts";
import type { ModelReply, Purpose } from "../../../../schemas/agent/model.ts";
import { toolResult } from "../../../support/tool_result.ts";

const PURE = { permissions: "none" } as const;

Deno.test("EventStream shows no secret, also none that comes in pieces", async () => {
  const lines: RunEvent[] = [];
  const output = { write: (line: string) => Promise.resolve(void lines.push(JSON.parse(line))) };
  const stream = new EventStream(output, { secrets: ["hunter2secret"] });
  for (const text of ["it is hun", "ter2", "secret, or hunt"]) stream.emit({ type: "text.delta", text });
  stream.emit({ type: "tool.start", id: 1, tool: "X", arguments: { a: "hunter2secret" } });
  stream.emit({ type: "text.delta", text: "hunter2" });
  stream.emit({ type: "text.delta", text: "", restart: true });
  stream.emit({ type: "text.delta", text: "secret" });
  stream.emit({ type: "warning", message: "the end" });
  await stream.written;
  assertEquals(lines.map(({ type, ...event }) => [type, "text" in event ? event.text : ""]), [
    ["text.delta", "it is "],
    ["text.delta", "[redacted], or "],
    ["text.delta", "hunt"],
    ["tool.start", ""],
    // What was held back is gone with the text that begins again.
    ["text.delta", ""],
    ["text.delta", "secre"],
    ["text.delta", "t"],
    ["warning", ""],
  ]);
  assertEquals("arguments" in lines[3]! && lines[3].arguments, { a: "[redacted]" });
});

/** An area on a terminal whose width the test sets, and what the terminal got. */
function area(columns: number) {
  const size = { columns };
  let got = "";
  const take = (bytes: Uint8Array) => {
    got += new TextDecoder().decode(bytes);
    return Promise.resolve();
  };
  const io = { stderrWidth: () => size.columns, stderr: take, stdout: take } as Partial<Io> as Io;
  const live = new LiveArea(io);
  const shown = async () => {
    await live.written;
    const text = got;
    got = "";
    return text;
  };
  return { live, size, shown };
}

Deno.test("LiveArea cuts its lines to the terminal, and clears exactly them", async () => {
  const { live, shown } = area(10);
  live.draw(["0123456789abc", "x"]);
  assertEquals(await shown(), "01234567…\nx");
  live.draw(["y"]);
  assertEquals(await shown(), "\r\x1b[1A\x1b[Jy");
  live.print("done\n");
  assertEquals(await shown(), "\r\x1b[Jdone\n");
  live.print("more\n");
  assertEquals(await shown(), "more\n");
});

Deno.test("LiveArea follows the size of the terminal, and clears the rows that it folded", async () => {
  const { live, size, shown } = area(40);
  live.draw(["x".repeat(30), "second"]);
  await shown();
  size.columns = 12;
  live.draw(["x".repeat(30)]);
  // 30 characters take three rows of 12, and the second line one more.
  assertEquals(await shown(), `\r\x1b[3A\x1b[J${"x".repeat(10)}…`);
});

Deno.test("LiveArea keeps the order of both streams", async () => {
  const { live, shown } = area(20);
  live.draw(["working"]);
  live.print("answer", "stdout");
  live.print("row\n");
  assertEquals(await shown(), "working\r\x1b[Janswerrow\n");
});

Deno.test("renderSession() tells whom the model answered", PURE, () => {
  const purposes: Purpose[] = ["turn", "tool", "server", "compact"];
  const rest: Omit<ModelReply, "content"> = { tool_calls: [], finish: "stop", usage: null };
  const lines = purposes.map((purpose) => (
    { t: "reply" as const, purpose, reply: { ...rest, content: `for ${purpose}` } }
  ));
  assertEquals(renderSession("s1", lines).split("\n"), [
    ...["session s1", "for turn", "[the model answered a tool]", "  for tool"],
    ...["[the model answered an MCP server]", "  for server", ""],
  ]);
});

Deno.test("endingLines() tells what was changed and refused, and how to go on", PURE, () => {
  const changed = [
    { path: "a.txt", status: "modified", added: 2, removed: 1 },
    { path: "b\n.txt", status: "added", added: 3, removed: 0 },
    { path: "c.png", status: "deleted", added: null, removed: null },
  ] as const;
  const read = { tool: "h/Read", flags: ["--allow-read=/my x", "--allow-secrets=/my x"], message: "" };
  const write = { tool: "h/Write", flags: ["--allow-read=/y"], message: "" };
  const bash = { tool: "h/Bash", flags: [], message: "" };
  assertEquals(endingLines({ changed, refused: [read, write], resume: "bulkhead run --resume s1 '…'" }), [
    "changed a.txt +2 -1",
    "changed b\\n.txt (new) +3",
    "changed c.png (deleted)",
    "refused Read, Write; to allow it: '--allow-read=/my x,/y' '--allow-secrets=/my x'",
    "go on   bulkhead run --resume s1 '…'",
  ]);
  assertEquals(endingLines({ refused: [bash] }), ["refused Bash; no flag allows it"]);
  assertEquals(endingLines({ refused: [bash, write] }), [
    "refused Bash, Write; to allow what a flag can allow: --allow-read=/y",
  ]);
  const many = Array.from({ length: 12 }, (_, n) => ({ ...changed[0], path: `${n}` }));
  assertEquals(endingLines({ changed: many }).at(-1), "changed 2 more files, see --json");
  assertEquals(endingLines({}), []);
});

Deno.test("showResult() shows what is between the marks of a text from the network", PURE, () => {
  const of = (text: string) =>
    showResult(toolResult({ text: markBlock(OUTSIDE_MARK, text, { tool: "set/look" }) }));
  assertEquals(of("first\nsecond"), "first (2 lines)");
  assertEquals(of("ends </web-content>"), "ends </web-content>");
  assertEquals(showResult(toolResult({ text: "first\nsecond" })), "first (2 lines)");
});

Deno.test("widthOf() counts columns, not characters", () => {
  const texts = ["", "abc…", "日本", "한", "ｆ", "e\u0301", "𠀀", "👨‍👩‍👧", "🇩🇪"];
  assertEquals(texts.map(widthOf), [0, 4, 4, 2, 2, 1, 2, 2, 2]);
});

Deno.test("cutEnd() and cutStart() keep what fits, and part no character", () => {
  const cases = [
    ["abcdef", 6, "abcdef", "abcdef"],
    ["abcdef", 4, "abc…", "cdef"],
    ["日本語", 6, "日本語", "日本語"],
    ["日本語", 5, "日本…", "本語"],
    ["日本語", 4, "日…", "本語"],
    ["𠀀𠀁𠀂", 3, "𠀀…", "𠀂"],
    ["👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…", "👨‍👩‍👧"],
    ["ae\u0301io", 3, "ae\u0301…", "e\u0301io"],
    ["日本", 1, "…", ""],
  ] as const;
  for (const [text, columns, end, start] of cases) {
    assertEquals([text, cutEnd(text, columns), cutStart(text, columns)], [text, end, start]);
  }
});

Deno.test("renderTable() keeps its columns straight for every writing", () => {
  const rows = [["FOLDER", "TASK"], ["/home/日本語", "翻訳 ✅"], ["/home/ab", ""]];
  assertEquals(renderTable(rows), "FOLDER        TASK\n/home/日本語  翻訳 ✅\n/home/ab\n");
});

Deno.test("renderTable() cuts the columns that may be cut, in their order, until the table fits", () => {
  const rows = [["TOOL", "GRANT", "WHAT"], ["a/tool", "needs --a-flag", "Does one thing and another"]];
  const narrow = [[2, 10], [1, 8]] as const;
  const last = (width: number) => renderTable(rows, { width, narrow }).split("\n")[1];
  assertEquals(last(60), "a/tool  needs --a-flag  Does one thing and another");
  assertEquals(last(40), "a/tool  needs --a-flag  Does one thing …");
  assertEquals(last(30), "a/tool  needs --a…  Does one …");
  // Nothing is cut to less than can be read.
  assertEquals(last(5), "a/tool  needs -…  Does one …");
});
