import { ToolError } from "../../../../schemas/error.ts";
import { parseJsonc } from "../../../../schemas/json/jsonc.ts";
import { parseJson } from "../../../../schemas/json/json_text.ts";
import { isObject } from "../../../../schemas/json/shape.ts";
import { type Client, CLIENTS } from "./clients.ts";
import type { VariablePlaces } from "./fill_in.ts";
import type { McpConfig, McpServer } from "./mcp_server.ts";
import { readServer } from "./read_server.ts";
import { byName, hasNamelessServers, namelessServers, serverEntries } from "./server_entries.ts";

/** What a file of servers is read with. */
export interface McpConfigOptions extends VariablePlaces {
  /** The file's path: it names the file in messages, and tells whose form it has. */
  path: string;
}

/**
 * Reads the servers of a file in the form of any common client: `.mcp.json`, Claude Desktop, Cursor, VS Code, Codex,
 * Gemini, opencode, Zed, Windsurf. It touches nothing but the text.
 *
 * @throws {ToolError} `configuration` for a file that cannot be read at all
 */
export async function readMcpConfig(text: string, options: McpConfigOptions): Promise<McpConfig> {
  const { path } = options;
  const named = CLIENTS.find(({ paths }) => paths.some((end) => `/${path}`.endsWith(end)));
  const document = await parse(text, named?.syntax ?? "jsonc", path);
  const client = named ?? clientOf(document);
  if (hasNamelessServers(document, client?.key)) throw namelessServers(path);
  const entries = client && serverEntries(document, client.key);
  if (!client || !entries) throw noServers(path, client);
  const servers: McpServer[] = [];
  const disabled: string[] = [];
  const failures: { name: string; error: ToolError }[] = [];
  const warnings: string[] = [];
  for (const [name, entry] of Object.entries(entries)) {
    try {
      const server = readServer(name, entry, { ...options, client, warn: (text) => warnings.push(text) });
      if (server === null) disabled.push(name);
      else servers.push(server);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      failures.push({ name, error });
    }
  }
  return { client: client.name, servers, disabled, failures, warnings };
}

async function parse(text: string, syntax: Client["syntax"], path: string): Promise<Record<string, unknown>> {
  const document = syntax === "toml" ? await parseToml(text, path) : parseText(text, syntax, path);
  if (isObject(document)) return document;
  throw new ToolError("configuration", `Cannot read file "${path}": it must hold an object`);
}

function parseText(text: string, syntax: "json" | "jsonc", path: string): unknown {
  try {
    return syntax === "jsonc" ? parseJsonc(text, `file "${path}"`) : parseJson(text, `file "${path}"`);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new ToolError("configuration", error.message, { details: error.details });
  }
}

async function parseToml(text: string, path: string): Promise<unknown> {
  const { parse } = await import("@std/toml");
  try {
    return parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ToolError("configuration", `Cannot read file "${path}": it is no TOML: ${why}`);
  }
}

/** A file of another name has the form whose field it has. */
function clientOf(document: Record<string, unknown>): Client | undefined {
  return CLIENTS.findLast(({ key }) => byName(document[key]) !== null);
}

function noServers(path: string, client: Client | undefined): ToolError {
  const keys = client === undefined ? ["mcpServers", "servers", "mcp", "context_servers"] : [client.key];
  const wanted = keys.map((key) => `"${key}"`).join(" or ");
  return new ToolError("configuration", `Cannot read file "${path}": it has no servers under ${wanted}`);
}
