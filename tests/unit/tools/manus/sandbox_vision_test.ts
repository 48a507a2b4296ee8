import { assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";

import { formatOf } from "../../../../schemas/first_bytes.ts";
import sandboxShell from "../../../../tools/manus/sandbox_shell.ts";
import sandboxVision from "../../../../tools/manus/sandbox_vision.ts";
import { fixture } from "../../../support/documents/picture.ts";
import { png } from "../../../support/documents/png.ts";
import { programTest } from "../../../support/needed_programs.ts";
import { type Ran, workspace } from "../../../support/run_tool.ts";

const BOX = ["bwrap", "bash"];

/** A sandbox with files in it. */
function sandbox(files: Record<string, string | Uint8Array>) {
  return workspace(
    Object.fromEntries(Object.entries(files).map(([name, data]) => [join(".apart", name), data])),
  );
}

function see(ws: ReturnType<typeof workspace>, file_path: string): Promise<Ran> {
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
  const command = `mkfifo fifo; mkdir dir; truncate -s 11M big.png; ln -s ${
    ws.at("mine.png")
  } link.png; ln -s /usr usr`;
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
