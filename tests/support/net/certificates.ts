import { join } from "@std/path";

export interface Certificates {
  ca: string;
  cert: string;
  key: string;
}

let made: Promise<Certificates> | undefined;

/** Makes a certificate for `localhost` and `good.example` with its own authority, once for all tests of a file. */
export function certificates(): Promise<Certificates> {
  return made ??= make();
}

async function make(): Promise<Certificates> {
  const folder = Deno.makeTempDirSync({ prefix: "bulkhead-ca-" });
  const at = (name: string) => join(folder, name);
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  try {
    await openssl([
      ...["req", "-x509", ...curve, "-keyout", at("ca.key"), "-out", at("ca.pem"), "-days", "2"],
      ...["-subj", "/CN=test authority", "-addext", "keyUsage=critical,keyCertSign"],
    ]);
    await openssl([
      ...["req", "-x509", ...curve, "-keyout", at("key.pem"), "-out", at("cert.pem"), "-days", "2"],
      ...["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-subj", "/CN=localhost"],
      ...["-addext", "subjectAltName=DNS:localhost,DNS:good.example", "-addext", "basicConstraints=CA:FALSE"],
    ]);
    const read = (name: string) => Deno.readTextFileSync(at(name));
    return { ca: read("ca.pem"), cert: read("cert.pem"), key: read("key.pem") };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

async function openssl(args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("openssl", { args: [...args], stdout: "null" }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** A server by TLS on this machine, with such a certificate. */
export async function tlsServer(answer: Deno.ServeHandler<Deno.NetAddr>) {
  const known = await certificates();
  const { cert, key } = known;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, cert, key, onListen() {} }, answer);
  return { ...known, port: server.addr.port, [Symbol.asyncDispose]: () => server.shutdown() };
}
