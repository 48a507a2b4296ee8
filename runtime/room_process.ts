import { readLines } from "./lines.ts";
import type { FromRoom, ToRoom } from "./messages.ts";
import { openWorkerLink, type RoomEntries } from "./worker_link.ts";

const GIVEN_UP = ["read", "write", "net", "run", "env", "sys", "ffi", "import"] as const;

/** The pipes of a room process. */
export interface RoomPipes {
  input: ReadableStream<Uint8Array>;
  write(bytes: Uint8Array): Promise<void>;
}

/**
 * The life of a room process: its main makes the scoped worker, gives up every permission of its own, and relays JSON
 * lines between the pipes and the worker until the input ends.
 *
 * @returns The exit code: 0 at the end of the input, 1 if the worker died
 */
export async function runRoomProcess(pipes: RoomPipes, entries?: RoomEntries): Promise<number> {
  const lines = readLines(pipes.input);
  const first = await lines.next();
  if (first.done) return 0;
  const open = JSON.parse(first.value) as ToRoom & { t: "open" };
  const encoder = new TextEncoder();
  let written = Promise.resolve();
  const onMessage = (message: FromRoom) => {
    // The worker has loaded its module by the time it says anything: what this process holds is needed no longer.
    if (message.t === "ready") { for (const name of GIVEN_UP) Deno.permissions.revokeSync({ name }); }
    const line = encoder.encode(`${JSON.stringify(message)}\n`);
    written = written.then(() => pipes.write(line));
  };
  const link = openWorkerLink(open.profile, open.token, { onMessage, ...(entries && { entries }) });
  const relay = (async () => {
    for await (const line of lines) link.send(JSON.parse(line));
    return 0;
  })();
  const code = await Promise.race([relay, link.closed.then(() => 1)]);
  await written.catch(() => {});
  return code;
}
