import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";

import { openTrace, readTrace } from "../../../../runtime/state/sessions/trace_file.ts";
import { makeRedactor } from "../../../../runtime/text/secrets/redact.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { TraceLine } from "../../../../schemas/agent/trace.ts";
import { workspace } from "../../../support/run_tool.ts";
import {
  endLine,
  EVERY_LINE,
  replyLine,
  resultLine,
  runLine,
  taskLine,
} from "../../../support/trace_scene.ts";

const plain = { redact: (text: string) => text };

async function writeTrace(path: string, lines: readonly TraceLine[], options = plain): Promise<void> {
  using trace = await openTrace(path, options);
  for (const line of lines) trace.write(line);
}

Deno.test("openTrace() and readTrace() keep every kind of line, for the user alone", async () => {
  using ws = workspace();
  const path = ws.at("sessions/s1/trace.jsonl");
  await writeTrace(path, EVERY_LINE);
  assertEquals(await readTrace(path), EVERY_LINE);
  assertEquals(Deno.statSync(path).mode! & 0o777, 0o600);
  assertEquals(Deno.statSync(ws.at("sessions/s1")).mode! & 0o777, 0o700);
  assertEquals(ws.read("sessions/s1/trace.jsonl").split("\n").length, EVERY_LINE.length + 1);
});

Deno.test("readTrace() leaves out a line that was torn at any byte, and a resumed run begins a new one", async () => {
  using ws = workspace();
  const path = ws.at("t");
  const before = [runLine(), taskLine("Do it")];
  for (const last of [replyLine("é😀\n", "c1"), endLine(), resultLine("c1", { content: '"}{\\' })]) {
    await Deno.remove(path).catch(() => {});
    await writeTrace(path, before);
    const start = Deno.statSync(path).size;
    await writeTrace(path, [last]);
    const whole = Deno.readFileSync(path);
    for (let size = start; size <= whole.length; size++) {
      Deno.writeFileSync(path, whole.subarray(0, size));
      const isWhole = size >= whole.length - 1;
      const found = isWhole ? [...before, last] : before;
      assertEquals(await readTrace(path), found, `${last.t} cut at ${size - start}`);
      // Opening costs more than reading: a few places stand for all.
      if (size % 16 !== 0 && whole.length - size > 2) continue;
      await writeTrace(path, [runLine({ resumed: true }), replyLine("on")]);
      assertEquals(await readTrace(path), [...found, runLine({ resumed: true }), replyLine("on")]);
    }
  }
});

Deno.test("readTrace() takes runs that were killed one after the other at their first line", async () => {
  using ws = workspace({ t: '{"t":"ru\n{"t":"run","v"' });
  assertEquals(await readTrace(ws.at("t")), []);
  await writeTrace(ws.at("t"), [runLine()]);
  assertEquals(await readTrace(ws.at("t")), [runLine()]);
});

Deno.test("readTrace() refuses what is damaged, with the line", async () => {
  const run = JSON.stringify(runLine());
  const reply = JSON.stringify(replyLine("x"));
  const negative = reply.replace('"input_tokens":10', '"input_tokens":-1');
  const cases: readonly (readonly [content: string, reason: string])[] = [
    [`${run}\n{"t":"rep\n${reply}\n`, "line 2: it is not JSON"],
    [`${run}\n{"t":"what"}\n`, ""],
    [`${run}\n[]\n`, "line 2: it must be an object"],
    [`${run}\n{"t":"__proto__"}\n`, ""],
    [`${run}\n${negative}\n`, "line 2: it.reply.usage.input_tokens must be a number from 0 upwards"],
    [
      `${run}\n{"t":"message","message":{"role":"user","kind":"task","content":"x"}}\n`,
      "line 2: it.message.content must be a list",
    ],
    [run.replace('"v":1', '"v":2'), "line 1: it is of a version that this program does not know"],
  ];
  for (const [content, reason] of cases) {
    using ws = workspace({ t: content });
    const error = await assertRejects(() => readTrace(ws.at("t")), ToolError);
    assertEquals(error.code, "unavailable", content);
    const [line, ...why] = reason.split(": ");
    if (reason !== "") {
      assertEquals(error.message, `Cannot use ${line} of "${ws.at("t")}": ${why.join(": ")}`);
    }
  }
});

