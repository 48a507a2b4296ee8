import { proxyGreeting } from "../../../runtime/net/forms/gate_headers.ts";
import { closeQuietly, pump, writeAll } from "../../../runtime/net/wire/streams.ts";

/** A port on this machine that leads to a unix socket, as the bridge of a box does. */
export function bridge({ path, token }: { path: string; token: string }) {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Promise<void>>();
  const serve = async (conn: Deno.Conn) => {
    const up = await Deno.connect({ transport: "unix", path });
    await writeAll(up, new TextEncoder().encode(proxyGreeting(token)));
    const over = async (from: Deno.Conn, to: Deno.Conn) => {
      await pump(from, to, () => {});
      await to.closeWrite();
    };
    await Promise.allSettled([over(conn, up), over(up, conn)]);
    closeQuietly(conn);
    closeQuietly(up);
  };
  const accepted = (async () => {
    for await (const conn of listener) {
      const served: Promise<void> = serve(conn).catch(() => {}).finally(() => open.delete(served));
      open.add(served);
    }
  })().catch(() => {});
  const { port } = listener.addr as Deno.NetAddr;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      closeQuietly(listener);
      await accepted;
      await Promise.all(open);
    },
  };
}
