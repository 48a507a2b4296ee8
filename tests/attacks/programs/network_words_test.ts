import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { closeQuietly } from "../../../runtime/net/wire/streams.ts";
import { type Attack, attackTests, bash, PROXY_ADDRESS } from "../attack.ts";

/** A server that hears all that reaches it, and says a few words. */
function listeningServer() {
  const heard: string[] = [];
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  listener.unref();
  const serve = async (conn: Deno.Conn) => {
    const at = heard.push("") - 1;
    const buffer = new Uint8Array(64 * 1024);
    for (let read = await conn.read(buffer); read !== null; read = await conn.read(buffer)) {
      heard[at] += new TextDecoder("latin1").decode(buffer.subarray(0, read));
      await conn.write(new TextEncoder().encode("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
    }
  };
  (async () => {
    for await (const conn of listener) serve(conn).catch(() => {}).finally(() => closeQuietly(conn));
  })().catch(() => {});
  return { heard, port: (listener.addr as Deno.NetAddr).port };
}

const server = listeningServer();
const host = `localhost:${server.port}`;
const flags = ["--allow-net=shop.example", `--allow-private-net=${host}`];
const needs = ["sandbox"] as const;

const python = (code: string) => `python3 - <<'END' 2>&1\n${code}\nEND`;
const FORBIDDEN = "forbidden.example";

/** Greets a server by TLS under another name, past words and records that some servers do not mind. */
const GREETINGS = python(`import socket, ssl, struct
def greeting(name):
  ctx = ssl.create_default_context(); out = ssl.MemoryBIO()
  tls = ctx.wrap_bio(ssl.MemoryBIO(), out, server_hostname=name)
  try: tls.do_handshake()
  except ssl.SSLWantReadError: return out.read()
def records(hello, size):
  body = hello[5:]
  return b"".join(b"\\x16\\x03\\x01" + struct.pack(">H", len(body[i:i+size])) + body[i:i+size] for i in range(0, len(body), size))
def say(*pieces, waits=False, wait=0.3):
  for form in ("CONNECT", "SOCKS"):
    s = socket.create_connection(${PROXY_ADDRESS}, 20); s.setsockopt(6, 1, 1)
    if form == "CONNECT": s.sendall(b"CONNECT ${host} HTTP/1.1\\r\\n\\r\\n")
    else: s.sendall(b"\\5\\1\\0"); s.recv(2); s.sendall(b"\\5\\1\\0\\3\\x09localhost" + struct.pack(">H", ${server.port}))
    s.recv(999); s.settimeout(wait)
    try:
      for piece in pieces:
        s.sendall(piece)
        if waits and piece is pieces[0]: s.recv(999)
      print(form, s.recv(999)[:7])
    except OSError as e: print(form, "no:", e)
bad, good = greeting("${FORBIDDEN}"), greeting("localhost")
alert, keys, empty = bytes.fromhex("15030100020164"), bytes.fromhex("140303000101"), bytes.fromhex("1603010000")
for begin in (b"", alert, alert * 3, keys, empty, keys + alert, b"\\x15\\x02\\x00\\x00\\x02\\x01\\x64"): say(begin + bad)
for size in (1, 20, 300): say(alert + records(bad, size))
say(*[bad[i:i+9] for i in range(0, len(bad), 9)])
for between in (b"", keys, alert, keys + alert): say(good, between + bad); say(good + between + bad); say(good, between, records(bad, 30))
say(b"STARTTLS\\r\\n", bad, waits=True); say(b"STARTTLS\\r\\n", alert, bad, waits=True); say(b"STARTTLS\\r\\n", *[bad[i:i+9] for i in range(0, len(bad), 9)], waits=True)
say(bytes.fromhex("0000000804d2162f"), bad, waits=True)
say(good, wait=20); print("end")`);

/** Sends bodies that a server would take for requests if their length were lost on the way. */
const BODIES = python(`import socket
inner = "GET http://${FORBIDDEN}/ HTTP/1.1\\r\\nHost: ${FORBIDDEN}\\r\\n\\r\\n"
pieces = "%x\\r\\n%s\\r\\n0\\r\\n\\r\\n" % (len(inner), inner)
length, chunked = "Content-Length: %d" % len(inner), "Transfer-Encoding: chunked"
for lines, body in (
  (["Connection: content-length", length], inner), (["Connection: close, Content-Length", length], inner),
  ([length, "Connection: CONTENT-LENGTH"], inner), (["Connection: content-length ,x", "Connection: a", length], inner),
  (["Connection: transfer-encoding", chunked], pieces), (["Connection: te, Transfer-Encoding", chunked], pieces),
  ([chunked, length], pieces), ([length, "Content-Length: 0"], inner), (["Content-Length: 0"], inner), ([], inner),
  ([chunked + ", identity"], pieces), ([chunked, chunked], pieces), (["Transfer-Encoding : chunked"], pieces),
  (["Transfer-Encoding:\\x0bchunked"], pieces), ([" " + chunked], pieces), ([length + "\\n" + chunked], pieces)):
  s = socket.create_connection(${PROXY_ADDRESS}, 20); s.settimeout(2)
  s.sendall("\\r\\n".join(["POST http://${host}/ HTTP/1.1", *lines, "", body]).encode())
  try: print(s.recv(999)[:12])
  except OSError as e: print("no:", e)
print("end")`);

/** The only connection that carried something, and many that hide it. */
const MANY = python(`import socket
def ask(text):
  s = socket.create_connection(${PROXY_ADDRESS}, 20); s.sendall(text.encode()); s.recv(999); s.close()
ask("POST http://${host}/ HTTP/1.1\\r\\nContent-Length: 4000\\r\\n\\r\\n" + "x" * 4000)
for n in range(1500): ask("CONNECT n%d.${FORBIDDEN}:443 HTTP/1.1\\r\\n\\r\\n" % n)
print("end")`);

attackTests(
  15,
  [
    {
      id: "15-50",
      title: "another name in a greeting of TLS, behind other records, greetings and words",
      files: { "ws/attack.sh": GREETINGS },
      calls: [{ ...bash("bash attack.sh", "ok"), says: "end" }],
      after() {
        const names = server.heard.filter((text) => text.includes(FORBIDDEN) && !text.startsWith("POST "));
        assertEquals(names, [], "a greeting came through");
        assert(server.heard.some((text) => text.startsWith("\x16\x03")), "that of the right name did not");
      },
      ...{ flags, needs },
    },
    {
      id: "15-51",
      title: "a body that would be a request of its own",
      files: { "ws/attack.sh": BODIES },
      calls: [{ ...bash("bash attack.sh", "ok"), says: "end" }],
      after() {
        const inner = server.heard.filter((text) => text.includes(FORBIDDEN));
        assert(inner.length >= 6);
        for (const text of inner) {
          assert(/\r\n(?:content-length: 6\d|transfer-encoding: chunked)\r\n/i.test(text), text);
        }
      },
      ...{ flags, needs },
    },
    {
      id: "15-52",
      title: "many connections, so that the audit forgets one",
      files: { "ws/attack.sh": MANY },
      async act(place) {
        const audit = place.fill("<root>/audit.jsonl");
        const { stdout } = await place.run([
          ...["call", "Bash", "command=bash attack.sh", "--quiet", "--audit", audit],
          ...place.flags,
        ]);
        assertStringIncludes(stdout, "end");
        const { connections } = JSON.parse(Deno.readTextFileSync(audit));
        const carried = connections.filter(({ decision }: { decision: string }) => decision === "allowed");
        assertEquals(carried.length, 1);
        assert(carried[0].host === "localhost" && carried[0].sent_bytes > 4_000);
        const all = connections.reduce((sum: number, { count = 1 }) => sum + count, 0);
        assertEquals(all, 1_501);
        const { stdout: told } = await place.run(["audit", audit]);
        assertStringIncludes(told, "other hosts");
        assertEquals(told.includes("*"), false);
      },
      ...{ flags, needs },
    },
  ] satisfies Attack[],
);
