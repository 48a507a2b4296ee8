/** What is kept of logins at a remote server: for this user alone. Plain data. */
export interface KeptLogin {
  /** What authorization servers know this program by, by their addresses. */
  clients: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** What proves the login, as it came; `null` without one. */
  tokens: Readonly<Record<string, unknown>> | null;
}

/** What a configuration says about logging in. */
export interface LoginSettings {
  /** Id and secret under which an authorization server knows this program. @default it is told on the way */
  clientId?: string;
  clientSecret?: string;
  /** Address of a document about this program that authorization servers can read. */
  clientMetadataUrl?: string;
  /** What is asked for, separated by blanks. @default what the server asks for */
  scope?: string;
  /** Port of this machine to which browsers come back. @default a free one */
  callbackPort?: number;
}

/** How a remote server is reached. Plain data. */
export interface RemoteWay {
  kind: "remote";
  /** `http` is Streamable HTTP, `sse` what came before it; `either` tries the first, then the second. */
  transport: "http" | "sse" | "either";
  url: string;
  /** Headers of requests to its origin, and to no other one. */
  headers: Readonly<Record<string, string>>;
  /** What must not be seen in what it says, beside the values of headers. */
  secrets: readonly string[];
  /** What each request to the gate carries; its port comes with the message. */
  token: string;
  login: LoginSettings;
  kept: KeptLogin;
  /** Where a browser comes back to; `null` if nobody can log in now. */
  redirectUrl: string | null;
  /** What to do where a login is needed and nobody can log in now, as the end of a sentence. */
  loginHint: string;
}
