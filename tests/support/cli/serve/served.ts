import { assert } from "@std/assert";

import type { Ended, Running } from "../../program.ts";
import type { Scene } from "../scene.ts";

export const TOKEN = "token-of-the-tests-0123456789";

// What servers answer is looked at field by field.
// deno-lint-ignore no-explicit-any
export type Json = any;

/** A server of the program, and a client that has its token. */
export interface ServedProgram extends AsyncDisposable {
  running: Running;
  port: number;
  url: string;
  /** Asks with the token; a body is sent as JSON. */
  ask(
    path: string,
    options?: { method?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<Response>;
  /** The JSON of an answer that must be fine. */
  json(path: string, body?: unknown, method?: string): Promise<Json>;
  until(id: string, ...states: readonly string[]): Promise<Json>;
  end(): Promise<Ended>;
}

/** Starts `serve` in the scene's workspace; it is ended by SIGTERM. */
export async function serveProgram(
  scene: Scene,
  { flags = [], env = {}, port: asked = 0 }: {
    flags?: readonly string[];
    env?: Record<string, string>;
    port?: number;
  } = {},
): Promise<ServedProgram> {
  const running = scene.start(["serve", "--port", String(asked), ...flags], {
    env: { BULKHEAD_SERVE_TOKEN: TOKEN, ...env },
    timeoutMs: 300_000,
  });
  const port = await toldPort(running);
  const url = `http://127.0.0.1:${port}`;
  const ask: ServedProgram["ask"] = (path, { method, body, headers = {} } = {}) =>
    fetch(`${url}${path}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        authorization: `Bearer ${TOKEN}`,
        ...body !== undefined && { "content-type": "application/json" },
        ...headers,
      },
      ...body !== undefined && { body: JSON.stringify(body) },
    });
  const json: ServedProgram["json"] = async (path, body, method) => {
    const response = await ask(path, { body, ...(method !== undefined && { method }) });
    const value = await response.json();
    assert(response.ok, `${response.status} ${path}: ${JSON.stringify(value)}`);
    return value;
  };
  let ended: Promise<Ended> | undefined;
  const end = () => {
    running.kill("SIGTERM");
    return ended ??= running.ended();
  };
  return {
    ...{ running, port, url, ask, json, end },
    async until(id, ...states) {
      for (const last = Date.now() + 60_000; Date.now() < last;) {
        const run = await json(`/runs/${id}`);
        if (states.includes(run.state)) return run;
        await new Promise((done) => setTimeout(done, 50));
      }
      throw new Error(`run ${id} is in none of the states ${states.join(", ")}`);
    },
    [Symbol.asyncDispose]: async () => void await end(),
  };
}

/** The port on which a server says that it listens. */
export async function toldPort(running: Pick<Running, "told">): Promise<number> {
  const [, port] = await running.told(/^bulkhead: serving .*http:\/\/127\.0\.0\.1:(\d+)\//m);
  return Number(port);
}

export interface HeardEvent {
  id: number;
  type: string;
  data: Json;
}

/** Reads server-sent events until the stream ends, or the listener says that it has enough. */
export async function readEvents(
  response: Response,
  isEnough: (event: HeardEvent) => boolean = () => false,
): Promise<HeardEvent[]> {
  const heard: HeardEvent[] = [];
  let rest = "";
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = `${rest}${text}`.split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) {
      const fields = new Map(
        block.split("\n").map((line) => {
          const at = line.indexOf(":");
          return [line.slice(0, at), line.slice(at + 1).trim()];
        }),
      );
      if (!fields.has("id")) continue;
      const [id, type] = [Number(fields.get("id")), fields.get("event") ?? ""];
      heard.push({ id, type, data: JSON.parse(fields.get("data") ?? "null") });
      if (isEnough(heard.at(-1)!)) return heard;
    }
  }
  return heard;
}
