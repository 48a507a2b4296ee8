import type {
  AuthProvider,
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";

import { ToolError } from "../../../../../schemas/error.ts";
import type { KeptLogin, RemoteWay } from "../../wire/remote_way.ts";
import type { Renewable } from "./renewing_fetch.ts";

/** What a login needs of main. */
export interface LoginParts {
  /** Keeps what must outlive the run. */
  keep(kept: KeptLogin): void;
  /** Sends the user's browser away, and returns the query with which it comes back. */
  authorize(url: string): Promise<string>;
  /** Holds what is kept against other runs, and reads it anew; `null` if nothing can be kept. */
  hold(): Promise<KeptLogin | null>;
  /** Gives back what was held. */
  free(): void;
}

/** Where the browser would come back to, if anybody could log in. */
const NOWHERE = "http://127.0.0.1/callback";

/**
 * Says how to log in at a server: by OAuth, unless the configuration has a key for it. Where nobody has logged in and
 * nobody can, a server that wants a login is told of with what helps.
 */
export function loginAt(way: RemoteWay, parts: LoginParts): AuthProvider | Login {
  const hasKey = Object.keys(way.headers).some((name) => name.toLowerCase() === "authorization");
  if (hasKey) return new NoLogin("it does not accept the header Authorization of its configuration");
  if (way.redirectUrl === null && way.kept.tokens === null) {
    return new NoLogin(`it wants a login: ${way.loginHint}`);
  }
  return new Login(way, parts);
}

class NoLogin implements AuthProvider {
  readonly #why: string;

  constructor(why: string) {
    this.#why = why;
  }

  token(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  onUnauthorized(): Promise<void> {
    return Promise.reject(new ToolError("unauthenticated", this.#why));
  }
}

/** A login by OAuth, and what is known of it. */
export class Login implements OAuthClientProvider, Renewable {
  /** The library asks whether it is there at all. */
  readonly clientMetadataUrl?: string;
  readonly #way: RemoteWay;
  readonly #parts: LoginParts;
  #kept: KeptLogin;
  #verifier = "";
  #state = "";
  #discovery: OAuthDiscoveryState | undefined;
  #returned: Promise<string> | null = null;
  /** All access tokens that this run had. */
  readonly #had = new Set<unknown>();
  /** Why the login cannot be renewed now, if it may hold all the same. */
  #trouble: string | null = null;

  constructor(way: RemoteWay, parts: LoginParts) {
    this.#way = way;
    this.#parts = parts;
    this.#kept = way.kept;
    this.#had.add(way.kept.tokens?.access_token);
    const { clientMetadataUrl } = way.login;
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
  }

  get redirectUrl(): string {
    return this.#way.redirectUrl ?? NOWHERE;
  }

  get clientMetadata(): OAuthClientMetadata {
    const { scope } = this.#way.login;
    return {
      client_name: "bulkhead",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      ...(scope !== undefined && { scope }),
    };
  }

  /** Values that must not be seen. */
  get secrets(): string[] {
    const { access_token, refresh_token } = this.#kept.tokens ?? {};
    const ofClients = Object.values(this.#kept.clients).map(({ client_secret }) => client_secret);
    return [access_token, refresh_token, ...ofClients, this.#way.login.clientSecret, this.#verifier]
      .filter((value) => typeof value === "string");
  }

  state(): string {
    return this.#state = crypto.randomUUID();
  }

  clientInformation(context?: OAuthClientInformationContext): StoredOAuthClientInformation | undefined {
    const { clientId, clientSecret } = this.#way.login;
    if (clientId !== undefined) {
      return { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
    }
    const { clients } = this.#kept;
    const known = context === undefined ? Object.values(clients)[0] : clients[context.issuer];
    if (known === undefined) return undefined;
    // A new login comes back to another place than that of the client that is known.
    const { redirect_uris: places } = known;
    const isUsable = this.#way.redirectUrl === null || !Array.isArray(places) ||
      places.includes(this.redirectUrl);
    return isUsable ? known as unknown as StoredOAuthClientInformation : undefined;
  }

  saveClientInformation(
    client: StoredOAuthClientInformation,
    context?: OAuthClientInformationContext,
  ): void {
    const issuer = context?.issuer ?? "";
    this.#keep({ clients: { ...this.#kept.clients, [issuer]: { ...client } } });
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#kept.tokens as unknown as StoredOAuthTokens | null ?? undefined;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    // By the next login, the server may have another place for it.
    this.#discovery = undefined;
    const { access_token, refresh_token } = this.#kept.tokens ?? {};
    // Who renewed it has kept it.
    if (tokens.access_token === access_token && tokens.refresh_token === refresh_token) return;
    this.#keep({ tokens: { ...tokens } });
  }

  hold(): Promise<KeptLogin | null> {
    this.#trouble = null;
    return this.#parts.hold();
  }

  free(): void {
    this.#parts.free();
  }

  isNew(tokens: NonNullable<KeptLogin["tokens"]>): boolean {
    return !this.#had.has(tokens.access_token);
  }

  renewed(tokens: NonNullable<KeptLogin["tokens"]>): void {
    this.#keep({ tokens: { ...tokens, issuer: this.#kept.tokens?.issuer } });
  }

  ended(): void {
    this.invalidateCredentials("tokens");
  }

  notNow(why: string): void {
    this.#trouble = why;
  }

  redirectToAuthorization(url: URL): void {
    const { redirectUrl, loginHint } = this.#way;
    if (redirectUrl === null) {
      if (this.#trouble !== null) {
        throw new ToolError("unavailable", `its login cannot be renewed now: ${this.#trouble}`);
      }
      throw new ToolError("unauthenticated", `its login does not hold any longer: ${loginHint}`);
    }
    this.#returned = this.#parts.authorize(url.href);
    // It may fail before anybody waits for it.
    this.#returned.catch(() => {});
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
    if (scope === "all" || scope === "client") this.#keep({ clients: {} });
    if (scope === "all" || scope === "tokens") this.#keep({ tokens: null });
    if (scope === "all" || scope === "verifier") this.#verifier = "";
    if (scope === "all" || scope === "discovery") this.#discovery = undefined;
  }

  /**
   * Waits until the user has come back; `null` if nobody was sent away.
   *
   * @throws {ToolError} `unauthenticated` if what came back belongs to another login
   */
  async returned(): Promise<URLSearchParams | null> {
    if (this.#returned === null) return null;
    const waiting = this.#returned;
    this.#returned = null;
    const params = new URLSearchParams(await waiting);
    if (params.get("state") === this.#state) return params;
    throw new ToolError("unauthenticated", "the browser came back from another login: log in again");
  }

  #keep(changed: Partial<KeptLogin>): void {
    this.#kept = { ...this.#kept, ...changed };
    this.#had.add(this.#kept.tokens?.access_token);
    this.#parts.keep(this.#kept);
  }
}
