import { createSocket } from "node:dgram";

/**
 * Starts servers that last as long as the tests of a file: `open` may be reached and redirects `/away` to `closed`, which may not and tells the
 * secret, by every address of this machine; `hits` counts what came to it and to `udp`.
 */
export async function outsideServers(secret: string) {
  let hits = 0;
  const closed = Deno.serve({ hostname: "0.0.0.0", port: 0, onListen() {} }, () => {
    hits++;
    return new Response(secret);
  });
  closed.unref();
  const open = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const { pathname } = new URL(request.url);
    const location = `http://127.0.0.1:${closed.addr.port}/`;
    return pathname === "/away"
      ? new Response(null, { status: 302, headers: { location } })
      : new Response("open");
  });
  open.unref();
  const datagrams = createSocket("udp4", () => void hits++);
  await new Promise<void>((bound) => datagrams.bind(0, bound));
  datagrams.unref();
  const addresses = Deno.networkInterfaces().filter(({ family, address }) =>
    family === "IPv4" && !address.startsWith("127.")
  );
  return {
    open: open.addr.port,
    closed: closed.addr.port,
    udp: datagrams.address().port,
    address: addresses[0]?.address ?? "127.0.0.1",
    hits: () => hits,
  };
}
