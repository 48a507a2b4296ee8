import { SAFE_HEADERS } from "./safe_headers.ts";
import type { Incoming } from "./wire/read_request.ts";
import type { Reply } from "./wire/reply.ts";

const STYLE = "body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem;" +
  "background:light-dark(#faf9f7,#16181c);color:light-dark(#23262b,#e4e5e7)}" +
  "input,button{font:inherit;padding:.4rem .8rem;border:1px solid light-dark(#8a8d94,#5b6069);border-radius:8px}" +
  "label{display:block;margin:1rem 0}input{display:block;width:100%;box-sizing:border-box}" +
  "button{border:0;background:light-dark(#1f5f8b,#7cb8e4);color:light-dark(#fff,#10202c);font-weight:600}";

/** Says whether a person reads the answer, in a browser that asks for the page. */
export function wantsPage({ method, headers }: Pick<Incoming, "method" | "headers">, path: string): boolean {
  if (path !== "/" || (method !== "GET" && method !== "HEAD")) return false;
  return /(?:^|[,\s])text\/html(?:[;,\s]|$)/i.test(headers.get("accept") ?? "");
}

/**
 * Asks a person for the token: a form that needs no script, in a page that loads nothing.
 *
 * @param problem What is wrong with what was shown; `""` if nothing was
 */
export async function tokenPage(problem: string): Promise<Reply> {
  const alert = problem === "" ? "" : `<p role="alert"><strong>${problem}</strong></p>\n`;
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>bulkhead</title><style>${STYLE}</style></head>
<body>
<main>
<h1>bulkhead</h1>
${alert}<p>Open the address that the server printed when it started, or enter the token from it.</p>
<form action="/" method="get">
<label>Token <input name="token" type="password" required autofocus autocomplete="off"></label>
<button>Open</button>
</form>
</main>
</body>
</html>
`;
  return {
    status: 401,
    headers: {
      ...SAFE_HEADERS,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": [
        "default-src 'none'",
        `style-src '${await hashOf(STYLE)}'`,
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join("; "),
      "www-authenticate": "Bearer",
    },
    body: new TextEncoder().encode(html),
  };
}

async function hashOf(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return `sha256-${btoa(String.fromCharCode(...digest))}`;
}
