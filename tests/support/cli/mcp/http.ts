import type { Message } from "./client.ts";
import { toldPort } from "../serve/served.ts";
import type { Scene } from "../scene.ts";

export const TOKEN = "token-of-the-tests-0123456789";

/** Starts `mcp serve --http` in the scene's workspace; it is ended by SIGTERM. */
export async function serveHttp(scene: Scene, flags: readonly string[] = []) {
  const running = scene.start(["mcp", "serve", "--http=0", ...flags], {
    env: { BULKHEAD_MCP_TOKEN: TOKEN },
  });
  const port = await toldPort(running);
  return {
    running,
    port,
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      running.kill("SIGTERM");
      await running.ended();
    },
  };
}

const HEADERS = {
  authorization: `Bearer ${TOKEN}`,
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

export function post(url: string, message: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const body = typeof message === "string" ? message : JSON.stringify(message);
  return fetch(url, { method: "POST", headers: { ...HEADERS, ...headers }, body });
}

export async function beginSession(url: string) {
  let asked = 0;
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const begun = await post(url, { jsonrpc: "2.0", id: ++asked, method: "initialize", params });
  const id = begun.headers.get("mcp-session-id") ?? "";
  await messagesOf(begun);
  const session = { "mcp-session-id": id, "mcp-protocol-version": "2025-11-25" };
  const told = await post(url, { jsonrpc: "2.0", method: "notifications/initialized" }, session);
  await told.body?.cancel();
  return {
    id,
    async ask(method: string, params: Record<string, unknown> = {}) {
      const own = ++asked;
      const answer = await post(url, { jsonrpc: "2.0", id: own, method, params }, session);
      const found = (await messagesOf(answer)).find((message) => message.id === own || message.id === null);
      if (!found) throw new Error(`no answer to ${method}`);
      return found;
    },
    async end() {
      const ended = await fetch(url, { method: "DELETE", headers: { ...HEADERS, ...session } });
      await ended.body?.cancel();
    },
  };
}

export async function messagesOf(answer: Response): Promise<Message[]> {
  const text = await answer.text();
  if (!answer.headers.get("content-type")?.startsWith("text/event-stream")) {
    return text === "" ? [] : [JSON.parse(text)];
  }
  return text.split("\n").filter((line) => /^data: *\{/.test(line)).map((line) => JSON.parse(line.slice(5)));
}

/** Sends a request as it stands, and returns the status and the rest of the answer's beginning. */
export async function rawRequest(port: number, lines: readonly string[], body = ""): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const bytes = new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n${body}`);
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
  const buffer = new Uint8Array(4096);
  const count = await connection.read(buffer);
  return new TextDecoder().decode(buffer.subarray(0, count ?? 0));
}
