import { assertEquals } from "@std/assert";

import { wordsOf } from "../../../../../runtime/agent/tool_search/words_of.ts";

Deno.test("wordsOf() splits names and leaves bent endings out", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["list_files", ["list", "file"]],
    ["readImage", ["read", "imag", "readimage"]],
    ["HTTPServer2x", ["http", "server", "2", "x", "httpserver2x"]],
    ["get-issues.by-label", ["get", "issu", "by", "label"]],
    ["Searches, matching queries; editing classes", ["search", "match", "query", "edit", "class"]],
    ["bus is as this string", ["bus", "is", "as", "this", "string"]],
    ["resizing resized resizes resize", ["resiz", "resiz", "resiz", "resiz"]],
    ["running settings getting", ["run", "set", "get"]],
    ["Straße öffnen 読む", ["straß", "öffnen", "読む"]],
    ["", []],
  ];
  for (const [text, words] of cases) assertEquals(wordsOf(text), words, text);
});
