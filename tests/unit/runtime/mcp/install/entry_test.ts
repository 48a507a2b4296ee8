import { assert, assertEquals, assertThrows } from "@std/assert";
import { parse as parseToml } from "@std/toml";

import { CLIENT_FORMS, MCP_CLIENTS } from "../../../../../runtime/mcp/install/clients.ts";
import { addEntry, showEntry } from "../../../../../runtime/mcp/install/entry.ts";
import { ToolError } from "../../../../../schemas/error.ts";

const SERVER = { command: "/opt/bulk head/bulkhead", args: ["mcp", "serve", "-C=/a b", '"quoted"'] };

Deno.test("showEntry() gives each client its own form", () => {
  for (const client of MCP_CLIENTS) {
    const form = CLIENT_FORMS[client];
    const text = showEntry(form, SERVER);
    const value = (form.format === "json" ? JSON.parse(text) : parseToml(text)) as Record<
      string,
      Record<string, unknown>
    >;
    assertEquals(Object.keys(value), [form.key], client);
    assertEquals(value[form.key]!.bulkhead, form.entry(SERVER) as unknown, client);
  }
});

Deno.test("addEntry() refuses a file that it does not understand, and names it", () => {
  const cases: [client: "cursor" | "codex", text: string][] = [
    ["cursor", "{"],
    ["cursor", "not json"],
    ["cursor", '{"mcpServers": 3}'],
    ["cursor", "[]"],
    ["codex", "a = "],
    // Its tables stand inline, where no other one can be added.
    ["codex", 'mcp_servers = { x = { command = "y" } }\n'],
    // A header within a text is none.
    ["codex", 'a = """\n[mcp_servers.bulkhead]\n"""\n'],
  ];
  for (const [client, text] of cases) {
    const add = () => addEntry(text, CLIENT_FORMS[client], SERVER, "/home/you/file");
    const { code, message } = assertThrows(add, ToolError);
    assertEquals(code, "configuration", text);
    assert(message.includes("/home/you/file"), message);
  }
});

Deno.test("addEntry() keeps members called as parts of objects", () => {
  const text = '{"__proto__": {"a": 1}, "constructor": 2}';
  const added = addEntry(text, CLIENT_FORMS.gemini, SERVER, "f");
  assert(added.startsWith(text.slice(0, -1)), added);
});
