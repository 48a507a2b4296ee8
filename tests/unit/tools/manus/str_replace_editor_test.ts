import { assertEquals, assertStringIncludes } from "@std/assert";

import editor from "../../../../tools/manus/str_replace_editor.ts";
import { editorCalls } from "../../../support/editor_calls.ts";
import { type Workspace, workspace } from "../../../support/run_tool.ts";

const { view, create, replace, insert, undo } = editorCalls;

async function textOf(ws: Workspace, input: { path: string }): Promise<string> {
  return (await ws.run(editor, { ...input, path: ws.at(input.path) })).text.replaceAll(ws.path, "/ws");
}

function block(descriptor: string, body: string): string {
  return `Here's the result of running \`cat -n\` on ${descriptor}:\n${body}\n`;
}

function bytesOf(ws: Workspace, name: string): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(ws.bytes(name));
}

Deno.test("str_replace_editor view numbers lines, with tabs as spaces", async () => {
  using ws = workspace({ "a.txt": "one\n\ttwo\n\nfour", "end.txt": "a\r\nb\r\n", "empty": "" });
  const cases: [string, number[] | undefined, string][] = [
    ["a.txt", undefined, "     1\tone\n     2\t        two\n     3\t\n     4\tfour"],
    ["a.txt", [2, 3], "     2\t        two\n     3\t"],
    ["a.txt", [4, -1], "     4\tfour"],
    ["a.txt", [], "     1\tone\n     2\t        two\n     3\t\n     4\tfour"],
    ["end.txt", undefined, "     1\ta\n     2\tb\n     3\t"],
    ["end.txt", [1, 2], "     1\ta\n     2\tb"],
    ["end.txt", [2, 3], "     2\tb\n     3\t"],
    ["end.txt", [3, 3], "     3\t"],
    ["empty", undefined, "     1\t"],
  ];
  for (const [name, view_range, body] of cases) {
    const text = await textOf(ws, view(name, view_range));
    assertEquals(text, block(`/ws/${name}`, body));
  }
});

Deno.test("str_replace_editor view cuts after 16000 characters, before numbering", async () => {
  const note =
    "<response clipped><NOTE>To save on context only part of this file has been shown to you. You should " +
    "retry this tool after you have searched inside the file with `grep -n` in order to find the line numbers of " +
    "what you are looking for.</NOTE>";
  using ws = workspace({
    "long": `${"é".repeat(15_998)}\nxyz\n`,
    "exact": "x".repeat(16_000),
    "over": `${"x".repeat(15_999)}\n`,
    "lines": "a\n".repeat(10_000),
  });
  assertEquals(
    await textOf(ws, view("long")),
    block("/ws/long", `     1\t${"é".repeat(15_998)}\n     2\tx${note}`),
  );
  assertEquals(await textOf(ws, view("exact")), block("/ws/exact", `     1\t${"x".repeat(16_000)}`));
  assertEquals(await textOf(ws, view("over")), block("/ws/over", `     1\t${"x".repeat(15_999)}\n     2\t`));
  const lines = await textOf(ws, view("lines"));
  assertEquals(lines.split("\n").slice(-3), [`  8000\ta`, `  8001\t${note}`, ""]);
  assertEquals(
    await textOf(ws, view("lines", [9_999, -1])),
    block("/ws/lines", "  9999\ta\n 10000\ta\n 10001\t"),
  );
});

Deno.test("str_replace_editor view lists a folder as find does", async () => {
  using ws = workspace({
    "b.txt": "",
    "A/z.txt": "",
    "A/deep/x.txt": "",
    "A/.h": "",
    ".git/x": "",
    "a b/c": "",
    "c\nd": "",
  });
  Deno.symlinkSync(ws.at("A"), ws.at("link"));
  assertEquals(
    await textOf(ws, view(".")),
    "Here's the files and directories up to 2 levels deep in /ws, excluding hidden items:\n" +
      "/ws\n/ws/A\n/ws/A/deep\n/ws/A/z.txt\n/ws/a b\n/ws/a b/c\n/ws/b.txt\n/ws/c\\nd\n/ws/link\n",
  );
});

Deno.test("str_replace_editor create makes the file and its folders", async () => {
  using ws = workspace();
  assertEquals(
    await textOf(ws, create("a/b/c.txt", "\tx\r\n")),
    "File created successfully at: /ws/a/b/c.txt",
  );
  assertEquals(ws.read("a/b/c.txt"), "\tx\r\n");
});

const REVIEW = "Review the changes and make sure they are as expected";

