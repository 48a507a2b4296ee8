/** Returns a port that nobody listens on. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return (listener.addr as Deno.NetAddr).port;
}

/** Waits until somebody listens on a port. */
export async function listens(port: number): Promise<void> {
  for (const end = Date.now() + 20_000; Date.now() < end;) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch {
      await new Promise((done) => setTimeout(done, 20));
    }
  }
  throw new Error(`nobody listens on ${port}`);
}
