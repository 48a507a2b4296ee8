import { resolve } from "@std/path";

import { ToolError } from "../../../../schemas/error.ts";
import type { ListenSettings } from "../../../server/contract/protocol.ts";
import { VERSION } from "../../../self/version.ts";
import { namedFileError } from "../../../walls/files/system_error.ts";
import type { Options } from "../../args/options/option_table.ts";
import { type Io, userFolder } from "../../io/io.ts";

/** Which operations there are, the server says. */
export type ListenerSettings = Omit<ListenSettings, "operations">;

const DEFAULT_HOST = "127.0.0.1";
const DEFAULT_PORT = 8686;
/** A name or an address: what could lead a check of `Host` astray is none. */
const NAME = /^[\w.:-]{1,253}$/;

/**
 * Returns where the server listens, and who may ask. Needs `read` of the certificate, and `net` for a port behind it.
 *
 * @throws {ToolError} `invalid_input`, `not_found`
 */
export function listenSettings(
  { host = DEFAULT_HOST, port = DEFAULT_PORT, names = [], cors = [], tlsCert, tlsKey }: Options,
  token: string,
  io: Io,
): ListenerSettings {
  for (const name of [host, ...names]) {
    if (!NAME.test(name)) throw bad(`Cannot listen as ${JSON.stringify(name)}: write a name or an address`);
  }
  for (const origin of cors) {
    if (!isOrigin(origin)) {
      throw bad(
        `Cannot allow the pages of ${JSON.stringify(origin)}: write an origin, such as https://chat.example`,
      );
    }
  }
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw bad("For HTTPS name both files: --tls-cert FILE --tls-key FILE");
  }
  const read = (file: string) => readText(resolve(userFolder(io), file));
  const tls = tlsCert === undefined ? null : { cert: read(tlsCert), key: read(tlsKey!), port: freePort() };
  return { host, port, token, names, origins: cors, tls, version: VERSION };
}

/** The worker that listens must know the port before it is there: it may use no other. */
function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return (listener.addr as Deno.NetAddr).port;
}

function isOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

function readText(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    throw namedFileError(error, "read", path);
  }
}

function bad(message: string): ToolError {
  return new ToolError("invalid_input", message);
}
