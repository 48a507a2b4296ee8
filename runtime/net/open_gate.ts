import { join } from "@std/path";

import { ToolError } from "../../schemas/error.ts";
import { type GateFolder, isRemoved, makeGateFolder, removeDeadFolders } from "./gate_folder.ts";
import type { GateSettings } from "./protocol.ts";
import {
  type DoorRequest,
  type GateDoor,
  type GateStart,
  type PortDoor,
  RunningGate,
} from "./running_gate.ts";

export type { DoorRequest, GateDoor, PortDoor };

/** Longest time until a connection stands, in milliseconds. */
const CONNECT_MS = 10_000;

/** The gate to the network, which starts with its first door. */
export interface Gate extends AsyncDisposable {
  /**
   * Starts the gate now, for a process that gives up `net` and can start none later. Does not wait until it is loaded.
   *
   * @param lasting Starts a second one as well, which takes over if the first ends
   * @throws {ToolError} `permission_denied` if Deno itself may not reach the network
   */
  stand(lasting: boolean): Promise<void>;
  /**
   * Opens a socket for one tool or program. Needs `net`, `read` and `write` of the folder unless the gate stands.
   *
   * @throws {ToolError} As {@linkcode Gate.stand} does; `external_failure` if the gate has ended
   */
  door(request: DoorRequest): Promise<GateDoor>;
  /**
   * Opens a port for a worker, which needs no permission to use it. Needs what {@linkcode Gate.door} needs.
   *
   * @throws {ToolError} As {@linkcode Gate.door} does
   */
  portDoor(request: Omit<DoorRequest, "form">): Promise<PortDoor>;
  /** Returns the folder of its sockets, once the gate has started. Needs what {@linkcode Gate.door} needs. */
  folder(): Promise<string>;
  /** Ends the gate at once, in the middle of what it does; the next door starts another one. */
  kill(): Promise<void>;
}

/** Options of {@linkcode makeGate}. */
export interface GateOptions extends Pick<GateSettings, "upstream">, GateStart {
  /** Own certificate authorities as PEM, read when the gate starts. @default none */
  caCerts?: () => Promise<readonly string[]>;
  /** @default 10_000 */
  connectMs?: number;
}

/** Makes the gate of a run. Nothing starts before it is needed. */
export function makeGate(options: GateOptions): Gate {
  let made: Promise<{ settings: GateSettings; folder: GateFolder }> | undefined;
  let running: Promise<RunningGate> | undefined;
  let spare: Promise<RunningGate> | undefined;
  let ids = 0;
  const make = async () => {
    const { settings } = await (made ??= makeSettings(options));
    const gate = new RunningGate(settings, options);
    // The folder of the sockets is kept by a gate that answers in it.
    gate.gone.then(async () => (await spare)?.load()).catch(() => {});
    return gate;
  };
  const current = async () => {
    running ??= make();
    const gate = await running;
    if (gate.isOpen) return gate;
    running = spare ?? make().catch((error) => {
      throw error.code === "permission_denied" ? noOther() : error;
    });
    spare = undefined;
    return await running;
  };
  return {
    async stand(lasting) {
      (await current()).load();
      if (lasting) await (spare ??= make());
    },
    async door(about) {
      const id = ++ids;
      const gate = await current();
      const token = crypto.randomUUID();
      return await gate.door({ ...about, id, token, path: pathOf(about, gate.folder, id) });
    },
    async portDoor(about) {
      const gate = await current();
      const { port1, port2 } = new MessageChannel();
      const token = crypto.randomUUID();
      const door = await gate.door({ ...about, form: "request", id: ++ids, token, path: null }, [port1]);
      return {
        ...{ port: port2, token, ended: gate.gone, take: door.take, close: door.close },
        get isOpen() {
          return door.isOpen;
        },
      };
    },
    folder: async () => (await current()).folder,
    async kill() {
      (await running)?.kill();
    },
    async [Symbol.asyncDispose]() {
      const gates = await Promise.allSettled([running, spare]);
      const open = gates.flatMap((gate) => gate.status === "fulfilled" && gate.value ? [gate.value] : []);
      const folder = (await made?.catch(() => null))?.folder;
      // A process that has given up `write` leaves it to the gate.
      if (folder && !await isRemoved(folder.path)) await open.find(({ isOpen }) => isOpen)?.removeFolder();
      folder?.close();
      for (const gate of open) gate.kill();
    },
  };
}

async function makeSettings(
  { upstream, caCerts, connectMs = CONNECT_MS }: GateOptions,
): Promise<{ settings: GateSettings; folder: GateFolder }> {
  const [folder, authorities = []] = await Promise.all([makeGateFolder(), caCerts?.(), removeDeadFolders()]);
  return { folder, settings: { folder: folder.path, upstream, caCerts: authorities, connectMs } };
}

function noOther(): ToolError {
  return new ToolError(
    "external_failure",
    "The gate to the network ended again, and this run cannot start another one: start the run again",
  );
}

function pathOf({ listens }: DoorRequest, folder: string, id: number): string | null {
  return listens === undefined ? join(folder, `${id}`) : null;
}