Deno.test("str_replace_editor str_replace shows 4 lines around the change", async () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
  using ws = workspace({ f: lines.join("\n") + "\n", g: "\ta\nb\nc" });
  assertEquals(
    await textOf(ws, replace("f", "line 10\n", "x\ny\n")),
    "The file /ws/f has been edited. " + block(
      "a snippet of /ws/f",
      "     6\tline 6\n     7\tline 7\n     8\tline 8\n     9\tline 9\n    10\tx\n    11\ty\n    12\tline 11\n" +
        "    13\tline 12\n    14\tline 13\n    15\tline 14\n    16\tline 15",
    ) + `${REVIEW}. Edit the file again if necessary.`,
  );
  assertEquals(
    await textOf(ws, replace("g", "b")),
    "The file /ws/g has been edited. " +
      block("a snippet of /ws/g", "     1\t        a\n     2\t\n     3\tc") +
      `${REVIEW}. Edit the file again if necessary.`,
  );
  assertEquals(ws.read("g"), "\ta\n\nc");
});

Deno.test("str_replace_editor str_replace keeps every other byte", async () => {
  const eight = " ".repeat(8);
  const cases: [string, string, string, string][] = [
    ["all:\n\tcc x\tq\nb:\n\tld\n", "\tcc", "\tgcc", "all:\n\tgcc x\tq\nb:\n\tld\n"],
    ["all:\n\tcc x\nb:\n\tld\n", `${eight}cc x`, `${eight}gcc\n${eight}ar`, "all:\n\tgcc\n\tar\nb:\n\tld\n"],
    ["f {\r\n\t\tx\r\n}\r\n", `f {\n${eight}${eight}x`, `f {\n${eight}y`, "f {\r\n\ty\r\n}\r\n"],
    ["a\r\nb\r\n", "a\nb", "x\ny", "x\r\ny\r\n"],
    ["\ufeffa\n", "a", "b", "\ufeffb\n"],
  ];
  for (const [before, old_str, new_str, after] of cases) {
    using ws = workspace({ f: before });
    await textOf(ws, replace("f", old_str, new_str));
    assertEquals(bytesOf(ws, "f"), after);
  }
});

Deno.test("str_replace_editor insert shows 4 lines around the text", async () => {
  const cases: [string, number, string, string, string][] = [
    [
      "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
      5,
      "x\ny",
      "1\n2\n3\n4\n5\nx\ny\n6\n7\n8\n9\n",
      "     2\t2\n     3\t3\n     4\t4\n     5\t5\n     6\tx\n     7\ty\n     8\t6\n     9\t7\n    10\t8\n    11\t9",
    ],
    ["a\n", 0, "x", "x\na\n", "     1\tx\n     2\ta\n     3\t"],
    ["a\n", 1, "x", "a\nx\n", "     1\ta\n     2\tx\n     3\t"],
    ["a\n", 2, "x", "a\n\nx", "     1\ta\n     2\t\n     3\tx"],
    ["a", 1, "x", "a\nx", "     1\ta\n     2\tx"],
    ["", 0, "x", "x\n", "     1\tx\n     2\t"],
    [
      "\ufeffa\r\n\tb\r\n",
      0,
      "x\ny",
      "\ufeffx\r\ny\r\na\r\n\tb\r\n",
      "     1\tx\n     2\ty\n     3\ta\n     4\t        b\n     5\t",
    ],
  ];
  for (const [before, insert_line, new_str, after, body] of cases) {
    using ws = workspace({ f: before });
    assertEquals(
      await textOf(ws, insert("f", insert_line, new_str)),
      "The file /ws/f has been edited. " + block("a snippet of the edited file", body) +
        `${REVIEW} (correct indentation, no duplicate lines, etc). Edit the file again if necessary.`,
    );
    assertEquals(bytesOf(ws, "f"), after);
  }
});

Deno.test("str_replace_editor undo_edit goes back through all edits and the creation", async () => {
  using ws = workspace();
  await textOf(ws, create("f", "a\n"));
  await textOf(ws, replace("f", "a", "b"));
  await textOf(ws, insert("f", 1, "c"));
  assertEquals(
    await textOf(ws, undo("f")),
    "Last edit to /ws/f undone successfully. " + block("/ws/f", "     1\tb\n     2\t"),
  );
  assertEquals(
    await textOf(ws, undo("f")),
    "Last edit to /ws/f undone successfully. " + block("/ws/f", "     1\ta\n     2\t"),
  );
  assertEquals(
    await textOf(ws, undo("f")),
    "Last edit to /ws/f undone successfully. The edit had created the file, so it was removed.",
  );
  assertEquals(Array.from(Deno.readDirSync(ws.path)), []);
  Deno.writeTextFileSync(ws.at("f"), "a\n");
  assertEquals(await textOf(ws, undo("f")), "Error: No edit history found for /ws/f.");
});

Deno.test("str_replace_editor undo_edit keeps 50 edits of a file", async () => {
  using ws = workspace({ f: "0" });
  for (let turn = 0; turn < 55; turn++) {
    const edit = replace(ws.at("f"), `${turn}`, `${turn + 1}`);
    assertEquals((await ws.run(editor, edit)).ok, true);
  }
  let undone = 0;
  while ((await ws.run(editor, undo(ws.at("f")))).ok) undone++;
  assertEquals([undone, ws.read("f")], [50, "5"]);
});

