import { png } from "../documents/png.ts";

export interface Asked {
  path: string;
  body: unknown;
}

/** What the service answers to a path, beside success. */
export type Answers = Readonly<Record<string, () => Response | Promise<Response>>>;

/** A service on this machine with the documented requests of a desktop, whose screen is one colour. */
export function automationService(answers: Answers = {}) {
  const asked: Asked[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname: path } = new URL(request.url);
    const text = await request.text();
    const body = text === "" ? null : JSON.parse(text);
    asked.push({ path, body });
    const own = answers[path];
    if (own !== undefined) return await own();
    if (request.method !== "POST" || !path.startsWith("/api/automation/")) {
      return Response.json({ detail: "Not Found" }, { status: 404 });
    }
    if (path === "/api/automation/screenshot") return Response.json({ image: base64(screen()) });
    return Response.json({ success: true });
  });
  return {
    asked,
    url: `http://127.0.0.1:${server.addr.port}`,
    host: `127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function screen(): Uint8Array {
  return png({ width: 2000, height: 1000, colour: 2, depth: 8 });
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
