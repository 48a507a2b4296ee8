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
export const HOSTILE_REQUESTS: readonly HostileRequest[] = [
  { title: "two lengths", text: `${POST}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}`, status: 400 },
  {
    title: "a length and pieces",
    text: `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    status: 400,
  },
  {
    title: "pieces that are hidden",
    text: `${POST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    status: 400,
  },
  {
    title: "pieces twice",
    text: `${POST}Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n`,
    status: 400,
  },
  { title: "a length with a sign", text: `${POST}Content-Length: +2\r\n\r\n{}`, status: 400 },
  {
    title: "a length of sixteen digits",
    text: `${POST}Content-Length: 9999999999999999\r\n\r\n{}`,
    status: 400,
  },
  { title: "a length of a gigabyte", text: `${POST}Content-Length: 1073741824\r\n\r\n{}`, status: 413 },
  { title: "line feeds alone", text: GET.replaceAll("\r\n", "\n") + "\n", status: 400 },
  { title: "a blank before a colon", text: `${GET}Content-Length : 2\r\n\r\n{}`, status: 400 },
  { title: "a folded header", text: `${GET}X-A: 1\r\n Content-Length: 2\r\n\r\n{}`, status: 400 },
  { title: "a zero byte in a header", text: `${GET}X-A: 1\x002\r\n\r\n`, status: 400 },
  { title: "two hosts", text: `${GET}Host: evil.example\r\n\r\n`, status: 400 },
  { title: "two tokens", text: `${GET}Authorization: Bearer x\r\n\r\n`, status: 400 },
  { title: "an address as its target", text: GET.replace("/runs", "http://HOST/runs") + "\r\n", status: 400 },
  {
    title: "a target of nine kibibytes",
    text: GET.replace("/runs", `/${"a".repeat(9_000)}`) + "\r\n",
    status: 414,
  },
  { title: "a header of forty kibibytes", text: `${GET}X-A: ${"a".repeat(40_000)}\r\n\r\n`, status: 431 },
  { title: "headers of a megabyte", text: `${GET}${"X-A: 1234567890\r\n".repeat(60_000)}\r\n`, status: 431 },
  { title: "a hundred headers", text: `${GET}${"X-A: 1\r\n".repeat(100)}\r\n`, status: 431 },
  { title: "a tunnel", text: "CONNECT evil.example:443 HTTP/1.1\r\nHost: HOST\r\n\r\n", status: 400 },
  { title: "the beginning of HTTP/2", text: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", status: 400 },
  {
    title: "pieces of HTTP/1.0",
    text: `${POST.replace("1.1", "1.0")}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    status: 400,
  },
  {
    title: "no piece's length",
    text: `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    status: 400,
  },
  { title: "a way up", text: GET.replace("/runs", "/runs/../../etc/passwd") + "\r\n", status: 400 },
  {
    title: "a way up that is encoded",
    text: GET.replace("/runs", "/runs/%2e%2e%2f%2e%2e%2fetc") + "\r\n",
    status: 400,
  },
  {
    title: "a way up that is encoded twice",
    text: GET.replace("/runs", "/runs/%252e%252e%252fetc") + "\r\n",
    status: 404,
  },
  { title: "a zero byte in a path", text: GET.replace("/runs", "/runs/a%00b") + "\r\n", status: 400 },
  { title: "a path that is not UTF-8", text: GET.replace("/runs", "/runs/%ff") + "\r\n", status: 400 },
  { title: "a dot", text: GET.replace("/runs", "/runs/.") + "\r\n", status: 400 },
  { title: "half a code", text: GET.replace("/runs", "/runs/%") + "\r\n", status: 400 },
  { title: "a backslash", text: GET.replace("/runs", "/runs/..%5cetc") + "\r\n", status: 400 },
  { title: "a name that was led here", text: GET.replace("HOST", "evil.example") + "\r\n", status: 421 },
  {
    title: "a name with the port, led here",
    text: GET.replace("HOST", "evil.example:PORT") + "\r\n",
    status: 421,
  },
  { title: "no host", text: GET.replace("Host: HOST\r\n", "") + "\r\n", status: 421 },
  { title: "a foreign page", text: `${GET}Origin: https://evil.example\r\n\r\n`, status: 403 },
  { title: "a page of nobody", text: `${GET}Origin: null\r\n\r\n`, status: 403 },
  { title: "a picture in a foreign page", text: `${GET}Sec-Fetch-Site: cross-site\r\n\r\n`, status: 403 },
  {
    title: "the question of a foreign page",
    text: "OPTIONS /runs HTTP/1.1\r\nHost: HOST\r\nOrigin: https://evil.example\r\nConnection: close\r\n" +
      "Access-Control-Request-Method: POST\r\n\r\n",
    status: 403,
  },
  { title: "no token", text: GET.replace("AUTH\r\n", "") + "\r\n", status: 401 },
  { title: "another token", text: GET.replace("AUTH", "Authorization: Bearer x") + "\r\n", status: 401 },
  {
    title: "the token as a password",
    text: GET.replace("Bearer", "Basic").replace("AUTH", "Authorization: Basic eDp5") + "\r\n",
    status: 401,
  },
  {
    title: "a form of a foreign page",
    text: POST.replace("application/json", "text/plain") + "Content-Length: 2\r\n\r\n{}",
    status: 415,
  },
  { title: "a body that is not UTF-8", text: `${POST}Content-Length: 3\r\n\r\n"\xff"`, status: 400 },
  {
    title: "a body of a thousand levels",
    text: `${POST}Content-Length: 1000\r\n\r\n${"[".repeat(1_000)}`,
    status: 400,
  },
  {
    title: "the prototype of an object",
    text: `${POST}Content-Length: 29\r\n\r\n{"__proto__":{"prompt":"a"}} `,
    status: 400,
  },
];

/** Fills in where a server is, and the token. */
export function hostileText(
  { text }: HostileRequest,
  { port, token }: { port: number; token: string },
): string {
  return text.replaceAll("HOST", `127.0.0.1:${port}`).replaceAll("PORT", String(port))
    .replace("AUTH", `Authorization: Bearer ${token}`);
}
