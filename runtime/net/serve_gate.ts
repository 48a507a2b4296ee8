import { acceptOnLoopback, acceptOnPort, acceptOnSocket, type Acceptor } from "./acceptor.ts";
import { ConnectionList } from "./connection_list.ts";
import { serveProxy } from "./forms/proxy.ts";
import { serveRequest } from "./forms/request.ts";
import { IdleWays } from "./forms/idle_ways.ts";
import type { Service } from "./forms/service.ts";
import { type ByteConn, closeQuietly } from "./wire/streams.ts";
import type { DoorSettings, FromGate, GateSettings, ToGate } from "./protocol.ts";

/** The part of a worker's global scope that the gate uses. */
export interface GateScope {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: FromGate): void;
}

/** Most connections of a door at once: they use up what this process may open. */
const MAX_OPEN = 200;

/** A socket that is served. */
interface OpenDoor {
  connections: ConnectionList;
  close(): void;
}

/** Answers the messages of main: the whole life of the gate. */
export function serveGate(scope: GateScope): void {
  const post = (message: FromGate) => scope.postMessage(message);
  const doors = new Map<number, OpenDoor>();
  let settings: GateSettings | undefined;
  scope.onmessage = async ({ data, ports }: MessageEvent<ToGate>) => {
    if (data.t === "open") {
      settings = data.settings;
      post({ t: "ready" });
    } else if (data.t === "door" && settings) {
      const { id } = data.door;
      try {
        const acceptor = acceptorOf(data.door, ports);
        doors.set(id, openDoor(data.door, settings, acceptor));
        post({ t: "opened", id, ...acceptor.port !== undefined && { loopback: acceptor.port } });
      } catch (error) {
        post({ t: "failed", id, message: String(error) });
      }
    } else if (data.t === "close") {
      const door = doors.get(data.id);
      door?.close();
      doors.delete(data.id);
      post({ t: "closed", id: data.id, connections: door?.connections.rest() ?? [] });
    } else if (data.t === "take") {
      const { n, id, call } = data;
      post({ t: "taken", n, connections: doors.get(id)?.connections.take(call) ?? [] });
    } else if (data.t === "end") {
      for (const door of doors.values()) door.close();
      if (settings) await Deno.remove(settings.folder, { recursive: true }).catch(() => {});
      post({ t: "ended" });
    }
  };
}

function acceptorOf(
  { path, listens }: DoorSettings,
  [port]: readonly MessagePort[],
): Acceptor & { port?: number } {
  if (listens === "loopback") return acceptOnLoopback();
  return path === null ? acceptOnPort(port!) : acceptOnSocket(path);
}

/** Begins to serve a door. */
function openDoor(settings: DoorSettings, gate: GateSettings, acceptor: Acceptor): OpenDoor {
  const closing = new AbortController();
  const open = new Set<ByteConn>();
  const connections = new ConnectionList();
  const waiting = new Set<ByteConn>();
  const idle = new IdleWays();
  const door: OpenDoor = {
    connections,
    close() {
      closing.abort();
      acceptor.close();
      idle.close();
      for (const conn of open) closeQuietly(conn);
    },
  };
  const service: Service = {
    ...settings,
    ...gate,
    token: settings.listens === "loopback" ? null : settings.token,
    signal: closing.signal,
    idle,
    onIdle: (conn, isIdle) => void (isIdle ? waiting.add(conn) : waiting.delete(conn)),
    trace: (to, call) => connections.begin(settings.who, to, call),
  };
  const serve = settings.form === "proxy" ? serveProxy : serveRequest;
  const served = new Set<Promise<void>>();
  const accept = async () => {
    for await (const conn of acceptor) {
      open.add(conn);
      const serving: Promise<void> = serve(conn, service).catch(() => {}).finally(() => {
        closeQuietly(conn);
        open.delete(conn);
        waiting.delete(conn);
        served.delete(serving);
      });
      served.add(serving);
      if (served.size < MAX_OPEN) continue;
      // Who may send another request has to give way; the others wait in the system's queue.
      for (const idlest of waiting) {
        closeQuietly(idlest);
        break;
      }
      await Promise.race(served);
    }
  };
  // It ends when the door is closed.
  accept().catch(() => {});
  return door;
}
