import type { GateFetch } from "../../../../net/port/fetch_over_port.ts";
import type { KeptLogin } from "../../wire/remote_way.ts";

/** The tokens of a login, as a server gave them. */
type Tokens = NonNullable<KeptLogin["tokens"]>;

/** A login that is renewed. */
export interface Renewable {
  /** Holds it against other runs; what is kept of it now, `null` if nothing can be kept. */
  hold(): Promise<KeptLogin | null>;
  free(): void;
  /** Says whether this run never had these tokens. */
  isNew(tokens: Tokens): boolean;
  /** It was renewed. */
  renewed(tokens: Tokens): void;
  /** It holds no longer. */
  ended(): void;
  /** It may hold, but cannot be renewed now. */
  notNow(why: string): void;
}

/**
 * Renews a login while no other run does. A server may take each refresh token once: whoever comes second takes what the
 * first one got. All other requests pass.
 */
export function renewingFetch(fetch: GateFetch, login: Renewable): GateFetch {
  let last: Promise<void> = Promise.resolve();
  return async (target, init) => {
    const sent = refreshTokenOf(init?.body);
    if (sent === null) return await fetch(target, init);
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = last;
    last = promise;
    await before;
    const kept = await login.hold();
    try {
      const known = kept === null ? null : answerOfOther(kept, login);
      return known ?? await renew(() => fetch(target, init), { sent, login });
    } finally {
      login.free();
      resolve();
    }
  };
}

/** What another run made of the login meanwhile, as the server would have said it; `null` if nothing. */
function answerOfOther({ tokens }: KeptLogin, login: Renewable): Response | null {
  if (tokens === null) return Response.json({ error: "invalid_grant" }, { status: 400 });
  return login.isNew(tokens) ? Response.json(tokens) : null;
}

async function renew(
  ask: () => Promise<Response>,
  { sent, login }: { sent: string; login: Renewable },
): Promise<Response> {
  try {
    const response = await ask();
    const text = await response.text();
    const { status, ok, headers } = response;
    const said = objectOf(text);
    if (ok && typeof said.access_token === "string") login.renewed({ refresh_token: sent, ...said });
    else if (said.error === "invalid_grant") login.ended();
    else if (ok || status >= 500 || status === 429) {
      login.notNow(`it answered with the HTTP status ${status}`);
    }
    return new Response(text === "" ? null : text, { status, headers });
  } catch (error) {
    login.notNow(error instanceof Error ? error.message : String(error));
    throw error;
  }
}

function refreshTokenOf(body: RequestInit["body"]): string | null {
  const isForm = body instanceof URLSearchParams && body.get("grant_type") === "refresh_token";
  return isForm ? body.get("refresh_token") : null;
}

function objectOf(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
