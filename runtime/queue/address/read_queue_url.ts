import { ToolError } from "../../../schemas/error.ts";
import { readHost } from "../../walls/net/read_host.ts";
import type { EngineNode, EngineSettings } from "../contract/engine.ts";

/** The variables that hold credentials, so that no list of processes shows them. */
export const QUEUE_VARIABLES = {
  user: "BULKHEAD_QUEUE_USER",
  password: "BULKHEAD_QUEUE_PASSWORD",
  token: "BULKHEAD_QUEUE_TOKEN",
} as const;

/** What stands beside the URL of a queue. */
export interface QueueUrlOptions {
  /** Reads a variable of the environment. */
  env(name: string): string | undefined;
  /** Text of a file with further roots, in PEM. @default the system's alone */
  ca?: string | undefined;
  /** Text of a file with a JWT and a seed. @default none */
  creds?: string | undefined;
  /** Of how many nodes each keeps everything. @default 1 */
  replicas?: number | undefined;
}

const DEFAULT_PORT = 4222;
/** A week in milliseconds. */
const KEEP_MS = 7 * 24 * 60 * 60 * 1_000;
const MOST_ORDERS = 100_000;

/**
 * Reads where a queue is: `nats://HOST[:PORT]` or `tls://HOST[:PORT]`, several nodes of one cluster with commas between them,
 * `USER:PASSWORD@` or `TOKEN@` before the first one.
 *
 * @throws {ToolError} `invalid_input`; no message shows credentials
 */
export function readQueueUrl(
  text: string,
  { env, ca, creds, replicas = 1 }: QueueUrlOptions,
): EngineSettings {
  const [, scheme, userinfo, hosts = ""] = /^([a-z]+):\/\/(?:([^@/]*)@)?([^@/?#]+)\/?$/.exec(text) ?? [];
  if (scheme !== "nats" && scheme !== "tls") throw bad(text, "write nats://HOST:4222, or tls://HOST:4222");
  if (ca !== undefined && scheme !== "tls") throw bad(text, "with --queue-ca write tls://HOST:4222");
  return {
    scheme: "nats",
    nodes: hosts.split(",").map((host) => readNode(host, text)),
    tls: scheme === "tls" ? { ca: ca ?? null } : null,
    credentials: credentialsOf(text, { userinfo, env, creds }),
    replicas,
    keepMs: KEEP_MS,
    mostOrders: MOST_ORDERS,
  };
}

/** Returns the URL of a queue as others may see it. */
export function shownQueue(text: string): string {
  return text.replace(/\/\/[^/]*@/, "//");
}

function readNode(given: string, text: string): EngineNode {
  const [, host = "", port] =
    /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(given.replace(/^nats:\/\/|^tls:\/\//, "")) ?? [];
  const name = readHost(host)?.name;
  const number = port === undefined ? DEFAULT_PORT : Number(port);
  if (name === undefined || number < 1 || number > 65_535) {
    throw bad(text, `${given || "nothing"} is no host with a port`);
  }
  return { host: name, port: number };
}

function credentialsOf(
  text: string,
  { userinfo, env, creds }:
    & { userinfo: string | undefined; creds: string | undefined }
    & Pick<QueueUrlOptions, "env">,
): EngineSettings["credentials"] {
  if (creds !== undefined) return { kind: "creds", text: creds };
  if (userinfo !== undefined) {
    const parts = userinfo.split(":").map((part) => decode(part, text));
    const [user = "", password] = parts;
    return password === undefined ? { kind: "token", token: user } : { kind: "user", user, password };
  }
  const token = env(QUEUE_VARIABLES.token);
  if (token) return { kind: "token", token };
  const user = env(QUEUE_VARIABLES.user);
  return user ? { kind: "user", user, password: env(QUEUE_VARIABLES.password) ?? "" } : { kind: "none" };
}

function decode(part: string, text: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw bad(text, "what stands before the @ has a % that begins no character");
  }
}

function bad(text: string, why: string): ToolError {
  return new ToolError("invalid_input", `Cannot use ${JSON.stringify(shownQueue(text))} as a queue: ${why}`);
}