Deno.test({
  name: "openTrace() refuses a session that another run has open, and lets one in after it",
  // The system's lock cannot be taken back from whoever waits for it.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    using ws = workspace();
    const path = ws.at("t");
    const first = await openTrace(path, plain);
    first.write(runLine());
    const error = await assertRejects(() => openTrace(path, { ...plain, waitMs: 50 }), ToolError);
    assertEquals(error.code, "conflict");
    first[Symbol.dispose]();
    // Whoever came too late does not keep it.
    using again = await openTrace(path, plain);
    assertEquals(again.isEmpty, false);
    again.write(endLine());
    assertEquals(await readTrace(path), [runLine(), endLine()]);
  },
});

Deno.test("a trace masks secrets in every text, and keeps what holds its lines together", async () => {
  using ws = workspace();
  const secret = "hunter2secret";
  const path = `/ws/${secret}.png`;
  const image = { type: "image", path, mime_type: "image/png", bytes: 3, data: "AAAA" } as const;
  const call = { id: "c1", name: "Read", arguments: `{"path":"${secret}","q":"a\\"password=abcdef1\\""}` };
  const others = [
    { id: "c2", name: `${secret}_query`, arguments: `{"x":"${secret}` },
    { id: "c3", name: `ask_${secret}`, arguments: '{"a": 1}' },
  ];
  const reply = {
    ...{ content: secret, tool_calls: [call, ...others], finish: "tool_calls", usage: null } as const,
    extra: { reasoning_content: secret },
  };
  await writeTrace(ws.at("t"), [
    runLine({ tools: [`${secret}_query`], model: `m-${secret}` }),
    { t: "message", message: { role: "system", content: secret } },
    {
      t: "message",
      message: { role: "user", kind: "task", content: [{ type: "text", text: secret }, image] },
    },
    { t: "reply", purpose: "turn", reply },
    { t: "call", id: "c1", tool: "x/Read", arguments: { path: secret, token: "abc" } },
    resultLine("c1", {
      content: secret,
      pictures: [image],
      error: { code: "internal", message: secret, retryable: false, details: { at: secret } },
    }),
    { t: "compact", keep: 1, summary: secret },
    {
      t: "tools",
      added: [{
        ...{ name: `mcp_${secret}`, full_name: `mcp/mcp_${secret}_query`, parallel: true, read_only: true },
        description: secret,
        parameters: { type: "object", properties: { token: { type: "string", default: secret } } },
      }],
    },
    endLine({ answer: secret, output: { x: secret } }),
  ], { redact: makeRedactor([secret]) });
  const lines = await readTrace(ws.at("t"));
  const left = JSON.stringify(lines).replaceAll(image.path, "").replaceAll(`${secret}_query`, "")
    .replaceAll(`mcp_${secret}`, "");
  assert(!left.includes(secret), left);
  assert(!left.includes("abcdef1") && !left.includes("AAAA"), left);
  const masked = lines[3];
  assert(masked?.t === "reply");
  assertEquals(masked.reply.tool_calls, [
    { id: "c1", name: "Read", arguments: '{"path":"[redacted]","q":"a\\"password=[redacted]\\""}' },
    { id: "c2", name: `${secret}_query`, arguments: '{"x":"[redacted]' },
    { id: "c3", name: "ask_redacted", arguments: '{"a": 1}' },
  ]);
  const added = lines.find((line) => line.t === "tools");
  assertEquals(added?.t === "tools" && added.added[0]?.parameters, {
    type: "object",
    properties: { token: { type: "string", default: "[redacted]" } },
  });
  const shown = { path: "[redacted]", token: "[redacted]" };
  assertEquals(lines[4], { t: "call", id: "c1", tool: "x/Read", arguments: shown });
});

Deno.test("a trace takes values that are nested too deep to be walked through", async () => {
  using ws = workspace();
  let deep: unknown = 1;
  for (let level = 0; level < 50_000; level++) deep = [deep];
  const line = endLine({ output: deep });
  const error = { code: "internal", message: "m", retryable: false, details: { deep } } as const;
  await writeTrace(ws.at("t"), [runLine(), resultLine("c1", { ok: false, error }), line]);
  assertEquals(await readTrace(ws.at("t")), [
    runLine(),
    resultLine("c1", { ok: false, error: { ...error, details: {} } }),
    endLine({ output: "[nested too deep]" }),
  ]);
});

Deno.test("a trace throws what the system says, and its next line stands for itself", async () => {
  using ws = workspace();
  const trace = await openTrace(ws.at("t"), plain);
  trace.write(runLine());
  trace[Symbol.dispose]();
  assertThrows(() => trace.write(endLine()), ToolError);
  assertEquals(await readTrace(ws.at("t")), [runLine()]);
});
