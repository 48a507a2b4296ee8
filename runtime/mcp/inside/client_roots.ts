import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type InputRequiredResult,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { fromFileUrl } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { isObject } from "../../../schemas/json/shape.ts";

/** How long a client may take to name its roots, in milliseconds. */
const ROOTS_MS = 10_000;
/** Most roots that are worth a look. */
const MAX_ROOTS = 100;
const MAX_LENGTH = 4_096;

/** The folders of one call, or what the client must answer first. */
export type RootsOfCall = { roots: readonly string[] | null } | { ask: InputRequiredResult };

/**
 * The folders that a client works in. They only narrow what is granted. A client that says that it has roots, and does
 * not name them, can call nothing.
 */
export class ClientRoots {
  readonly #server: Server;
  readonly #era: "legacy" | "modern";
  /** Of clients of the older era: what it answered last. */
  #known: Promise<readonly string[] | null> | null = null;

  constructor(server: Server, era: "legacy" | "modern") {
    this.#server = server;
    this.#era = era;
    if (era === "modern") return;
    server.setNotificationHandler("notifications/roots/list_changed", () => {
      this.#known = null;
    });
  }

  /** @throws {ToolError} `unavailable` if the client does not name its roots */
  async ofCall(context: ServerContext): Promise<RootsOfCall> {
    if (this.#era === "modern") return modernRoots(context);
    if (!this.#server.getClientCapabilities()?.roots) return { roots: null };
    const asked = this.#known ??= askRoots(context);
    try {
      return { roots: await asked };
    } catch (error) {
      if (this.#known === asked) this.#known = null;
      throw error;
    }
  }
}

async function askRoots({ mcpReq }: ServerContext): Promise<readonly string[] | null> {
  try {
    return readRoots(await mcpReq.send({ method: "roots/list" }, { timeout: ROOTS_MS }));
  } catch (error) {
    throw new ToolError(
      "unavailable",
      `The client says that it has roots, and did not name them (${
        error instanceof Error ? error.message : error
      })`,
    );
  }
}

/** Clients of the newer era answer a question by sending the same request again. */
function modernRoots({ mcpReq: { envelope, inputResponses } }: ServerContext): RootsOfCall {
  const capabilities = (envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  if (!isObject(capabilities) || capabilities.roots === undefined) return { roots: null };
  const answer = inputResponses?.roots;
  if (answer !== undefined) return { roots: readRoots(answer) };
  return { ask: inputRequired({ inputRequests: { roots: inputRequired.listRoots() } }) };
}

/** An empty list names no folder to stay in, so it narrows nothing. */
function readRoots(answer: unknown): readonly string[] | null {
  if (!isObject(answer) || !Array.isArray(answer.roots)) {
    throw new ToolError("unavailable", 'The client did not name its roots: "roots" must be a list');
  }
  if (answer.roots.length === 0) return null;
  return answer.roots.slice(0, MAX_ROOTS).flatMap((root) => {
    const path = isObject(root) && typeof root.uri === "string" ? pathOf(root.uri) : null;
    return path === null ? [] : [path];
  });
}

/** What is no local folder narrows to nothing: `null`. */
function pathOf(uri: string): string | null {
  try {
    const url = new URL(uri);
    const isLocal = url.protocol === "file:" && ["", "localhost"].includes(url.hostname);
    if (!isLocal || uri.length > MAX_LENGTH) return null;
    url.hostname = "";
    const path = fromFileUrl(url);
    return path.includes("\0") ? null : path;
  } catch {
    return null;
  }
}
