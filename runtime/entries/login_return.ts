// Waits for the browser of somebody who logs in at a remote MCP server: it may do nothing but listen on its port.
import { type ReturnScope, serveReturn } from "../sources/mcp/login/serve_return.ts";
import { sayLoaded } from "../self/say_loaded.ts";

serveReturn(self as unknown as ReturnScope);

sayLoaded();
