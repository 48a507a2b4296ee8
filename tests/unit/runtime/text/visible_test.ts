import { assertEquals } from "@std/assert";

import { foldBlanks, showHidden } from "../../../../runtime/text/visible.ts";

Deno.test(
  "showHidden() shows what nobody sees, and letters that look like others",
  { permissions: "none" },
  () => {
    const unseen =
      "\u3164\u115f\u1160\uffa0\u2800\u00a0\u00ad\u200b\u200d\u2060\ufeff\ufe0f\u202e\u2066\u061c\u180e\u3000" +
      "\u034f\u17b4\u2003\u2028\x07\x1b\x7f\x9b\ud800\ue000";
    for (const unit of unseen) {
      const code = `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
      assertEquals(showHidden(`a${unit}b`), `a${code}b`);
    }
    const cases: readonly (readonly [text: string, shown: string])[] = [
      ["\u{e0041}", "\\udb40\\udc41"],
      ["rm -rf \u0430bc", "rm -rf \\u0430bc"],
      ["\u0440\u0430\u0443 now", "\\u0440\\u0430\\u0443 now"],
      ["\u03bfpen", "\\u03bfpen"],
      ["/etc\u2215passwd", "/etc\\u2215passwd"],
      ["\uff52\uff4d x", "\\uff52\\uff4d x"],
      ["\u{1d42b}m", "\\ud835\\udc2bm"],
      ["\u0261it", "\\u0261it"],
      ["привет, мир: git push", "привет, мир: git push"],
      ["вопрос про git push", "вопрос про git push"],
      ['"\\nПривет"', '"\\nПривет"'],
      ["日本語abc、東京！", "日本語abc、東京！"],
      ["Grüße, naïve café 🙂 … – “x”", "Grüße, naïve café 🙂 … – “x”"],
      ["a\tb", "a\tb"],
    ];
    for (const [text, shown] of cases) assertEquals(showHidden(text), shown);
  },
);

Deno.test("foldBlanks() counts blanks that push the rest out of sight", { permissions: "none" }, () => {
  assertEquals(foldBlanks(`a${" ".repeat(5_000)}; b`), "a␠×5000; b");
  assertEquals(foldBlanks(`a${"\u3164\t ".repeat(20)}b`), "a␠×60b");
  assertEquals(foldBlanks(`a${"\n".repeat(51)}b`), "a\n⏎×50\nb");
  assertEquals(
    foldBlanks(`if x; then\n${" ".repeat(24)}y\n\n\nfi`),
    `if x; then\n${" ".repeat(24)}y\n\n\nfi`,
  );
});
