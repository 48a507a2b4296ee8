import { assertEquals } from "@std/assert";

import { toAnswer } from "../../../../runtime/mcp/to_answer.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { ToolResult } from "../../../../schemas/result.ts";

const RESULT: ToolResult = {
  tool_name: "a/b",
  ok: true,
  result: { count: 1 },
  text: "one",
  images: [{ mime_type: "image/png", data: "AAAA" }],
  artifacts: [],
  warnings: [],
  error: null,
  metadata: { duration_ms: 1, place: "worker" },
};
const PARTS = { resources: [], structured: true };

Deno.test("toAnswer() gives text, pictures, structure and links", () => {
  const resource = { uri: "bulkhead://artifact/1/a.txt", name: "a.txt", mimeType: "text/plain", size: 3 };
  assertEquals(toAnswer(RESULT, { resources: [resource], structured: true }), {
    content: [
      { type: "text", text: "one" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "resource_link", ...resource },
    ],
    structuredContent: { count: 1 },
    isError: false,
  });
  assertEquals("structuredContent" in toAnswer(RESULT, { resources: [], structured: false }), false);
  assertEquals("structuredContent" in toAnswer({ ...RESULT, result: "one" }, PARTS), false);
});

Deno.test("toAnswer() gives sounds, and documents as a text or as bytes", () => {
  const answer = toAnswer({
    ...RESULT,
    images: [],
    audio: [{ mime_type: "audio/wav", data: "UklG" }],
    resources: [
      { uri: "note://1", mime_type: "text/plain", text: "" },
      { uri: "file://2", data: "AAEC" },
    ],
  }, PARTS);
  assertEquals(answer.content, [
    { type: "text", text: "one" },
    { type: "audio", data: "UklG", mimeType: "audio/wav" },
    { type: "resource", resource: { uri: "note://1", mimeType: "text/plain", text: "" } },
    { type: "resource", resource: { uri: "file://2", blob: "AAEC" } },
  ]);
});

Deno.test("toAnswer() tells a failure with its code, and its warnings", () => {
  const error = new ToolError("not_found", "No such file").toInfo();
  const answer = toAnswer({ ...RESULT, ok: false, error, images: [], warnings: ["w"] }, PARTS);
  assertEquals(answer, {
    content: [{ type: "text", text: "one" }],
    isError: true,
    _meta: { "bulkhead/warnings": ["w"], "bulkhead/error": error },
  });
});

Deno.test("toAnswer() sends no structure that no client would take", () => {
  const answer = toAnswer({ ...RESULT, result: { text: "x".repeat(5 * 1024 * 1024) } }, PARTS);
  assertEquals([answer.isError, JSON.stringify(answer).length < 1_000], [true, true]);
});
