import { assertEquals } from "@std/assert";

import { AnswerText, type Said } from "../../../../../runtime/server/openai/answer_text.ts";

const LONG = "The orders are counted by day. ".repeat(10).trim();

Deno.test("a long text is told while it comes, and not again at the end", () => {
  const text = new AnswerText(false);
  const pieces = [LONG.slice(0, 200), LONG.slice(200, 260), LONG.slice(260)].map((piece) =>
    contentOf(text.push(piece))
  );
  assertEquals(pieces.map(({ length }) => length), [0, 260, LONG.length - 260]);
  assertEquals([pieces.join(""), text.end(LONG)], [LONG, []]);
});

Deno.test("short words before a call are remarks, and a short answer is content", () => {
  const text = new AnswerText(false);
  const said = [text.push("I look."), text.pause(), text.push("Four."), text.end("Four.")].flat();
  assertEquals(said, [{ remark: "I look.\n" }, { content: "Four." }]);
});

Deno.test("a held text that is taken back is never told", () => {
  const text = new AnswerText(false);
  assertEquals([text.push("{broken"), text.restart(), text.push("Four."), text.end("Four.")].flat(), [
    { content: "Four." },
  ]);
});

Deno.test("a text that comes again is told once", () => {
  for (const rest of ["", " And more."]) {
    const text = new AnswerText(false);
    const first = text.push(LONG);
    text.restart();
    const again = [...LONG.slice(0, 40), LONG.slice(40), rest].flatMap((piece) => text.push(piece));
    assertEquals(contentOf([...first, ...again, ...text.end(LONG + rest)]), LONG + rest);
  }
});

Deno.test("another text than the one that was taken back stands below it", () => {
  const text = new AnswerText(false);
  const said = [
    text.push(LONG),
    text.restart(),
    text.push("The orders "),
    text.push("are five."),
    text.end("The orders are five."),
  ];
  assertEquals(contentOf(said.flat()), `${LONG}\n\nThe orders are five.`);
});

Deno.test("the rest of an answer whose text broke off comes at the end", () => {
  const text = new AnswerText(false);
  const said = [text.push(LONG), text.restart(), text.end(`${LONG} Done.`)];
  assertEquals(contentOf(said.flat()), `${LONG} Done.`);
});

Deno.test("an answer that a call gave stands below earlier text, and earlier text that is the answer stands alone", () => {
  const text = new AnswerText(false);
  const said = [text.push(LONG), text.pause(), text.end("Four.")];
  assertEquals(contentOf(said.flat()), `${LONG}\n\nFour.`);
  const other = new AnswerText(false);
  assertEquals(contentOf([other.push(LONG), other.pause(), other.end(LONG)].flat()), LONG);
});

Deno.test("an answer that must be whole is told at the end alone", () => {
  const text = new AnswerText(true);
  assertEquals([text.push(LONG), text.restart(), text.push('{"a": 1}'), text.end('{"a":1}')].flat(), [
    { content: '{"a":1}' },
  ]);
});

function contentOf(said: readonly Said[]): string {
  return said.map((piece) => "content" in piece ? piece.content : "").join("");
}
