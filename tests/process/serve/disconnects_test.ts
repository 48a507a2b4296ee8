import { assert, assertEquals } from "@std/assert";

import { scriptedModel } from "../../support/scripted_model.ts";
import { makeScene } from "../../support/cli/scene.ts";
import { serveProgram, TOKEN } from "../../support/cli/serve/served.ts";

const DISCONNECTS = 1_000;
const TURNS = 12;
const PIECES_A_TURN = 150;

/** A long reply, in pieces, that comes while clients come and go. */
function turn(n: number) {
  const said = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  });
  const pieces = Array.from({ length: PIECES_A_TURN }, (_, at) => said({ content: `é ${n}.${at} ` }));
  const read = { index: 0, id: `c${n}`, function: { name: "Read", arguments: `{"path":"${n}.txt"}` } };
  const call = n < TURNS ? [said({ tool_calls: [read] })] : [];
  const delayMs = 100;
  return { delayMs, events: [...pieces, ...call, said({}, n < TURNS ? "tool_calls" : "stop")] };
}

/** A client that reads so many bytes and breaks off; what it has of a cut event is lost. */
async function readSome(port: number, id: string, { after, bytes }: { after: number; bytes: number }) {
  using conn = await Deno.connect({ hostname: "127.0.0.1", port });
  const head = [
    `GET /runs/${id}/events HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${TOKEN}`,
    `Last-Event-ID: ${after}`,
    "Connection: close",
  ];
  await conn.write(new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n`));
  const decoder = new TextDecoder();
  let text = "";
  for (let left = bytes; left > 0;) {
    const buffer = new Uint8Array(left);
    const read = await conn.read(buffer);
    if (read === null) break;
    left -= read;
    text += decoder.decode(buffer.subarray(0, read), { stream: true });
  }
  const whole = text.slice(0, text.lastIndexOf("\n\n") + 1);
  return [...whole.matchAll(/^id: (\d+)\nevent: (\S+)$/gm)].map(([, n, type]) => ({ n: Number(n), type }));
}

Deno.test("a client that is cut again and again hears every event once, while the run is at work and after", async () => {
  let asked = 0;
  await using model = scriptedModel(() => turn(++asked));
  using scene = makeScene();
  const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-of-the-tests", OPENAI_MODEL: "small" };
  await using server = await serveProgram(scene, { env });
  const { id } = await server.json("/runs", { prompt: "read and tell" });
  const heard: number[] = [];
  let [cuts, cutsAtWork, isOver] = [0, 0, false];
  while (cuts < DISCONNECTS || !isOver) {
    // A client that has heard all begins anew.
    if (isOver) {
      assertEquals(heard, heard.map((_, at) => at + 1));
      heard.length = 0;
    }
    const bytes = 300 + Math.floor(Math.random() * 3_000);
    const some = await readSome(server.port, id, { after: heard.at(-1) ?? 0, bytes });
    heard.push(...some.map(({ n }) => n));
    cuts++;
    isOver = some.at(-1)?.type === "run.end";
    if (!isOver && asked <= TURNS) cutsAtWork++;
  }
  assertEquals(heard, heard.map((_, at) => at + 1));
  assert(heard.length > TURNS * PIECES_A_TURN);
  assert(cutsAtWork > 10, `${cutsAtWork} cuts`);
  const { state } = await server.json(`/runs/${id}`);
  assertEquals(state, "completed");
});
