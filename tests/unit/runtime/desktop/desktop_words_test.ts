import { assertEquals, assertStringIncludes } from "@std/assert";

import { beforeDisplay, DESKTOP_VARIABLES, displayWords } from "../../../../runtime/desktop/desktop_words.ts";

const PROGRAMS = { display: "/usr/bin/Xvfb", manager: "/usr/bin/openbox" };

Deno.test("displayWords() make a display that only its own network reaches", () => {
  const words = displayWords(PROGRAMS).join(" ");
  assertStringIncludes(words, "/usr/bin/Xvfb :0 -screen 0 1024x768x24 ");
  assertStringIncludes(words, "-listen tcp -nolisten unix -nolisten local");
  assertEquals(DESKTOP_VARIABLES.DISPLAY, "127.0.0.1:0");
});

Deno.test("beforeDisplay() gives names of programs as names", () => {
  const menu = [{ label: 'a"<b>&', program: "/opt/it's here/a<b>" }];
  const words = beforeDisplay(PROGRAMS, { menu, start: ["mousepad", "a b.txt"] });
  assertEquals(words.slice(0, 2), ["bash", "-c"]);
  assertEquals(words.slice(-3), ["2", "mousepad", "a b.txt"]);
  const text = words.at(-4)!;
  assertStringIncludes(text, 'label="a&#34;&#60;b&#62;&#38;"');
  assertStringIncludes(text, "<command>bash RUN_FILE '/opt/it'\\''s here/a&#60;b&#62;'</command>");
});
