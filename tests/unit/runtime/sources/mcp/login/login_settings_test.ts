import { assertEquals, assertThrows } from "@std/assert";

import { readMcpConfig } from "../../../../../../runtime/sources/mcp/config/read_mcp_config.ts";
import { loginSettings } from "../../../../../../runtime/sources/mcp/login/login_settings.ts";
import { ToolError } from "../../../../../../schemas/error.ts";

const read = (oauth: Record<string, unknown>) =>
  readMcpConfig(JSON.stringify({ mcpServers: { s: { url: "https://a.example/mcp", oauth } } }), {
    path: "/ws/.mcp.json",
    env: { SECRET: "of-the-client", PORT: "3118", SCOPE: "read" },
    workspace: "/ws",
    home: "/home/you",
  });

Deno.test("variables are filled in in what an entry says about logins, and masked", async () => {
  const { servers: [server], failures } = await read({
    clientId: "me",
    clientSecret: "${SECRET}",
    scopes: ["${SCOPE}", "${NONE:-write}"],
    callbackPort: "${PORT}",
  });
  assertEquals(failures, []);
  assertEquals(loginSettings(server!), {
    clientId: "me",
    clientSecret: "of-the-client",
    scope: "read write",
    callbackPort: 3118,
  });
  assertEquals(server!.secrets, ["of-the-client", "read", "write", "3118"]);
});

Deno.test("a variable that is not set is told as in all other fields", async () => {
  const { servers, failures } = await read({ clientSecret: "${NOT_SET}" });
  assertEquals([servers, failures[0]?.error.message], [
    [],
    'Cannot use the server "s" of "/ws/.mcp.json": mcpServers.s.oauth.clientSecret: the variable NOT_SET is not set: ' +
    "set it, or write ${NOT_SET:-…} with what stands for it",
  ]);
});

Deno.test("a port that is none is refused", async () => {
  for (const callbackPort of [0, 70_000, "x", "${SECRET}"]) {
    const { servers: [server] } = await read({ callbackPort });
    assertThrows(() => loginSettings(server!), ToolError, "oauth.callbackPort: it must be a port");
  }
});
