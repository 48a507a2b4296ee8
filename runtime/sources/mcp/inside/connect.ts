import {
  Client,
  type ClientOptions,
  type JsonSchemaValidator,
  ProtocolError,
  type Transport,
} from "@modelcontextprotocol/client";

import { LONGEST_MS } from "../../../wait/longest.ts";
import type { RemoteWay } from "../wire/remote_way.ts";
import type { ChangedList, ClientSettings, FromClient, ServerFacts } from "../wire/protocol.ts";
import type { Questions } from "./questions.ts";
import { fetchOverPort } from "../../../net/port/fetch_over_port.ts";
import type { LoginParts } from "./remote/login.ts";
import { RemoteTransport } from "./remote/remote_transport.ts";
import { WireTransport } from "./wire_transport.ts";

/** The revision that servers speak who refuse all earlier ones. */
const MODERN = "2026-07-28";

const UNCHECKED = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};

/** What a connection is made with. */
export interface ConnectParts {
  post(message: FromClient): void;
  questions: Questions;
  /** The way to the gate, for a remote server. */
  port: MessagePort | undefined;
  /** Sends the user's browser away, and returns the query with which it comes back. */
  authorize: LoginParts["authorize"];
  /** Holds the login against other runs. */
  hold: LoginParts["hold"];
}

/** A connection to a server. */
export interface ServerConnection {
  /** Rejects if the server cannot be spoken with. */
  opened: Promise<ServerFacts>;
  /** `undefined` before the connection is open. */
  readonly client: Client | undefined;
  /** Takes in a message of the server. */
  take(bytes: Uint8Array): void;
  /** There will be no more messages. */
  end(): void;
  /** Says that the client works in other folders. */
  tellRoots(): void;
  /** Masks the secrets of a remote server in a text. */
  mask(text: string): string;
}

/** Connects to a server. */
export function connect(settings: ClientSettings, parts: ConnectParts): ServerConnection {
  const { way } = settings;
  return way.kind === "remote" ? connectRemote(way, settings, parts) : connectWire(settings, parts);
}

/** Over HTTP, a question that a server does not know costs it little: it is asked first which form it speaks. */
function connectRemote(way: RemoteWay, settings: ClientSettings, parts: ConnectParts): ServerConnection {
  const { post, port, authorize, hold } = parts;
  const transport = new RemoteTransport(way, {
    fetch: fetchOverPort({ port: port!, token: way.token }),
    authorize,
    hold,
    free: () => post({ t: "free" }),
    keep: (kept) => post({ t: "keep", kept }),
    lost: (why) => post({ t: "lost", why }),
  });
  const made = makeClient(settings, {
    ...parts,
    options: { versionNegotiation: { mode: "auto", probe: { timeoutMs: LONGEST_MS } } },
  });
  let client: Client | undefined;
  const open = async () => {
    await made.connect(transport as Transport, { timeout: LONGEST_MS });
    client = made;
    return factsOf(made);
  };
  return {
    opened: open(),
    get client() {
      return client;
    },
    take() {},
    end() {},
    tellRoots: () => void client?.sendRootsListChanged().catch(() => {}),
    mask: (text) => transport.mask(text),
  };
}

/**
 * Connects to a server over main's messages. It is asked in the form that all but the newest servers know; if it refuses
 * that, in the newest.
 */
function connectWire(settings: ClientSettings, parts: ConnectParts): ServerConnection {
  let transport: WireTransport;
  let client: Client | undefined;
  const open = async (options: ClientOptions) => {
    const made = makeClient(settings, { ...parts, options });
    transport = new WireTransport(parts.post);
    // Nobody but main decides how long is waited.
    await made.connect(transport as Transport, { timeout: LONGEST_MS });
    client = made;
    return factsOf(made);
  };
  const opened = open({}).catch((error) => {
    if (!(error instanceof ProtocolError)) throw error;
    return open({ versionNegotiation: { mode: { pin: MODERN }, probe: { timeoutMs: LONGEST_MS } } })
      .catch(() => Promise.reject(error));
  });
  return {
    opened,
    get client() {
      return client;
    },
    take: (bytes) => transport.take(bytes),
    end: () => void transport.close(),
    tellRoots: () => void client?.sendRootsListChanged().catch(() => {}),
    mask: (text) => text,
  };
}

function makeClient(
  { name, version, offers }: ClientSettings,
  { post, questions, options }: ConnectParts & { options: ClientOptions },
): Client {
  const told = (list: ChangedList) => ({
    autoRefresh: false,
    debounceMs: 0,
    onChanged: () => post({ t: "changed", list }),
  });
  const client = new Client({ name, version }, {
    ...options,
    capabilities: {
      roots: { listChanged: true },
      ...offers.sampling && { sampling: {} },
      ...offers.elicitation && { elicitation: { form: { applyDefaults: true } } },
    },
    listChanged: { tools: told("tools"), resources: told("resources"), prompts: told("prompts") },
    // Foreign schemas are checked where they can neither burn nor burst anything: not here.
    jsonSchemaValidator: UNCHECKED,
  });
  client.setRequestHandler(
    "roots/list",
    async ({ params }, { mcpReq: { signal } }) =>
      await questions.ask({ kind: "roots", params }, signal) as { roots: [] },
  );
  if (offers.sampling) {
    client.setRequestHandler(
      "sampling/createMessage",
      async ({ params }, { mcpReq: { signal } }) =>
        await questions.ask({ kind: "sampling", params }, signal) as never,
    );
  }
  if (offers.elicitation) {
    client.setRequestHandler(
      "elicitation/create",
      async ({ params }, { mcpReq: { signal } }) =>
        await questions.ask({ kind: "elicitation", params }, signal) as never,
    );
  }
  return client;
}

function factsOf(client: Client): ServerFacts {
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
  const { name = "", version = "" } = client.getServerVersion() ?? {};
  return {
    protocol: client.getNegotiatedProtocolVersion() ?? "",
    ...{ name, version },
    instructions: client.getInstructions() ?? "",
    has: { tools: tools !== undefined, resources: resources !== undefined, prompts: prompts !== undefined },
  };
}
