import { join } from "@std/path";

import { boxedCommand, unboxedCommand } from "../../runtime/rooms/room_command.ts";
import { findProgram } from "../../runtime/walls/files/find_program.ts";
import { openProcessLink } from "../../runtime/rooms/process_link.ts";
import { ROOM_DATA_BYTES, type RoomProfile } from "../../runtime/rooms/profile.ts";
import { memorySession, type ToolState } from "../../runtime/state/tool_state.ts";
import { type OpenLink, Room } from "../../runtime/rooms/room.ts";
import { findSelf } from "../../runtime/self/find_self.ts";
import { realDisk } from "../../runtime/walls/box/disk_view.ts";
import { openWorkerLink } from "../../runtime/rooms/worker_link.ts";
import type { Progress } from "../../schemas/context.ts";
import { fileGrants } from "./walls/file_grants.ts";

export const PLACES = ["worker", "process", "sandbox"] as const;

const fixture = (name: string) => new URL(`../fixtures/probe/${name}.ts`, import.meta.url);

/** Opens rooms that hold the probe, in one of the three places. */
export function probeLink(place: typeof PLACES[number]): OpenLink {
  return (profile, token, onMessage) => {
    if (place === "worker") {
      const entries = { room: fixture("room"), thread: fixture("thread") };
      return Promise.resolve({ link: openWorkerLink(profile, token, { onMessage, entries }), place });
    }
    const self = findSelf(fixture("main").href, (name) => Deno.env.get(name));
    const repo = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");
    const seen = { ...self, files: [...self.files, repo] };
    const path = Deno.env.get("PATH") ?? "";
    const prlimit = findProgram("prlimit", path);
    const bwrap = findProgram("bwrap", path);
    if (place === "sandbox" && bwrap === null) {
      throw new Error("these tests need bubblewrap: apt-get install bubblewrap");
    }
    const command = place === "sandbox"
      ? boxedCommand(profile, seen, { bwrap: bwrap!, prlimit, disk: realDisk })
      : unboxedCommand(profile, seen, prlimit);
    return Promise.resolve({ link: openProcessLink(profile, token, { command, onMessage }), place });
  };
}

/** A profile that holds one folder, for reading and writing. */
export function folderProfile(folder: string): RoomProfile {
  return {
    read: [folder],
    write: [folder],
    net: null,
    killable: false,
    threads: 0,
    memory: { dataBytes: ROOM_DATA_BYTES },
    files: fileGrants(folder),
  };
}

/** A room that holds the probe for one workspace beside a folder that is not granted. */
export async function openProbe(
  place: typeof PLACES[number],
  { session = memorySession(), dataBytes = ROOM_DATA_BYTES, residentBytes }: {
    session?: ToolState;
    /** Bound of all that it takes. @default that of every room */
    dataBytes?: number;
    residentBytes?: number;
  } = {},
) {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "bulkhead-probe-" }));
  const ws = join(root, "ws");
  Deno.mkdirSync(ws);
  Deno.writeTextFileSync(join(root, "outside.txt"), "outside");
  const { openLink, ended } = countedLinks(probeLink(place));
  const memory = { dataBytes, ...(residentBytes !== undefined && { residentBytes }) };
  const room = await Room.open({ ...folderProfile(ws), memory }, { openLink });
  return {
    root,
    ws,
    room,
    /** Runs one attempt and returns what the walls answered. */
    attempt: async (attempt: string, value = "", onProgress?: (progress: Progress) => void) => {
      const input = { attempt, value };
      const limits = { timeoutMs: 20_000, stopAfterMs: 20_000 };
      const outcome = await room.call({
        tool: "test/probe",
        input,
        mode: "run",
        told: { settings: {} },
        ...limits,
      }, {
        onProgress,
        answer: (ask) =>
          ask.kind === "state.get"
            ? session.get("test", ask.key)
            : ask.kind === "state.set"
            ? session.set("test", ask.key, ask.value)
            : Promise.reject(new Error(ask.kind)),
      });
      return outcome.ok ? outcome.text : `${outcome.error?.code}: ${outcome.error?.message}`;
    },
    ended,
    async [Symbol.asyncDispose]() {
      room.kill();
      await ended();
      Deno.removeSync(root, { recursive: true });
    },
  };
}

/** Makes rooms whose end can be waited for: a test that leaves one behind disturbs the next. */
export function countedLinks(
  open: OpenLink,
): { openLink: OpenLink; opened(): number; ended(): Promise<void> } {
  const ends: Promise<unknown>[] = [];
  return {
    async openLink(...args) {
      const opened = await open(...args);
      ends.push(opened.link.closed);
      return opened;
    },
    opened: () => ends.length,
    ended: async () => void await Promise.all(ends),
  };
}
