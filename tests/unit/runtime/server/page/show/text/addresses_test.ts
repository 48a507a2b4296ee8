import { assertEquals } from "@std/assert";

import { linkAddress, pictureAddress } from "../../../../../../../runtime/server/page/show/text/addresses.ts";

Deno.test("linkAddress opens pages and letters, and nothing that runs or that this page would take for its own", () => {
  assertEquals(linkAddress("https://example.com/a?b"), "https://example.com/a?b");
  assertEquals(linkAddress("mailto:a@example.com"), "mailto:a@example.com");
  const programs = [
    "javascript:x",
    " JavaScript:x",
    "java\nscript:x",
    "data:text/html,x",
    "vbscript:x",
    "blob:x",
  ];
  for (
    const address of [...programs, "file:///etc/passwd", "#/runs/1", "/runs", "src/a.ts", "//example.com"]
  ) {
    assertEquals(linkAddress(address), null, address);
  }
});

Deno.test("pictureAddress takes pictures in the text and files of runs, and nothing from outside", () => {
  for (const address of ["data:image/png;base64,AA", "/runs/r-1/files/a%20b.png"]) {
    assertEquals(pictureAddress(address), address);
  }
  const outside = ["https://example.com/a.png", "//example.com/a.png", "data:text/html,x", "javascript:x"];
  const elsewhere = ["/folders?path=/", "/runs/../folders", "/runs/r/files/a/../../b", "/runs/r/files/a?b"];
  for (const address of [...outside, ...elsewhere, "/runs/r/files\\a"]) {
    assertEquals(pictureAddress(address), null, address);
  }
});
