import {
  type Authenticator,
  AuthorizationError,
  type ConnectionOptions,
  credsAuthenticator,
  type NatsConnection,
  NatsConnectionImpl,
  setTransportFactory,
  tokenAuthenticator,
  UserAuthenticationExpiredError,
  usernamePasswordAuthenticator,
} from "@nats-io/nats-core/internal";

import { ToolError } from "../../../../../schemas/error.ts";
import { sleep } from "../../../../wait/sleep.ts";
import { hostAndPort } from "../../../../walls/net/read_host.ts";
import type { EngineSettings, LinkState } from "../../../contract/engine.ts";
import { Link } from "./link.ts";
import { NodeTransport } from "./transport.ts";

/** Longest wait for an engine that is not there yet, in milliseconds. */
const CONNECT_MS = 10_000;
/** Longest wait for one node, in milliseconds. */
const DIAL_MS = 5_000;
const PAUSE_MS = 250;
/** A node that does not answer so often in a row counts as lost. */
const PINGS = { pingInterval: 3_000, maxPingOut: 2 } as const;

/**
 * Connects with an engine. Needs `net` for its nodes.
 *
 * @throws {ToolError} `unauthenticated` if it refuses the credentials, `external_failure` if it cannot be reached in time or has
 * no JetStream
 */
export async function connectNodes(
  settings: EngineSettings,
  tell: (state: LinkState) => void,
): Promise<Link> {
  setTransportFactory({ factory: () => new NodeTransport(), defaultPort: 4222 });
  const where = settings.nodes.map(({ host, port }) => hostAndPort(host, port)).join(", ");
  const nc = await dial(optionsFor(settings), where);
  if (!nc.info?.jetstream) {
    await nc.close();
    throw new ToolError(
      "external_failure",
      `Cannot use the queue at ${where}: its JetStream is not enabled, start it with nats-server -js`,
      { retryable: false },
    );
  }
  tell({ isUp: true, text: nc.getServer() });
  return await Link.over(nc, tell);
}

async function dial(options: ConnectionOptions, where: string): Promise<NatsConnection> {
  const start = performance.now();
  while (true) {
    try {
      return await NatsConnectionImpl.connect(options);
    } catch (error) {
      if (error instanceof AuthorizationError || error instanceof UserAuthenticationExpiredError) {
        throw new ToolError(
          "unauthenticated",
          `The queue at ${where} refuses the credentials, check its user, token or credentials file`,
          { cause: error },
        );
      }
      if (error instanceof ToolError || error instanceof Deno.errors.NotCapable) throw error;
      if (performance.now() - start >= CONNECT_MS) {
        const why = error instanceof Error ? error.message : String(error);
        throw new ToolError(
          "external_failure",
          `Cannot reach the queue at ${where} within ${
            CONNECT_MS / 1_000
          } s: ${why}. Start it with nats-server -js`,
          { cause: error },
        );
      }
    }
    await sleep(PAUSE_MS, new AbortController().signal);
  }
}

function optionsFor({ nodes, tls, credentials }: EngineSettings): ConnectionOptions {
  return {
    servers: nodes.map(({ host, port }) => hostAndPort(host, port)),
    name: "bulkhead",
    timeout: DIAL_MS,
    // Only nodes that the user named may be reached.
    ignoreClusterUpdates: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: PAUSE_MS,
    ignoreAuthErrorAbort: true,
    noAsyncTraces: true,
    ...PINGS,
    ...(tls && { tls: tls.ca === null ? {} : { ca: tls.ca } }),
    ...authenticatorOf(credentials),
  };
}

function authenticatorOf(
  credentials: EngineSettings["credentials"],
): { authenticator?: Authenticator } {
  if (credentials.kind === "none") return {};
  if (credentials.kind === "token") return { authenticator: tokenAuthenticator(credentials.token) };
  if (credentials.kind === "creds") {
    const authenticator = credsAuthenticator(new TextEncoder().encode(credentials.text));
    requireReadable(authenticator);
    return { authenticator };
  }
  return { authenticator: usernamePasswordAuthenticator(credentials.user, credentials.password) };
}

function requireReadable(authenticator: Authenticator): void {
  try {
    authenticator("");
  } catch (error) {
    throw new ToolError(
      "unauthenticated",
      "Cannot use the credentials file of the queue: it holds no JWT with its seed, make it with nsc generate creds",
      { cause: error },
    );
  }
}
