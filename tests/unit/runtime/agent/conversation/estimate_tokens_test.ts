import { assert, assertEquals } from "@std/assert";

import {
  estimateMessage,
  estimateText,
  estimateTools,
  lengthOfTokens,
  PICTURE_TOKENS,
} from "../../../../../runtime/agent/conversation/estimate_tokens.ts";
import { TokenMeter } from "../../../../../runtime/agent/loop/token_meter.ts";

/** Texts with the tokens that a common tokenizer of 100,000 to 200,000 entries makes of them. */
const TEXTS: [string, number, number][] = [
  ["", 0, 0],
  ["word", 1, 1],
  ["The quick brown fox jumps over the lazy dog.", 9, 12],
  ["日本語のテキストです", 5, 12],
  ["Привет, как дела?", 5, 12],
  ['{"path": "src/main.ts", "start_line": 120}', 12, 22],
  ["const total = items.reduce((sum, item) => sum + item.price, 0);", 14, 26],
  ["2026-11-21T06:40:00Z", 9, 18],
  ["😀😀😀", 3, 9],
  ["a".repeat(1_000), 100, 250],
  ["=".repeat(80), 1, 20],
  [" ".repeat(80), 1, 10],
];

Deno.test("estimateText() is near what tokenizers count, for prose, code and scripts without spaces", () => {
  for (const [text, least, most] of TEXTS) {
    const tokens = estimateText(text);
    assert(tokens >= least && tokens <= most, `${tokens} for ${JSON.stringify(text.slice(0, 40))}`);
  }
});

Deno.test("lengthOfTokens() cuts within the tokens and never inside a character", () => {
  for (const text of ["word ".repeat(500), "a".repeat(9_000), "😀".repeat(800), "日本".repeat(400)]) {
    for (const max of [1, 50, 51, 333]) {
      const cut = text.slice(0, lengthOfTokens(text, max));
      assert(cut.isWellFormed(), `${max} of ${text.slice(0, 5)}`);
      assert(estimateText(cut) <= max + 16 && cut.length > 0, `${estimateText(cut)} for ${max}`);
    }
  }
  assertEquals(lengthOfTokens("short", 100), 5);
});

Deno.test("estimateMessage() counts calls, the provider's fields, and pictures as they are sent", () => {
  const call = { id: "1", name: "Read", arguments: '{"path":"a.txt"}' };
  const plain = { role: "assistant", content: "", tool_calls: [] } as const;
  const options = { freshPictures: false };
  const bare = estimateMessage(plain, options);
  assert(estimateMessage({ ...plain, tool_calls: [call] }, options) > bare + 8);
  assert(
    estimateMessage({ ...plain, extra: { reasoning_content: "word ".repeat(90) } }, options) > bare + 80,
  );
  const picture = { type: "image", path: "/a.png", mime_type: "image/png", bytes: 5_000_000 } as const;
  const shown = { role: "user", kind: "pictures", content: [picture] } as const;
  assert(estimateMessage(shown, { freshPictures: true }) >= PICTURE_TOKENS);
  assert(estimateMessage(shown, options) < 30);
});

Deno.test("estimateTools() counts names, descriptions and schemas", () => {
  const tool = { name: "Read", description: "word ".repeat(100), parameters: { type: "object" } };
  assertEquals(estimateTools([]), 0);
  assert(estimateTools([tool, tool]) > 200);
});

Deno.test("TokenMeter corrects estimates by what was counted last, but not by nonsense", () => {
  const meter = new TokenMeter();
  assertEquals(meter.correct(1_000), 1_000);
  meter.learn(1_000, 1_500);
  assertEquals([meter.correct(1_000), meter.correct(2_000)], [1_500, 3_000]);
  meter.learn(1_000, 1);
  assertEquals(meter.correct(1_000), 750);
  meter.learn(1_000, 0);
  assertEquals(meter.correct(1_000), 750);
  meter.learn(1_000, 90_000);
  assertEquals([meter.correct(1_000), meter.correct(1_100)], [90_000, 90_300]);
  assertEquals(meter.scale(100), 300);
  meter.restart();
  assertEquals(meter.correct(500), 1_500);
});
