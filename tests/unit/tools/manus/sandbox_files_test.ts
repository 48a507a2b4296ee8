import { assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";

import { formatOf } from "../../../../schemas/first_bytes.ts";
import sandboxFiles from "../../../../tools/manus/sandbox_files.ts";
import sandboxShell from "../../../../tools/manus/sandbox_shell.ts";
import sandboxVision from "../../../../tools/manus/sandbox_vision.ts";
import { fixture } from "../../../support/documents/picture.ts";
import { png } from "../../../support/documents/png.ts";
import { programTest } from "../../../support/needed_programs.ts";
import { type Ran, type Workspace, workspace } from "../../../support/run_tool.ts";

const BOX = ["bwrap", "bash"];

function files(ws: Workspace, action: string, file_path: string, more: Record<string, unknown> = {}) {
  return ws.run(sandboxFiles, { action, file_path, ...more });
}

async function shell(ws: Workspace, command: string): Promise<string> {
  const input = { action: "execute_command", command, blocking: true };
  const { result, error } = await ws.run(sandboxShell, input);
  assertEquals([error, result?.exit_code], [null, 0], `${command}: ${result?.output}`);
  return result.output;
}

programTest(
  "sandbox_files() makes, changes, empties and removes files, in the document's words",
  BOX,
  async () => {
    await using ws = workspace();
    const exists = "already exists. Use full_file_rewrite to modify existing files.";
    const several = "Multiple occurrences found in lines [1, 2]. Please ensure string is unique";
    const table: [string, string, Record<string, unknown>, string][] = [
      [
        "create_file",
        "/workspace/a/b.txt",
        { file_contents: "one\ttwo\none 2\n" },
        "File 'a/b.txt' created successfully.",
      ],
      ["create_file", "a/b.txt", { file_contents: "" }, `Error: File 'a/b.txt' ${exists}`],
      [
        "str_replace",
        "a/b.txt",
        { old_str: "three", new_str: "" },
        "Error: String 'three' not found in file",
      ],
      ["str_replace", "a/b.txt", { old_str: "one", new_str: "" }, `Error: ${several}`],
      ["str_replace", "a/b.txt", { old_str: "one\t", new_str: "" }, "Replacement successful."],
      ["str_replace", "a/none", { old_str: "a", new_str: "" }, "Error: File 'a/none' does not exist"],
      [
        "full_file_rewrite",
        "a/none",
        { file_contents: "" },
        "Error: File 'a/none' does not exist. Use create_file to create a new file.",
      ],
      ["delete_file", "none", {}, "Error: File 'none' does not exist"],
      ["create_file", "a/c", {}, "Error: file_path and file_contents are required for create_file"],
      [
        "str_replace",
        "a/c",
        { old_str: "x" },
        "Error: file_path, old_str, and new_str are required for str_replace",
      ],
      ["delete_file", "", {}, "Error: file_path is required for delete_file"],
      [
        "create_file",
        "empty",
        { file_contents: "", permissions: "755" },
        "File 'empty' created successfully.",
      ],
      [
        "create_file",
        "bad",
        { file_contents: "", permissions: "4755" },
        'Error: permissions must be three octal digits such as 644, not "4755"',
      ],
    ];
    for (const [action, path, more, text] of table) {
      assertEquals((await files(ws, action, path, more)).text, text);
    }
    assertEquals(ws.read(".apart/a/b.txt"), "two\none 2\n");
    assertEquals(await shell(ws, "stat -c '%a %s' empty a/b.txt"), "755 0\n644 10\n");
    await shell(ws, "chmod 600 a/b.txt");
    const emptied = await files(ws, "full_file_rewrite", "a/b.txt", { file_contents: "" });
    assertEquals(emptied.text, "File 'a/b.txt' completely rewritten successfully.");
    assertEquals(await shell(ws, "stat -c '%a %s' a/b.txt; ls -A . a"), "600 0\n.:\na\nempty\n\na:\nb.txt\n");
    assertEquals((await files(ws, "delete_file", "a/b.txt")).text, "File 'a/b.txt' deleted successfully.");
  },
);

programTest("sandbox_files() takes any text and any name", BOX, async () => {
  await using ws = workspace();
  const text = "\uFEFF'\"$(id)`id`\\\r\n\u0000é\u2028 end";
  for (const name of ["with blank", "-rf", "two\nlines", "ends\n", "$HOME", "a'b\"c", ".env", "*"]) {
    assertEquals((await files(ws, "create_file", name, { file_contents: text })).error, null, name);
    assertEquals(ws.read(`.apart/${name}`), text, name);
    assertEquals((await files(ws, "str_replace", name, { old_str: "é", new_str: "$&" })).error, null, name);
    assertEquals(ws.read(`.apart/${name}`), text.replace("é", () => "$&"), name);
    assertEquals((await files(ws, "delete_file", name)).error, null, name);
  }
  const long = "x".repeat(9_000_000);
  await files(ws, "create_file", "long", { file_contents: `${long}é` });
  assertEquals((await files(ws, "str_replace", "long", { old_str: "é", new_str: "!" })).error, null);
  assertEquals(ws.read(".apart/long"), `${long}!`);
});

programTest("sandbox_files() follows no path and no link out of its folder", BOX, async () => {
  await using ws = workspace({ "mine.txt": "mine", "folder/x": "mine" });
  const links = [
    `ln -s ${ws.at("mine.txt")} file`,
    `ln -s ${ws.at("folder")} dir`,
    `ln -s ${"../".repeat(12)}${ws.at("mine.txt").slice(1)} up`,
    "ln -s ../mine.txt near; ln -s ../folder neardir",
    "ln -s /etc/passwd passwd; ln -s /tmp tmp; ln -s /proc/self/root root; ln -s loop loop",
  ];
  await shell(ws, links.join("; "));
  const outside = ["../mine.txt", "/workspace/../mine.txt", "a/../../mine.txt", "workspace/../../etc/passwd"];
  const linked = "file dir/x dir/new up near neardir/x passwd tmp/new root/tmp/new loop".split(" ");
  const writes = [
    ["create_file", { file_contents: "theirs" }],
    ["full_file_rewrite", { file_contents: "theirs" }],
    ["str_replace", { old_str: "m", new_str: "theirs" }],
  ] as const;
  for (const path of [...outside, ...linked]) {
    for (const [action, more] of writes) {
      const { error } = await files(ws, action, path, more);
      const refused = /^(invalid_input|not_found|conflict|unavailable)$/;
      assertMatch(error?.code ?? "none", refused, `${action} ${path}`);
    }
  }
  for (const path of [...outside, "dir/x", "neardir/x"]) {
    const { error } = await files(ws, "delete_file", path);
    assertMatch(error?.code ?? "none", /^(invalid_input|not_found)$/, path);
  }
  assertEquals((await files(ws, "delete_file", "near")).error, null);
  assertEquals([ws.read("mine.txt"), ws.read("folder/x")], ["mine", "mine"]);
  const left = Array.from(Deno.readDirSync(ws.path), ({ name }) => name);
  assertEquals(left.sort(), [".apart", "folder", "mine.txt"]);
});

programTest("sandbox_files() follows links within its folder", BOX, async () => {
  await using ws = workspace();
  await shell(ws, "mkdir d; echo one > d/a; ln -s /workspace/d/a link; ln -s d dirlink; chmod 640 d/a");
  assertEquals((await files(ws, "str_replace", "link", { old_str: "one", new_str: "two" })).error, null);
  assertEquals((await files(ws, "create_file", "dirlink/b", { file_contents: "b" })).error, null);
  assertEquals(await shell(ws, "cat d/a d/b; stat -c %a d/a; readlink link"), "two\nb640\n/workspace/d/a\n");
});

programTest("sandbox_files() refuses what is no text file", BOX, async () => {
  await using ws = workspace();
  await shell(ws, "mkfifo fifo; mkdir dir; printf '\\377' > bytes; truncate -s 1G huge; chmod 000 dir");
  const table: [string, string, Record<string, unknown>, string][] = [
    ["str_replace", "fifo", { old_str: "a", new_str: "b" }, "invalid_input"],
    ["full_file_rewrite", "fifo", { file_contents: "" }, "invalid_input"],
    ["str_replace", "bytes", { old_str: "a", new_str: "b" }, "invalid_input"],
    ["str_replace", "huge", { old_str: "a", new_str: "b" }, "limit_exceeded"],
    ["full_file_rewrite", "dir", { file_contents: "" }, "invalid_input"],
    ["delete_file", "dir", {}, "invalid_input"],
    ["delete_file", "/workspace", {}, "invalid_input"],
    ["create_file", "fifo/x", { file_contents: "" }, "unavailable"],
    ["create_file", "x\0y", { file_contents: "" }, "invalid_input"],
    ["create_file", "n".repeat(300), { file_contents: "" }, "unavailable"],
    ["create_file", "big", { file_contents: "x".repeat(11_000_000) }, "limit_exceeded"],
  ];
  for (const [action, path, more, code] of table) {
    const { error, text } = await files(ws, action, path, more);
    assertEquals(error?.code, code, `${action} ${path.slice(0, 20)}: ${text}`);
  }
  assertEquals((await files(ws, "delete_file", "fifo")).error, null);
  await shell(ws, "chmod 700 dir");
});

function sandbox(files: Record<string, string | Uint8Array>) {
  const apart = Object.entries(files).map(([name, data]) => [join(".apart", name), data]);
  return workspace(Object.fromEntries(apart));
}

function see(ws: Workspace, file_path: string): Promise<Ran> {
  return ws.run(sandboxVision, { action: "see_image", file_path });
}

programTest("sandbox_vision() shows a picture within the document's bounds", BOX, async () => {
  const cases = [
    [{ width: 3840, height: 1080 }, [1920, 540]],
    [{ width: 1000, height: 4000 }, [270, 1080]],
    [{ width: 2000, height: 2000 }, [1080, 1080]],
    [{ width: 1920, height: 1080 }, [1920, 1080]],
    [{ width: 20, height: 10 }, [20, 10]],
  ] as const;
  for (const [size, shown] of cases) {
    await using ws = sandbox({ "plots/a.png": png({ ...size, colour: 0, depth: 1 }) });
    const { result, images, error } = await see(ws, "/workspace/plots/a.png");
    assertEquals([error, result?.width, result?.height], [null, ...shown]);
    assertEquals(images.map(({ bytes }) => formatOf(bytes)?.type), ["image"]);
  }
});

programTest("sandbox_vision() tells pictures by their content", BOX, async () => {
  await using ws = sandbox({ "quad.txt": fixture("quad.jpg") });
  const { text, images } = await see(ws, "quad.txt");
  assertMatch(text, /^Loaded and compressed image 'quad\.txt' \(from 0\.\d\d MB to 0\.\d\d MB\)\.$/);
  assertEquals(images.map(({ mimeType }) => mimeType), ["image/jpeg"]);
});

programTest("sandbox_vision() refuses what is no picture of the sandbox", BOX, async () => {
  await using ws = sandbox({ "a.png": "no picture", "a.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>" });
  Deno.writeFileSync(ws.at("mine.png"), png({ width: 2, height: 2, colour: 0, depth: 1 }));
  const links = `ln -s ${ws.at("mine.png")} link.png; ln -s /usr usr`;
  const command = `mkfifo fifo; mkdir dir; truncate -s 11M big.png; ${links}`;
  await ws.run(sandboxShell, { action: "execute_command", command, blocking: true });
  const table: [string, string][] = [
    ["a.png", "invalid_input"],
    ["a.svg", "invalid_input"],
    ["", "invalid_input"],
    ["none.png", "not_found"],
    ["../mine.png", "invalid_input"],
    ["link.png", "invalid_input"],
    ["usr/share/x.png", "invalid_input"],
    ["fifo", "invalid_input"],
    ["dir", "invalid_input"],
    ["big.png", "limit_exceeded"],
  ];
  for (const [path, code] of table) {
    const { error, images, text } = await see(ws, path);
    assertEquals([error?.code, images], [code, []], `${path}: ${text}`);
  }
});
