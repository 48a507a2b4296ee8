/** A request that is refused, whoever sends it. */
export interface HostileRequest {
  title: string;
  /** All that is sent, a byte for each character; HOST stands for where the server listens, AUTH for the line with the token. */
  text: string;
  status: number;
}

const POST =
  "POST /runs HTTP/1.1\r\nHost: HOST\r\nAUTH\r\nConnection: close\r\nContent-Type: application/json\r\n";
const GET = "GET /runs HTTP/1.1\r\nHost: HOST\r\nAUTH\r\nConnection: close\r\n";

/** Requests that two readers could understand in two ways, that are too long, or that lead elsewhere. */
const REQUESTS: readonly (readonly [status: number, title: string, text: string])[] = [
  [400, "two lengths", `${POST}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}`],
  [400, "a length and pieces", `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  [400, "pieces that are hidden", `${POST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
  [400, "pieces twice", `${POST}Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n`],
  [400, "a length with a sign", `${POST}Content-Length: +2\r\n\r\n{}`],
  [400, "a length of sixteen digits", `${POST}Content-Length: 9999999999999999\r\n\r\n{}`],
  [413, "a length of a gigabyte", `${POST}Content-Length: 1073741824\r\n\r\n{}`],
  [400, "line feeds alone", GET.replaceAll("\r\n", "\n") + "\n"],
  [400, "a blank before a colon", `${GET}Content-Length : 2\r\n\r\n{}`],
  [400, "a folded header", `${GET}X-A: 1\r\n Content-Length: 2\r\n\r\n{}`],
  [400, "a zero byte in a header", `${GET}X-A: 1\x002\r\n\r\n`],
  [400, "two hosts", `${GET}Host: evil.example\r\n\r\n`],
  [400, "two tokens", `${GET}Authorization: Bearer x\r\n\r\n`],
  [400, "an address as its target", GET.replace("/runs", "http://HOST/runs") + "\r\n"],
  [414, "a target of nine kibibytes", GET.replace("/runs", `/${"a".repeat(9_000)}`) + "\r\n"],
  [431, "a header of forty kibibytes", `${GET}X-A: ${"a".repeat(40_000)}\r\n\r\n`],
  [431, "headers of a megabyte", `${GET}${"X-A: 1234567890\r\n".repeat(60_000)}\r\n`],
  [431, "a hundred headers", `${GET}${"X-A: 1\r\n".repeat(100)}\r\n`],
  [400, "a tunnel", "CONNECT evil.example:443 HTTP/1.1\r\nHost: HOST\r\n\r\n"],
  [400, "the beginning of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  [400, "pieces of HTTP/1.0", `${POST.replace("1.1", "1.0")}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  [400, "no piece's length", `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
  [400, "a way up", GET.replace("/runs", "/runs/../../etc/passwd") + "\r\n"],
  [400, "a way up that is encoded", GET.replace("/runs", "/runs/%2e%2e%2f%2e%2e%2fetc") + "\r\n"],
  [404, "a way up that is encoded twice", GET.replace("/runs", "/runs/%252e%252e%252fetc") + "\r\n"],
  [400, "a zero byte in a path", GET.replace("/runs", "/runs/a%00b") + "\r\n"],
  [400, "a path that is not UTF-8", GET.replace("/runs", "/runs/%ff") + "\r\n"],
  [400, "a dot", GET.replace("/runs", "/runs/.") + "\r\n"],
  [400, "half a code", GET.replace("/runs", "/runs/%") + "\r\n"],
  [400, "a backslash", GET.replace("/runs", "/runs/..%5cetc") + "\r\n"],
  [421, "a name that was led here", GET.replace("HOST", "evil.example") + "\r\n"],
  [421, "a name with the port, led here", GET.replace("HOST", "evil.example:PORT") + "\r\n"],
  [421, "no host", GET.replace("Host: HOST\r\n", "") + "\r\n"],
  [403, "a foreign page", `${GET}Origin: https://evil.example\r\n\r\n`],
  [403, "a page of nobody", `${GET}Origin: null\r\n\r\n`],
  [403, "a picture in a foreign page", `${GET}Sec-Fetch-Site: cross-site\r\n\r\n`],
  [
    403,
    "the question of a foreign page",
    "OPTIONS /runs HTTP/1.1\r\nHost: HOST\r\nOrigin: https://evil.example\r\nConnection: close\r\n" +
    "Access-Control-Request-Method: POST\r\n\r\n",
  ],
  [401, "no token", GET.replace("AUTH\r\n", "") + "\r\n"],
  [401, "another token", GET.replace("AUTH", "Authorization: Bearer x") + "\r\n"],
  [
    401,
    "the token as a password",
    GET.replace("Bearer", "Basic").replace("AUTH", "Authorization: Basic eDp5") + "\r\n",
  ],
  [
    415,
    "a form of a foreign page",
    POST.replace("application/json", "text/plain") + "Content-Length: 2\r\n\r\n{}",
  ],
  [400, "a body that is not UTF-8", `${POST}Content-Length: 3\r\n\r\n"\xff"`],
  [400, "a body of a thousand levels", `${POST}Content-Length: 1000\r\n\r\n${"[".repeat(1_000)}`],
  [400, "the prototype of an object", `${POST}Content-Length: 29\r\n\r\n{"__proto__":{"prompt":"a"}} `],
];

export const HOSTILE_REQUESTS: readonly HostileRequest[] = REQUESTS.map(([status, title, text]) => ({
  status,
  title,
  text,
}));

/** Fills in where a server is, and the token. */
export function hostileText(
  { text }: HostileRequest,
  { port, token }: { port: number; token: string },
): string {
  return text.replaceAll("HOST", `127.0.0.1:${port}`).replaceAll("PORT", String(port))
    .replace("AUTH", `Authorization: Bearer ${token}`);
}
