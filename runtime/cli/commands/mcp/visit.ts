/** A client that only looks: it says hello, asks for the tools, and goes. */
export function visit(): { input: AsyncIterable<Uint8Array>; write(bytes: Uint8Array): Promise<void> } {
  const heard: (() => void)[] = [];
  const answered = [1, 2].map(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    heard.push(resolve);
    return promise;
  });
  const line = (message: Record<string, unknown>) =>
    new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    input: (async function* () {
      const clientInfo = { name: "bulkhead", version: "1" };
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
      yield line({ id: 1, method: "initialize", params });
      await answered[0];
      yield line({ method: "notifications/initialized" });
      yield line({ id: 2, method: "tools/list", params: {} });
      await answered[1];
    })(),
    write(bytes) {
      const { id } = JSON.parse(new TextDecoder().decode(bytes)) as { id?: unknown };
      if (id === 1 || id === 2) heard[id - 1]!();
      return Promise.resolve();
    },
  };
}
