import { join } from "@std/path";

import { ToolError } from "../../schemas/error.ts";
import type { DrivenPipe } from "../programs/narrow/driven_program.ts";
import type { Greeting } from "./protocol.ts";
import { readFirstBytes } from "../walls/files/open_plain.ts";

/** The user's own display: a connection, and how it is greeted. */
export interface UserDisplay {
  connection: DrivenPipe;
  greeting: Greeting;
}

/** Where displays of this machine take connections. */
const SOCKETS = "/tmp/.X11-unix";
const FIRST_PORT = 6000;
/** The only kind of password that is sent: it is no secret that is worth more than the display. */
/** Of a file of passwords, so much is read, in bytes. */
const MAX_COOKIES = 256 * 1024;
const COOKIE = "MIT-MAGIC-COOKIE-1";

/**
 * Connects to the display that the user's variables name. Needs `net`, and `read` and `write` of its socket.
 *
 * @throws {ToolError} `unavailable` if they name none on this machine, or it cannot be reached
 */
export async function openUserDisplay(env: Readonly<Record<string, string>>): Promise<UserDisplay> {
  const named = env.DISPLAY ?? "";
  const found = /^(?:unix|localhost|127\.0\.0\.1)?:(\d{1,4})(?:\.\d+)?$/.exec(named);
  if (found === null) {
    const why = named === "" ? "DISPLAY is not set" : `DISPLAY names ${JSON.stringify(named)}`;
    throw new ToolError("unavailable", `There is no display of yours on this machine: ${why}`);
  }
  const number = found[1]!;
  try {
    const connection = named.startsWith("l") || named.startsWith("1")
      ? await Deno.connect({ hostname: "127.0.0.1", port: FIRST_PORT + Number(number) })
      : await Deno.connect({ transport: "unix", path: join(SOCKETS, `X${number}`) });
    const cookie = cookieOf(number, env);
    return {
      connection: connectionOf(connection),
      greeting: { isNew: false, ...cookie !== null && { cookie } },
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ToolError("unavailable", `Your display ${named} cannot be reached: ${why}`);
  }
}

function connectionOf(connection: Deno.Conn): DrivenPipe {
  return {
    stdout: connection.readable,
    stderr: "",
    async write(bytes) {
      for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
    },
    close() {
      try {
        connection.close();
      } catch {
        // Its stream was read to the end, and has closed it.
      }
      return Promise.resolve({ exitCode: 0, reason: "exited", warnings: [] });
    },
  };
}

/** Reads the password of a display from the user's file of them; `null` if there is none. */
function cookieOf(number: string, { XAUTHORITY, HOME = "" }: Readonly<Record<string, string>>) {
  const bytes = readFirstBytes(XAUTHORITY || join(HOME, ".Xauthority"), MAX_COOKIES);
  return bytes && findCookie(bytes, number);
}

/** Finds the password of a display among those of a file: entries of a kind of network and four texts with lengths. */
export function findCookie(bytes: Uint8Array, number: string): NonNullable<Greeting["cookie"]> | null {
  const decoder = new TextDecoder();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 2 <= bytes.length;) {
    const fields: Uint8Array<ArrayBuffer>[] = [];
    for (at += 2; fields.length < 4 && at + 2 <= bytes.length;) {
      const end = at + 2 + view.getUint16(at);
      fields.push(new Uint8Array(bytes.subarray(at + 2, end)));
      at = end;
    }
    const [, display, name, data] = fields;
    if (data === undefined) return null;
    const isFor = display!.length === 0 || decoder.decode(display) === number;
    if (isFor && decoder.decode(name) === COOKIE) return { name: COOKIE, bytes: data };
  }
  return null;
}
