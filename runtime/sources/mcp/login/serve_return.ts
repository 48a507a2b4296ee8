/** What the worker at the end of a login tells main. */
export type FromReturn =
  | { t: "ready"; port: number }
  | { t: "failed"; message: string }
  /** A browser came back, with this query. */
  | { t: "returned"; query: string };

/** What main tells it: where to listen, and then which login the browser is to come back from. */
export type ToReturn = { t: "listen"; port: number } | { t: "expect"; state: string };

/** The part of a worker's global scope that it uses. */
export interface ReturnScope {
  onmessage: ((event: MessageEvent<ToReturn>) => void) | null;
  postMessage(message: FromReturn): void;
}

/** The path to which browsers come back. */
export const RETURN_PATH = "/callback";

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'",
  "referrer-policy": "no-referrer",
  connection: "close",
};

function page(status: number, text: string): Response {
  return new Response(`<!doctype html><title>bulkhead</title><p>${text}</p>\n`, { status, headers: HEADERS });
}

/** Waits on a port of this machine for the browser of somebody who logs in. */
export function serveReturn(scope: ReturnScope): void {
  let expected: string | null = null;
  let isOver = false;
  const answer = (search: string): Response => {
    const params = new URLSearchParams(search);
    if (isOver) return page(410, "This login is over. Nothing was changed.");
    // A page that somebody else sent the browser to must not end the login, either.
    if (expected === null || params.get("state") !== expected) {
      return page(400, "This belongs to another login. Nothing was changed.");
    }
    isOver = true;
    scope.postMessage({ t: "returned", query: search });
    return params.has("code")
      ? page(200, "You can close this page, and go on in the terminal.")
      : page(200, "The login was refused. The terminal says more.");
  };
  scope.onmessage = ({ data }) => {
    if (data.t === "expect") {
      [expected, isOver] = [data.state, false];
      return;
    }
    const { port } = data;
    try {
      const server = Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, (request) => {
        const { pathname, search } = new URL(request.url);
        const host = request.headers.get("host");
        // Another name that leads here is that of a page that nobody logged in at.
        const isOwn = host === `127.0.0.1:${server.addr.port}` || host === `localhost:${server.addr.port}`;
        if (request.method !== "GET" || pathname !== RETURN_PATH || !isOwn) {
          return new Response("Nothing is here.\n", { status: 404 });
        }
        return answer(search);
      });
      scope.postMessage({ t: "ready", port: server.addr.port });
    } catch (error) {
      const message = error instanceof Deno.errors.AddrInUse ? "something else listens there" : String(error);
      scope.postMessage({ t: "failed", message });
    }
  };
}
