import {
  type CallToolRequestParams,
  type CallToolResult,
  type InputRequiredResult,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
  type ServerOptions,
  type Tool,
} from "@modelcontextprotocol/server";

import { ToolError } from "../../../schemas/error.ts";
import { foldIssues } from "../../sources/mcp/fold_issues.ts";
import { plainName } from "../../text/spelled_like.ts";
import type { CallProgress, ConnectionId, ServeSettings } from "../protocol.ts";
import { ClientRoots } from "./client_roots.ts";
import type { MainLink } from "./main_link.ts";
import type { ToolLists } from "./tool_lists.ts";

/** What one server for one connection is made of. */
export interface ServerParts {
  settings: ServeSettings;
  link: MainLink;
  lists: ToolLists;
  connection: ConnectionId;
  /** Tells the clients of the connection that it has other resources, tools or prompts than before. */
  tellChange(server: Server, what: Changed): void;
  /** Adds to a server what this program does not offer itself. @default nothing */
  extend?: Extend | undefined;
}

/** What clients are told of when there are others. */
export type Changed = "resources" | "tools" | "prompts";

/** Answers `tools/call`. */
export type AnswerCall = (params: CallToolRequestParams, context: ServerContext) => Promise<CallToolAnswer>;
type CallToolAnswer = CallToolResult | InputRequiredResult;

/** Adds to a server what this program does not offer itself. */
export type Extend = (server: Server, own: ExtendedServer) => void;

/** What an extension builds on. */
export interface ExtendedServer {
  context: McpRequestContext;
  /** Answers a call as this program does. */
  call: AnswerCall;
  tellChange(what: Changed): void;
}

/** The SDK's own would be made for each server. It checks only what clients answer to forms, and nobody asks them. */
const NO_VALIDATOR: NonNullable<ServerOptions["jsonSchemaValidator"]> = {
  getValidator() {
    throw new Error("this server asks its clients nothing that a schema describes");
  },
};

/** Makes the server of one connection, or of one request of a client without connections. */
export function buildServer(context: McpRequestContext, parts: ServerParts): Server {
  const { settings: { name, version, instructions, grows }, link, lists, connection, extend } = parts;
  const tools = () => lists.of(connection).tools as readonly unknown[] as Tool[];
  const capabilities = { tools: grows ? { listChanged: true } : {}, resources: { listChanged: true } };
  const server = new Server({ name, version }, {
    ...{ capabilities, instructions },
    ...(extend === undefined && { jsonSchemaValidator: NO_VALIDATOR }),
  });
  const roots = new ClientRoots(server, context.era);
  lists.follow(connection, () => parts.tellChange(server, "tools"));
  server.setRequestHandler("tools/list", () => ({ tools: tools() }));
  const call: AnswerCall = async (params, request) => {
    const name = namedBy(params.name, tools());
    if (name === null) throw unknownTool(params.name);
    // Without `using`: the bundler takes a name away that is used once, in the next statement, and what ends it too.
    const place = link.takePlace(params.arguments);
    if (place === null) return failed("too many calls at once: wait for answers before you call again");
    try {
      const found = lists.of(connection).rooted.includes(name)
        ? await roots.ofCall(request)
        : { roots: null };
      if ("ask" in found) return found.ask;
      const { traceparent } = request.mcpReq._meta ?? {};
      const asked = {
        ...{ connection, roots: found.roots, name, input: params.arguments ?? {} },
        ...typeof traceparent === "string" && { traceparent },
      };
      const { answer, leaves } = await link.call(asked, callOptions(request));
      if (leaves) parts.tellChange(server, "resources");
      return answer as unknown as CallToolResult;
    } catch (error) {
      if (error instanceof ToolError) return failed(error.message);
      throw error;
    } finally {
      place[Symbol.dispose]();
    }
  };
  server.setRequestHandler("tools/call", ({ params }, request) => call(params, request));
  server.setRequestHandler("resources/list", async () => ({
    resources: [...await link.resources(connection)],
  }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const content = await link.read(connection, uri);
    if (content === null) throw new ResourceNotFoundError(uri);
    return { contents: [content] };
  });
  sayPlainly(server);
  extend?.(server, { context, call, tellChange: (what) => parts.tellChange(server, what) });
  return server;
}

/** What the library's validator says of a request is told in words. */
function sayPlainly(server: Server): void {
  const connect = server.connect.bind(server);
  server.connect = async (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      if (!("error" in message)) return send(message, options);
      const { error } = message;
      return send({ ...message, error: { ...error, message: foldIssues(error.message) } }, options);
    };
    await connect(transport);
  };
}

/** Tells the one client of a server, which may be gone. */
export function tellClient(server: Server, what: Changed): void {
  const sent = what === "resources"
    ? server.sendResourceListChanged()
    : what === "tools"
    ? server.sendToolListChanged()
    : server.sendPromptListChanged();
  sent.catch(() => {});
}

function callOptions({ mcpReq: { signal, _meta, notify } }: ServerContext) {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return { signal };
  const onProgress = (progress: CallProgress) => {
    // The client may be gone by now.
    notify({ method: "notifications/progress", params: { progressToken, ...progress } }).catch(() => {});
  };
  return { signal, onProgress };
}

/** The listed name that a client means, which may spell it otherwise; `null` if none or several fit. */
function namedBy(said: string, tools: readonly Tool[]): string | null {
  if (tools.some(({ name }) => name === said)) return said;
  const plain = plainName(said);
  const [found, ...others] = tools.filter(({ name }) => plain !== "" && plainName(name) === plain);
  return others.length === 0 ? found?.name ?? null : null;
}

function unknownTool(name: string): ProtocolError {
  const shown = JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool ${shown}: tools/list names those there are`,
  );
}

function failed(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
