import { join } from "@std/path";

import type { Connection } from "../../../schemas/net.ts";
import { closeQuietly } from "../../../runtime/net/wire/streams.ts";
import { proxyGreeting } from "../../../runtime/net/forms/gate_headers.ts";
import type { ProgramDoor } from "../../../runtime/net/bridge/changing_door.ts";

/**
 * Opens doors in a private folder. `to` says where hosts lead: a port of this machine; others are refused.
 */
export function standInGate(to: Readonly<Record<string, number>>) {
  const folder = Deno.makeTempDirSync({ dir: "/tmp", prefix: "bulkhead-test-" });
  const asked: string[] = [];
  const closers = new Set<() => void>();
  return {
    folder,
    /** Who asked for doors, in order. */
    asked,
    /** Ends all doors, as if the gate had died. */
    end() {
      for (const close of closers) close();
    },
    door(who: string, _?: unknown, also?: string): Promise<ProgramDoor> {
      const path = join(folder, String(asked.push(who)));
      let made: Connection[] = [];
      const listener = Deno.listen({ transport: "unix", path });
      const open = new Set<Deno.Conn>();
      const serve = async () => {
        for await (const conn of listener) {
          open.add(conn);
          const leads = { ...to, ...(also && { [also]: Number(also.split(":").at(-1)) }) };
          void answer(conn, leads, (about) => made.push({ who, ...about })).finally(() => closeQuietly(conn));
        }
      };
      void serve();
      let isOpen = true;
      const close = () => {
        isOpen = false;
        closers.delete(close);
        closeQuietly(listener);
        for (const conn of open) closeQuietly(conn);
      };
      closers.add(close);
      const take = () => Promise.resolve(made.splice(0));
      return Promise.resolve({
        path,
        token: TOKEN,
        get isOpen() {
          return isOpen;
        },
        take,
        close() {
          close();
          const all = made;
          made = [];
          return Promise.resolve(all);
        },
      });
    },
    [Symbol.dispose]() {
      for (const close of closers) close();
      Deno.removeSync(folder, { recursive: true });
    },
  };
}

const TOKEN = "stand-in";

async function answer(
  conn: Deno.Conn,
  to: Readonly<Record<string, number>>,
  tell: (connection: Omit<Connection, "who">) => void,
): Promise<void> {
  const head = await readHead(conn);
  const greeting = proxyGreeting(TOKEN);
  if (!head.startsWith(greeting)) return;
  const target = /^CONNECT (\S+) /.exec(head.slice(greeting.length))?.[1] ?? "";
  const [host = "", port = "0"] = target.split(":");
  const known = to[target];
  const about = { host, port: Number(port), address: null, sentBytes: 0, receivedBytes: 0 };
  const say = (text: string) => conn.write(new TextEncoder().encode(text));
  if (known === undefined) {
    tell({ ...about, decision: "refused", rule: "outside", flag: `--allow-net=${host}` });
    await say(`HTTP/1.1 403 Gate\r\nx-gate-reason: outside\r\nconnection: close\r\n\r\n`);
    return;
  }
  tell({ ...about, decision: "allowed", rule: host });
  const up = await Deno.connect({ hostname: "127.0.0.1", port: known });
  await say("HTTP/1.1 200 OK\r\n\r\n");
  await Promise.allSettled([conn.readable.pipeTo(up.writable), up.readable.pipeTo(conn.writable)]);
}

async function readHead(conn: Deno.Conn): Promise<string> {
  const buffer = new Uint8Array(4096);
  let text = "";
  while (!text.includes("\r\n\r\n")) {
    const length = await conn.read(buffer);
    if (length === null) break;
    text += new TextDecoder().decode(buffer.subarray(0, length));
  }
  return text;
}
