import { assertEquals, assertStringIncludes } from "@std/assert";

import { disposition, fileAnswer } from "../../../../runtime/server/changes/file_answer.ts";

Deno.test(
  "a file is shown only as what can run nothing, and shut in even then",
  { permissions: "none" },
  () => {
    const cases = {
      "image/png": ["inline", "image/png"],
      "text/plain": ["inline", "text/plain; charset=utf-8"],
      "text/html": ["attachment", "text/html"],
      "image/svg+xml": ["attachment", "image/svg+xml"],
      "application/xhtml+xml": ["attachment", "application/xhtml+xml"],
      "application/pdf": ["attachment", "application/pdf"],
      "text/javascript": ["attachment", "text/javascript"],
      "application/octet-stream": ["attachment", "application/octet-stream"],
    };
    for (const [type, [kind, told]] of Object.entries(cases)) {
      const { headers = {}, bytes } = fileAnswer("f", { bytes: new Uint8Array(1), type });
      assertEquals([headers["content-disposition"], bytes?.type], [`${kind}; filename="f"`, told]);
      assertEquals(headers["x-content-type-options"], "nosniff");
      assertStringIncludes(headers["content-security-policy"]!, "sandbox; default-src 'none'");
      assertEquals(/allow-|script-src|connect-src/.test(headers["content-security-policy"]!), false);
    }
  },
);

Deno.test("a file's name ends no header and begins no other", { permissions: "none" }, () => {
  assertEquals(disposition("inline", "a b-2.png"), 'inline; filename="a b-2.png"');
  const names = ['x"; y="', "a\r\nset-cookie: b=1", "ü\ud800.png", "a\\b", "'*()"];
  for (const name of names) {
    const text = disposition("attachment", name);
    assertEquals(/^attachment; filename="[\w .()+-]*"; filename\*=UTF-8''[\w.~!%-]*$/.test(text), true, text);
    new Headers({ "content-disposition": text });
  }
});
