import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import type { ToolContext } from "../../../../../../schemas/context.ts";
import { ToolError } from "../../../../../../schemas/error.ts";
import type { ToolDefinition } from "../../../../../../schemas/tool.ts";
import { readContent, wayNote } from "../../../../../../tools/engine/web/content/read_content.ts";
import { readers } from "../../../../../../tools/mod.ts";
import { ARTICLE } from "../../../../../support/web/pages.ts";

/** A context whose readers work in this process. */
const asked: string[] = [];
const context = {
  deadline: Date.now() + 600_000,
  documents: {
    async read(name: string, bytes: Uint8Array, { input }: { input: unknown }) {
      asked.push(name);
      const loaded = await readers[`reader/${name}` as keyof typeof readers]();
      const reader = loaded.default as unknown as ToolDefinition;
      return await reader.run(reader.input.parse(input), { bytes } as ToolContext);
    },
  },
} as unknown as ToolContext;

const options = { want: "article", maxChars: 100_000 } as const;
const given = (content: string | Uint8Array, contentType: string) => ({
  bytes: typeof content === "string" ? new TextEncoder().encode(content) : content,
  contentType,
  url: "https://harbour.example/a",
});

Deno.test("readContent() reads pages and texts with the reader of pages", async () => {
  const page = await readContent(given(ARTICLE, "text/html"), options, context);
  assertEquals([page.kind, page.way, page.site, page.picture], ["html", "article", "Harbour News", null]);
  const json = await readContent(given('{"a": 1}', "application/json"), options, context);
  assertEquals([json.kind, json.way, json.text], ["json", "text", '{"a": 1}']);
});

Deno.test("readContent() gives images to the reader of images", async () => {
  const gif = Uint8Array.from(
    atob("R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs="),
    (letter) => letter.charCodeAt(0),
  );
  const found = await readContent(given(gif, "text/html"), options, context);
  assertEquals([found.kind, found.way, asked.at(-1)], ["image", "picture", "image"]);
  assertStringIncludes(found.text, "GIF, 1 x 1 pixels");
  assertEquals((found.picture?.bytes.length ?? 0) > 0, true);
});

Deno.test("readContent() refuses what is no text, and says so", async () => {
  const archive = given(new Uint8Array([0x1f, 0x8b, 8, 0]), "application/gzip");
  const error = await assertRejects(() => readContent(archive, options, context), ToolError);
  assertEquals(error.code, "invalid_input");
  assertStringIncludes(error.message, '"application/gzip"');
});

Deno.test("wayNote() says where no article was found, and how to read all", () => {
  assertEquals(wayNote("article", "Pass x."), null);
  assertEquals(wayNote("text", "Pass x."), null);
  assertStringIncludes(wayNote("main", "Pass x.") ?? "", "Pass x.");
  assertStringIncludes(wayNote("body", "Pass x.") ?? "", "No article was found");
});
