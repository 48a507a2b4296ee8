// The worker that speaks with one MCP server of other people. It holds no permission: main passes the messages on.
import { type ClientScope, serveClient } from "../sources/mcp/inside/serve_client.ts";
import { leaveBareGround } from "../self/bare_ground.ts";
import { sayLoaded } from "../self/say_loaded.ts";

leaveBareGround();

// A message that fails in a way of its own must not end the worker.
self.addEventListener("unhandledrejection", (event) => event.preventDefault());

// The library prints words of servers; nobody has looked at them.
const silent = () => {};
Object.assign(globalThis.console, { debug: silent, error: silent, info: silent, log: silent, warn: silent });

serveClient(self as unknown as ClientScope);

sayLoaded();
