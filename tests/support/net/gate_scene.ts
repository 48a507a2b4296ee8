import { closeQuietly, writeAll } from "../../../runtime/net/wire/streams.ts";
import { openWeb } from "../../../runtime/net/room/open_web.ts";
import { type DoorRequest, type GateOptions, makeGate } from "../../../runtime/net/open_gate.ts";
import type { WebRequest } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";

/** Nothing of the user's own is between the gate and the servers. */
export const DIRECT = { http: null, https: null, direct: [] };

/** Opens a gate for a test: `await using scene = await gateScene({ ... })`. */
export async function gateScene(
  door: Partial<DoorRequest> = {},
  options: Partial<GateOptions> & { deadlineMs?: number; signal?: AbortSignal } = {},
) {
  const gate = makeGate({ upstream: DIRECT, ...options });
  const rules = { allow: ["public"], deny: [], private: [] };
  const opened = await gate.door({ who: "test/tool", rules, secrets: [], form: "request", ...door });
  const { deadlineMs = 20_000, signal = new AbortController().signal } = options;
  const web = openWeb(opened);
  const ask = async (url: string, request: Omit<WebRequest, "url"> = {}) => {
    try {
      return await web.of({ call: "c1", signal, deadline: Date.now() + deadlineMs }).request({
        url,
        ...request,
      });
    } catch (error) {
      if (error instanceof ToolError) return error;
      throw error;
    }
  };
  return {
    gate,
    door: opened,
    ask,
    /** The text of an answer, or the code of the error and the reason. */
    async say(url: string, request?: Omit<WebRequest, "url">) {
      const answer = await ask(url, request);
      if (!(answer instanceof ToolError)) return new TextDecoder().decode(answer.body);
      return [answer.code, answer.details.reason].filter((word) => word !== undefined).join(" ");
    },
    async [Symbol.asyncDispose]() {
      web[Symbol.dispose]();
      await gate[Symbol.asyncDispose]();
    },
  };
}

export function testServer(answer: (request: Request) => Response | Promise<Response>) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, answer);
  const { port } = server.addr;
  return {
    port,
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Rules that let one server of this machine through. */
export function onlyTo(...hosts: string[]) {
  return { allow: ["public"], deny: [], private: hosts };
}

/** A server of a test that answers each request with these very bytes, and then closes. */
export function rawServer(...answers: (string | Uint8Array)[]) {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  const asked: string[] = [];
  const serve = async (conn: Deno.Conn) => {
    const buffer = new Uint8Array(64 * 1024);
    const read = await conn.read(buffer) ?? 0;
    asked.push(new TextDecoder().decode(buffer.subarray(0, read)));
    const answer = answers[Math.min(asked.length, answers.length) - 1] ?? "";
    await writeAll(conn, typeof answer === "string" ? new TextEncoder().encode(answer) : answer);
  };
  const accepted = (async () => {
    for await (const conn of listener) await serve(conn).catch(() => {}).finally(() => closeQuietly(conn));
  })().catch(() => {});
  return {
    asked,
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      closeQuietly(listener);
      await accepted;
    },
  };
}
