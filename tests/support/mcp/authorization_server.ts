import { testServer } from "../net/gate_scene.ts";

export interface AuthorizationOptions {
  /** A client that is registered already: others cannot register. */
  client?: { id: string; secret: string };
  refreshes?: boolean;
  /** Changes where a browser is sent back to. */
  sendBack?(to: URL): void;
  /** Waits before a code is taken. */
  beforeCode?(): Promise<void>;
  /** Takes the place of the address where one logs in. */
  logInAt?: string;
}

/** An authorization server of a test: registration, codes with PKCE, and refresh tokens that hold once. */
export function authorizationServer({ client, refreshes = true, ...hooks }: AuthorizationOptions = {}) {
  const issued = new Set<string>();
  const refreshable = new Set<string>();
  const codes = new Map<string, { challenge: string; redirect: string }>();
  const asked: { path: string; body: Record<string, string> }[] = [];
  const keys: (string | null)[] = [];
  let count = 0;
  const tokens = (scope: string) => {
    const access = `access-token-${++count}-${crypto.randomUUID()}`;
    const refresh = `refresh-token-${count}-${crypto.randomUUID()}`;
    issued.add(access);
    refreshable.add(refresh);
    return Response.json({
      access_token: access,
      token_type: "Bearer",
      expires_in: 3_600,
      scope,
      ...(refreshes && { refresh_token: refresh }),
    });
  };
  const server = testServer(async (request) => {
    const { pathname, searchParams, origin } = new URL(request.url);
    keys.push(request.headers.get("x-key"));
    if (pathname.startsWith("/.well-known/oauth-authorization-server")) {
      return Response.json({
        issuer: origin,
        authorization_endpoint: hooks.logInAt ?? `${origin}/authorize`,
        authorization_response_iss_parameter_supported: true,
        token_endpoint: `${origin}/token`,
        ...(client === undefined && { registration_endpoint: `${origin}/register` }),
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none", "client_secret_post"],
      });
    }
    if (pathname === "/register") {
      const body = await request.json();
      asked.push({ path: pathname, body });
      return Response.json({ ...body, client_id: `client-${++count}` }, { status: 201 });
    }
    if (pathname === "/authorize") {
      const code = crypto.randomUUID();
      const redirect = searchParams.get("redirect_uri")!;
      codes.set(code, { challenge: searchParams.get("code_challenge")!, redirect });
      const to = new URL(redirect);
      to.searchParams.set("code", code);
      to.searchParams.set("state", searchParams.get("state")!);
      to.searchParams.set("iss", origin);
      hooks.sendBack?.(to);
      return Response.redirect(to, 302);
    }
    if (pathname !== "/token") return new Response("nothing here", { status: 404 });
    if (made.failing) return new Response("later", { status: 503 });
    const body = Object.fromEntries(new URLSearchParams(await request.text()));
    asked.push({ path: pathname, body });
    if (client !== undefined && (body.client_id !== client.id || body.client_secret !== client.secret)) {
      return Response.json({ error: "invalid_client" }, { status: 401 });
    }
    if (body.grant_type === "refresh_token") {
      if (refreshable.delete(body.refresh_token!)) return tokens("");
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    }
    await hooks.beforeCode?.();
    const known = codes.get(body.code!);
    codes.delete(body.code!);
    if (
      known === undefined || known.redirect !== body.redirect_uri ||
      await challengeOf(body.code_verifier!) !== known.challenge
    ) {
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    }
    return tokens("");
  });
  const made = {
    ...server,
    asked,
    /** It answers no request for tokens. */
    failing: false,
    keys,
    /** No access token holds any longer. */
    expire: () => issued.clear(),
    /** No refresh token holds any longer. */
    forget: () => refreshable.clear(),
    /** Lets a request to the server itself in, or says where to log in. */
    guard(request: Request): Response | null {
      const { pathname, origin } = new URL(request.url);
      if (pathname.startsWith("/.well-known/oauth-protected-resource")) {
        return Response.json({ resource: `${origin}/mcp`, authorization_servers: [server.url] });
      }
      const token = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
      if (token !== undefined && issued.has(token)) return null;
      const metadata = `${origin}/.well-known/oauth-protected-resource`;
      return new Response("log in first", {
        status: 401,
        headers: { "www-authenticate": `Bearer resource_metadata="${metadata}"` },
      });
    },
  };
  return made;
}

/** A person at a browser who agrees to everything: returns the query with which the browser comes back. */
export async function agree(url: string): Promise<string> {
  const response = await fetch(url, { redirect: "manual" });
  await response.body?.cancel();
  return new URL(response.headers.get("location")!).search;
}

async function challengeOf(verifier: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)));
  return btoa(String.fromCharCode(...digest)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
