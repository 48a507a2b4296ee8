import { assertEquals, assertRejects } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import type { Files, OpenFile } from "../../../../../schemas/context.ts";
import { readWhole } from "../../../../../tools/engine/file/read_whole.ts";
import { workspace } from "../../../../support/run_tool.ts";

/** Opens a real file; the change comes with its first read, after its size was looked at. */
function contextOf(path: string, change: () => void) {
  const open = (): Promise<OpenFile> => {
    const file = Deno.openSync(path);
    const read = file.read.bind(file);
    file.read = (buffer) => {
      change();
      change = () => {};
      return read(buffer);
    };
    const info = file.statSync();
    return Promise.resolve({ path, real: path, info, file, [Symbol.dispose]: () => file.close() });
  };
  return { files: { open } as unknown as Files, signal: AbortSignal.any([]) };
}

Deno.test("readWhole() reads a file that stays as it is", async () => {
  using ws = workspace({ "a.pdf": "%PDF-1.7 and more" });
  const bytes = await readWhole(contextOf(ws.at("a.pdf"), () => {}), "a.pdf", "pdf");
  assertEquals(new TextDecoder().decode(bytes), "%PDF-1.7 and more");
});

Deno.test("readWhole() gives no mixture of a file that changes meanwhile", async () => {
  for (const text of ["%PDF-1.7 longer than it was before", "%PDF", "%PDF-1.7 and MORE"]) {
    using ws = workspace({ "a.pdf": "%PDF-1.7 and more" });
    Deno.utimeSync(ws.at("a.pdf"), 1, 1);
    const change = () => Deno.writeTextFileSync(ws.at("a.pdf"), text);
    const reading = () => readWhole(contextOf(ws.at("a.pdf"), change), "a.pdf", "pdf");
    assertEquals((await assertRejects(reading, ToolError)).code, "conflict", text);
  }
});

Deno.test("readWhole() refuses what is too large for its kind before it reads", async () => {
  using ws = workspace({ "a": "" });
  const limits = { pdf: 64, image: 50, office: 100 } as const;
  for (const [kind, megabytes] of Object.entries(limits)) {
    Deno.truncateSync(ws.at("a"), megabytes * 1024 * 1024 + 1);
    const context = contextOf(ws.at("a"), () => {
      throw new Error("it was read");
    });
    const error = await assertRejects(() => readWhole(context, "a", kind as keyof typeof limits), ToolError);
    assertEquals([error.code, error.details.max_size], ["limit_exceeded", megabytes * 1024 * 1024], kind);
  }
});
