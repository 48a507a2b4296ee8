import type { McpServerFactory } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

import { type Pipe, StdioWire } from "./stdio_wire.ts";

/**
 * Serves one client over a pipe: nothing else may write to it.
 *
 * @param onEnd Called once the client is gone
 */
export function servePipe(
  pipe: Pipe,
  { build, onEnd }: { build: McpServerFactory; onEnd: () => void },
): { close(): Promise<void> } {
  const wire = new StdioWire(pipe);
  const served = serveStdio(build, { transport: wire });
  const close = wire.onclose;
  wire.onclose = () => {
    close?.();
    onEnd();
  };
  return served;
}
