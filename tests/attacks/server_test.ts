import { assert, assertEquals } from "@std/assert";

import { toldPort } from "../support/cli/serve/served.ts";
import { HOSTILE_REQUESTS, hostileText } from "../support/server/hostile_requests.ts";
import { readAll } from "../support/server/serve_handlers.ts";
import { type Attack, attackTests, type Place } from "./attack.ts";

const TOKEN = "token-of-the-attacks-0123456789";
/** What refusals may take of memory, in bytes; a body alone may have 40 MiB. */
const MOST_MEMORY = 300 * 1024 * 1024;

interface Target {
  port: number;
  pid: number;
  /** Connects, and sends bytes as they are. */
  connect(text?: string): Promise<Deno.Conn>;
  /** All that comes back for some bytes until the connection ends. */
  raw(text: string): Promise<string>;
}

/** Attacks a server, which must live on and serve its own clients. */
function onServer(attack: (target: Target) => Promise<void>): NonNullable<Attack["act"]> {
  return async (place: Place) => {
    const running = place.start(["serve", "--port", "0", ...place.flags], {
      env: { BULKHEAD_SERVE_TOKEN: TOKEN },
      timeoutMs: 120_000,
    });
    try {
      const port = await toldPort(running);
      await attack(targetAt(port, running.pid));
      assertEquals(await ownClient(port), 200);
    } finally {
      running.kill("SIGTERM");
      await running.ended();
    }
  };
}

function targetAt(port: number, pid: number): Target {
  const connect = async (text = "") => {
    const conn = await Deno.connect({ hostname: "127.0.0.1", port });
    if (text !== "") await sendAll(conn, text).catch(() => {});
    return conn;
  };
  const raw = async (text: string) => {
    using conn = await connect();
    const sending = sendAll(conn, text).catch(() => {});
    const all = await readAll(conn);
    await sending;
    return all;
  };
  return { port, pid, connect, raw };
}

async function sendAll(conn: Deno.Conn, text: string): Promise<void> {
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  for (let at = 0; at < bytes.length;) at += await conn.write(bytes.subarray(at));
}

