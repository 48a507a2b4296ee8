import type { Destination } from "./dial.ts";
import { GateFailure } from "./gate_failure.ts";

// RFC 1928 and 1929, as a client. Names go to the proxy, which looks them up.

const VERSION = 5;
const [NO_LOGIN, LOGIN] = [0, 2];
const [IPV4, NAME, IPV6] = [1, 3, 4];

/** Name and password at a proxy. */
export interface ProxyLogin {
  name: string;
  password: string;
}

/**
 * Asks a SOCKS 5 proxy for a way to a host.
 *
 * @throws {GateFailure} `proxy` if it refuses, or speaks otherwise
 */
export async function askSocks(
  conn: Deno.Conn,
  { host, port }: Destination,
  login: ProxyLogin | null,
): Promise<void> {
  const name = new TextEncoder().encode(host.replace(/^\[|\]$/g, ""));
  if (name.length > 255) throw new GateFailure("proxy", "the name of the host is too long for your proxy");
  await write(conn, [VERSION, 1, login === null ? NO_LOGIN! : LOGIN!]);
  const [version, method] = await read(conn, 2);
  if (version !== VERSION) throw new GateFailure("proxy", "your proxy does not speak SOCKS 5");
  if (method === LOGIN && login !== null) await logIn(conn, login);
  else if (method !== NO_LOGIN) {
    throw new GateFailure("proxy_login", "your proxy wants a name and a password");
  }
  await write(conn, [VERSION, 1, 0, NAME!, name.length, ...name, port >> 8, port & 255]);
  const [, code, , kind] = await read(conn, 4);
  if (code !== 0) throw new GateFailure("proxy", `your proxy did not lead to ${host}: it answered ${code}`);
  const [length = 0] = kind === IPV4 ? [4] : kind === IPV6 ? [16] : await read(conn, 1);
  await read(conn, length + 2);
}

async function logIn(conn: Deno.Conn, login: ProxyLogin): Promise<void> {
  const [name, password] = [login.name, login.password].map((text) =>
    new TextEncoder().encode(text).slice(0, 255)
  );
  await write(conn, [1, name!.length, ...name!, password!.length, ...password!]);
  const [, code] = await read(conn, 2);
  if (code !== 0) throw new GateFailure("proxy_login", "your proxy refuses the name and the password");
}

async function write(conn: Deno.Conn, bytes: readonly number[]): Promise<void> {
  const all = Uint8Array.from(bytes);
  for (let at = 0; at < all.length;) at += await conn.write(all.subarray(at));
}

/** Reads exactly so many bytes: what follows belongs to the tunnel. */
async function read(conn: Deno.Conn, count: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(count);
  for (let at = 0; at < count;) {
    const got = await conn.read(bytes.subarray(at));
    if (got === null) throw new GateFailure("proxy", "your proxy broke off");
    at += got;
  }
  return bytes;
}
