import { assertEquals, assertRejects } from "@std/assert";

import { serverAnswers } from "../../../../../runtime/sources/mcp/answers/answer_server.ts";
import { elicit } from "../../../../../runtime/sources/mcp/answers/elicit.ts";
import { cutText } from "../../../../../runtime/sources/mcp/tools/cut_text.ts";
import { ToolError } from "../../../../../schemas/error.ts";

/** How a form ends that a person answers so, and what they were asked. */
async function answered(params: unknown, ...answers: (string | null)[]) {
  const asked: string[] = [];
  const ask = ({ context }: { context?: string | undefined }) => {
    asked.push(context ?? "");
    return Promise.resolve(answers.shift() ?? null);
  };
  const { signal } = new AbortController();
  return { end: await elicit(params, { name: "srv", ask: ask as never, signal }), asked };
}
const form = (properties: Record<string, unknown>, required: string[] = []) => ({
  ...{ message: "Fill in", requestedSchema: { type: "object", properties, required } },
});
const TEXT = { type: "string" };

Deno.test("elicit() takes a yes alone for a yes, and sends nobody to an address", async () => {
  for (const word of ["yes", " Y "]) {
    assertEquals((await answered({ message: "?" }, word)).end, { action: "accept", content: {} });
  }
  for (const word of ["no", "yes, but", "ok", ""]) {
    assertEquals((await answered({ message: "?" }, word)).end, { action: "decline" });
  }
  assertEquals((await answered({ message: "?" }, null)).end, { action: "cancel" });
  const { code } = await assertRejects(
    () => answered({ mode: "url", message: "?", url: "https://evil" }),
    ToolError,
  );
  assertEquals(code, "invalid_input");
});

Deno.test("elicit() asks field by field, three times at most, and for no endless form", async () => {
  const two = form({ a: TEXT, n: { type: "integer" } }, ["a"]);
  assertEquals((await answered(two, "x", "7")).end, { action: "accept", content: { a: "x", n: 7 } });
  assertEquals((await answered(two, "x", "")).end, { action: "accept", content: { a: "x" } });
  assertEquals((await answered(two, "")).end, { action: "decline" });
  const wrong = await answered(two, "x", "seven", "eight", "nine", "7");
  assertEquals([wrong.end, wrong.asked.length], [{ action: "decline" }, 4]);
  const many = (count: number) =>
    form(Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, TEXT])));
  assertEquals((await answered(many(20), ...Array.from({ length: 20 }, () => "x"))).asked.length, 20);
  const { code } = await assertRejects(() => answered(many(21)), ToolError, "at most 20 fields");
  assertEquals(code, "limit_exceeded");
});

Deno.test("a server is told of the workspace only where it may look into it", async () => {
  const rootsOf = async (grants: object, kind = "stdio") => {
    const server = { name: "srv", grants, transport: { kind } };
    const machine = { control: {}, home: "/home/me", grants: { workspace: "/ws" } };
    const answer = await serverAnswers(server as never, { machine } as never)(
      { kind: "roots", params: {} } as never,
      { signal: new AbortController().signal },
    );
    return (answer.roots as { uri: string }[]).map(({ uri }) => uri);
  };
  assertEquals([await rootsOf({ read: ["."] }), await rootsOf({ write: ["/"] })], [["file:///ws"], [
    "file:///ws",
  ]]);
  assertEquals([await rootsOf({}), await rootsOf({ read: ["/opt"] }), await rootsOf({ read: ["./sub"] })], [
    [],
    [],
    [],
  ]);
  assertEquals(await rootsOf({ read: ["."] }, "http"), []);
});

Deno.test("cutText() keeps its bound, and no half of a character", () => {
  for (const limit of [1, 7, 40, 41, 60, 100, 499]) {
    for (
      const text of [
        "😀".repeat(300),
        JSON.stringify({ a: "x".repeat(900), b: [..."y".repeat(300)] }),
        "[".repeat(600),
      ]
    ) {
      const cut = cutText(text, limit);
      assertEquals([cut.length <= Math.max(limit, 2), cut.isWellFormed()], [true, true], `${limit} ${cut}`);
    }
  }
});
