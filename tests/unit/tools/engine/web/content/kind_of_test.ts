import { assertEquals } from "@std/assert";

import { kindOf, type WebKind } from "../../../../../../tools/engine/web/content/kind_of.ts";

const URL_OF = "https://shop.example/a";

const CASES: readonly (readonly [WebKind, string | Uint8Array, string])[] = [
  ["html", "<p>hello", "text/html; charset=utf-8"],
  ["html", "no tags at all", "text/html"],
  ["html", "<!-- c -->\n<!DOCTYPE html><html>", ""],
  ["html", "<html><body>", "application/octet-stream"],
  ["html", '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">', "application/xml"],
  ["html", "<html/>", "application/xhtml+xml"],
  ["text", "<html><body>", "text/plain"],
  ["text", "just words", ""],
  ["text", "# heading", "text/markdown"],
  ["text", "a { color: red }", "text/css"],
  ["text", "", "text/html-not"],
  ["json", '{"a": 1}', "application/json"],
  ["json", '{"a": 1}', "application/vnd.api+json; charset=utf-8"],
  ["json", '{"a": 1}\n', "text/html"],
  ["json", "[1, 2]", "text/plain"],
  ["text", "[draft] a note", "text/plain"],
  ["xml", "<rss/>", "application/rss+xml"],
  ["xml", '<?xml version="1.0"?><feed/>', ""],
  ["pdf", "%PDF-1.7 …", "text/html"],
  ["image", "\x89PNG\r\n\x1a\n", "application/json"],
  ["image", "GIF89a", "image/gif"],
  ["other", new Uint8Array([0, 1, 2, 3]), "application/octet-stream"],
  ["other", new Uint8Array([0x1f, 0x8b, 8]), "text/html"],
  ["html", new Uint8Array([0xff, 0xfe, 0x3c, 0, 0x68, 0, 0x74, 0, 0x6d, 0, 0x6c, 0, 0x3e, 0]), ""],
];

for (const [kind, given, contentType] of CASES) {
  const shown = typeof given === "string" ? JSON.stringify(given.slice(0, 30)) : `${given.length} bytes`;
  Deno.test(`kindOf() says ${kind} for ${shown} as ${JSON.stringify(contentType)}`, () => {
    const bytes = typeof given === "string" ? latin1(given) : given;
    assertEquals(kindOf(bytes, contentType, URL_OF), kind);
  });
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
