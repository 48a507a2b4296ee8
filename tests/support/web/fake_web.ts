import type { Web, WebAnswer, WebRequest } from "../../../schemas/context.ts";

export interface FakeAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** A text as it is, anything else as JSON. */
  body?: unknown;
  url?: string;
  truncated?: boolean;
}

/** Answers requests, or throws what the way to the network throws. */
export type Serve = (request: WebRequest, url: URL) => FakeAnswer | Promise<FakeAnswer>;

export interface FakeWeb extends Web {
  requests: WebRequest[];
}

export function fakeWeb(serve: Serve): FakeWeb {
  const requests: WebRequest[] = [];
  return {
    requests,
    async request(request): Promise<WebAnswer> {
      requests.push(request);
      const { status = 200, headers = {}, body = "", url = request.url, truncated = false } = await serve(
        request,
        new URL(request.url),
      );
      const isText = typeof body === "string";
      return {
        url,
        status,
        headers: { "content-type": isText ? "text/html; charset=utf-8" : "application/json", ...headers },
        body: body instanceof Uint8Array
          ? body
          : new TextEncoder().encode(isText ? body : JSON.stringify(body)),
        truncated,
        redirects: [],
      };
    },
  };
}