Deno.test("str_replace_editor undo_edit refuses when something else changed the file", async () => {
  using ws = workspace({ f: "1" });
  await textOf(ws, replace("f", "1", "2"));
  Deno.writeTextFileSync(ws.at("f"), "3");
  assertEquals(
    await textOf(ws, undo("f")),
    'Error: Cannot undo the last edit of "/ws/f": the file was changed or removed since by something else, view ' +
      "it and edit it by hand",
  );
  assertEquals(ws.read("f"), "3");
});

Deno.test("str_replace_editor words its refusals as documented and changes nothing", async () => {
  using ws = workspace({ "a": "x\ny\nx\ny\n", "d/f": "", "latin1": Uint8Array.of(0x61, 0xff, 0x80) });
  const range = "Invalid `view_range`";
  const refusals: Record<string, [{ path: string }, string][]> = {
    not_found: [
      [view("none"), "The path /ws/none does not exist. Please provide a valid path."],
      [replace("a", "z"), "No replacement was performed, old_str `z` did not appear verbatim in /ws/a."],
      [undo("a"), "No edit history found for /ws/a."],
    ],
    invalid_input: [
      [
        insert("d", 0, ""),
        "The path /ws/d is a directory and only the `view` command can be used on directories",
      ],
      [create("new"), "Parameter `file_text` is required for command: create"],
      [replace("a"), "Parameter `old_str` is required for command: str_replace"],
      [replace("a", ""), "Parameter `old_str` must not be empty for command: str_replace"],
      [insert("a", undefined, ""), "Parameter `insert_line` is required for command: insert"],
      [insert("a", 0), "Parameter `new_str` is required for command: insert"],
      [view("d", [1, 2]), "The `view_range` parameter is not allowed when `path` points to a directory."],
      [view("a", [1, 2, 3]), `${range}. It should be a list of two integers.`],
      [
        view("a", [0, 2]),
        `${range}: [0, 2]. Its first element \`0\` should be within the range of lines of the file: [1, 5]`,
      ],
      [
        view("a", [6, -1]),
        `${range}: [6, -1]. Its first element \`6\` should be within the range of lines of the file: [1, 5]`,
      ],
      [
        view("a", [1, 6]),
        `${range}: [1, 6]. Its second element \`6\` should be smaller than the number of lines in the file: \`5\``,
      ],
      [
        view("a", [3, 2]),
        `${range}: [3, 2]. Its second element \`2\` should be larger or equal than its first \`3\``,
      ],
      [
        insert("a", 6, ""),
        "Invalid `insert_line` parameter: 6. It should be within the range of lines of the file: [0, 5]",
      ],
      [
        view("latin1"),
        'Failed to read /ws/latin1: "/ws/latin1" is not UTF-8 text: it holds bytes that are not UTF-8',
      ],
      [
        replace("latin1", "a"),
        'Failed to read /ws/latin1: Cannot edit "/ws/latin1": it is not valid UTF-8, and editing would change its ' +
        "other bytes",
      ],
    ],
    conflict: [
      [create("a", ""), "File already exists at: /ws/a. Cannot overwrite files using command `create`."],
      [
        replace("a", "x"),
        "No replacement was performed. Multiple occurrences of old_str `x` in lines [1, 3]. Please ensure it is unique",
      ],
      [
        replace("a", "x\ny"),
        "No replacement was performed. Multiple occurrences of old_str `x\ny` in lines [1, 3]. Please ensure it is unique",
      ],
    ],
  };
  for (const [code, rows] of Object.entries(refusals)) {
    for (const [input, message] of rows) {
      const { error, text } = await ws.run(editor, { ...input, path: ws.at(input.path) });
      assertEquals(text.replaceAll(ws.path, "/ws"), `Error: ${message}`);
      assertEquals(error?.code, code, message);
    }
  }
  assertEquals(ws.read("a"), "x\ny\nx\ny\n");
});

Deno.test("str_replace_editor needs an absolute path inside the grants", async () => {
  using ws = workspace({ "a.txt": "x" });
  const relative = await ws.run(editor, view("a.txt"));
  assertEquals(relative.text, "Error: The path a.txt is not an absolute path");
  const outside = await ws.run(editor, view("/etc/hostname"));
  assertEquals(outside.error?.code, "permission_denied");
});

Deno.test("str_replace_editor names the allowed commands", () => {
  const { error } = editor.input.safeParse({ command: "delete", path: "/a" });
  assertStringIncludes(
    error?.message ?? "",
    "Unrecognized command delete. The allowed commands for the str_replace_editor tool are: view, create, " +
      "str_replace, insert, undo_edit",
  );
});
