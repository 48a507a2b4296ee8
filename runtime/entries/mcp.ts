// The worker that speaks with clients of the Model Context Protocol: it may do nothing but listen on its port.
import { type ServerScope, serveWorker } from "../mcp/inside/serve_worker.ts";
import { sayLoaded } from "../self/say_loaded.ts";

// One client that fails in a way of its own must not end all others.
self.addEventListener("unhandledrejection", (event) => event.preventDefault());

// Only the worker touches the client's pipe: main never waits for a client that does not read.
const pipe = {
  read: (buffer: Uint8Array) => Deno.stdin.read(buffer),
  write: (bytes: Uint8Array) => Deno.stdout.write(bytes),
};
serveWorker(self as unknown as ServerScope, { pipe });

sayLoaded();