async function ownClient(port: number): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/info`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  await answer.body?.cancel();
  return answer.status;
}

/** The most memory that a process has had so far, in bytes. */
async function peakOf(pid: number): Promise<number> {
  // Deno itself opens /proc only with all permissions.
  const { stdout } = await new Deno.Command("cat", { args: [`/proc/${pid}/status`] }).output();
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(new TextDecoder().decode(stdout))?.[1]) * 1024;
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

/** The sandbox holds programs: clients meet the same door without one. */
const ONCE: Pick<Attack, "needs" | "why"> = {
  needs: ["no sandbox"],
  why: "clients meet the same door in both",
};

attackTests(19, [
  {
    id: "19-01",
    title: "requests with two meanings, without a bound, along odd paths, by foreign names and pages",
    ...ONCE,
    act: onServer(async ({ port, raw }) => {
      const seen: Record<string, number> = {};
      for (const request of HOSTILE_REQUESTS) {
        const all = await raw(hostileText(request, { port, token: TOKEN }));
        seen[request.title] = statusOf(all);
        assertEquals(all.match(/^HTTP\/1\.1 /gm)?.length, 1, request.title);
        assertEquals(all.includes("access-control-allow-origin"), false, request.title);
      }
      assertEquals(seen, Object.fromEntries(HOSTILE_REQUESTS.map(({ title, status }) => [title, status])));
    }),
  },
  {
    id: "19-02",
    title: "bodies of a gigabyte, with a length and in pieces",
    ...ONCE,
    act: onServer(async ({ port, pid, raw, connect }) => {
      const before = await peakOf(pid);
      const head = `POST /runs HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
        `Authorization: Bearer ${TOKEN}\r\n`;
      assertEquals(statusOf(await raw(`${head}Content-Length: 1073741824\r\n\r\n`)), 413);
      const piece = new TextEncoder().encode(`100000\r\n${"x".repeat(0x100000)}\r\n`);
      for (const token of ["", head]) {
        using conn = await connect(
          `${token === "" ? head.replace(TOKEN, "x") : head}Transfer-Encoding: chunked\r\n\r\n`,
        );
        const sending = (async () => {
          for (let count = 0; count < 1_024; count++) {
            for (let at = 0; at < piece.length;) at += await conn.write(piece.subarray(at));
          }
        })().catch(() => {});
        const answer = await readAll(conn);
        await sending;
        // What is still on its way may take the answer back.
        if (answer !== "") assertEquals(statusOf(answer), token === "" ? 401 : 413);
      }
      assert(await peakOf(pid) - before < MOST_MEMORY, "memory");
    }),
  },
  {
    id: "19-03",
    title: "twelve hundred connections that say nothing, or half of a head",
    ...ONCE,
    act: onServer(async ({ port, pid, connect }) => {
      const before = await peakOf(pid);
      const idle: Deno.Conn[] = [];
      try {
        for (let count = 0; count < 1_200; count++) {
          idle.push(await connect(count % 2 === 0 ? "" : `GET /info HTTP/1.1\r\nX-A: ${"a".repeat(8_000)}`));
        }
        // Among them, not only after them.
        assertEquals(await ownClient(port), 200);
        assert(await peakOf(pid) - before < MOST_MEMORY, "memory");
      } finally {
        for (const conn of idle) conn.close();
      }
    }),
  },
  {
    id: "19-04",
    quick: true,
    title: "a page on another port of this machine, with the cookie of the server's own page",
    ...ONCE,
    act: onServer(async ({ port, raw }) => {
      const host = `Host: 127.0.0.1:${port}\r\nConnection: close\r\n`;
      const opened = await raw(`GET /?token=${TOKEN} HTTP/1.1\r\n${host}\r\n`);
      const cookie = /^set-cookie: ([^;]+); HttpOnly; SameSite=Strict; Path=\/\r$/m.exec(opened)?.[1];
      assertEquals([statusOf(opened), opened.includes(TOKEN), cookie?.includes(TOKEN)], [303, false, false]);
      const ask = async (method: string, headers: string) =>
        statusOf(
          await raw(
            `${method} /runs HTTP/1.1\r\n${host}Cookie: ${cookie}\r\n${headers}Content-Length: 0\r\n\r\n`,
          ),
        );
      const other = "http://127.0.0.1:1";
      assertEquals(await ask("GET", "Sec-Fetch-Site: same-origin\r\n"), 200);
      assertEquals(await ask("GET", "Sec-Fetch-Site: same-site\r\n"), 403);
      assertEquals(await ask("GET", `Origin: ${other}\r\nSec-Fetch-Site: same-site\r\n`), 403);
      for (
        const headers of [
          "",
          "Sec-Fetch-Site: none\r\n",
          "Sec-Fetch-Site: same-site\r\n",
          `Origin: ${other}\r\n`,
        ]
      ) {
        assertEquals(await ask("POST", headers), 403, headers);
      }
      // A server on another port gets the cookie, and says that it is the page.
      for (
        const key of ["", `X-Page-Key: ${cookie?.split("=")[1]}\r\n`, `X-Page-Key: ${"0".repeat(64)}\r\n`]
      ) {
        assertEquals(await ask("POST", `Sec-Fetch-Site: same-origin\r\n${key}`), 401, key);
      }
      const asked = await raw(`GET /?code=x HTTP/1.1\r\n${host}Cookie: ${cookie}\r\n\r\n`);
      assertEquals([statusOf(asked), asked.includes("#key=")], [303, false]);
      // The page itself passes the guard: then its body is wrong.
      const key = /^location: \/#key=([0-9a-f]+)\r$/m.exec(opened)?.[1];
      assertEquals(await ask("POST", `Sec-Fetch-Site: same-origin\r\nX-Page-Key: ${key}\r\n`), 400);
    }),
  },
  {
    id: "19-05",
    title: "calls in the session of another folder, of a name that is guessed, by every door",
    ...ONCE,
    async act(place) {
      const plan = ["plan_id=theirs", "title=Theirs", 'steps:=["keep"]'];
      const theirs = ["--session", "theirs", "-C", place.outside];
      const made = await place.run(["call", "manus/planning", "command=create", ...plan, ...theirs]);
      assertEquals(made.code, 0, made.stderr);
      await onServer(async ({ port }) => {
        const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
        const ask = async (path: string, body?: unknown) => {
          const init = { headers, ...body !== undefined && { method: "POST", body: JSON.stringify(body) } };
          const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
          return [answer.status, await answer.text()] as const;
        };
        const remove = { arguments: { command: "delete", plan_id: "theirs" } };
        const calls = [{ tool: "manus/planning", ...remove }];
        for (const session of ["theirs", "../sessions/theirs"]) {
          const expected = session === "theirs" ? 403 : 400;
          assertEquals((await ask("/tools/manus/planning", { ...remove, session }))[0], expected);
          assertEquals((await ask("/batch", { calls, session }))[0], expected);
        }
        for (const path of ["", "/events", "/export", "/diff", "/files", "/sources"]) {
          assertEquals((await ask(`/runs/theirs${path}`))[0], 404, path);
        }
        for (let times = 0; times < 2; times++) {
          const [status, text] = await ask("/tools/manus/planning", {
            arguments: { command: "list" },
            session: "mine",
          });
          assertEquals([status, text.includes("Theirs")], [200, false]);
        }
      })(place);
      const listed = await place.run(["call", "manus/planning", "command=list", ...theirs]);
      assert(listed.stdout.includes("Theirs"), listed.stdout);
    },
  },
]);
