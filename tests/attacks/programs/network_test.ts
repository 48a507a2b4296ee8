import { assertEquals } from "@std/assert";

import { outsideServers } from "../../support/net/outside_servers.ts";
import { type Attack, attackTests, bash, PROXY_ADDRESS, sampled, SECRET } from "../attack.ts";

const { open, closed, udp, address, hits } = await outsideServers(SECRET);

const needs = ["sandbox"] as const;
const flags = [`--allow-net=shop.example`, `--allow-private-net=localhost:${open}`];

const python = (code: string) => `python3 - <<'END' 2>&1\n${code}\nEND`;
/** Sends bytes to the proxy as they are, each time over a new connection, and shows what comes back. `|` ends a line. */
const raw = (...requests: readonly string[]) =>
  python(`import json, socket
for text in json.loads(r"""${JSON.stringify(requests)}"""):
  s = socket.create_connection(${PROXY_ADDRESS}, 5); s.settimeout(1)
  try:
    s.sendall(text.replace("|", "\\r\\n").encode())
    while (got := s.recv(9999)): print(got.decode(errors="replace"))
  except OSError as e: print("no:", e)`);

const PAST: readonly (readonly [title: string, command: string, says?: string])[] = [
  ["curl by the proxy", `curl -s http://127.0.0.1:${closed}/`, "Cannot reach 127.0.0.1"],
  ["curl past the proxy", `curl -sS --noproxy '*' http://127.0.0.1:${closed}/ 2>&1`, "onnect"],
  ["NO_PROXY", `NO_PROXY='*' no_proxy='*' curl -sS http://${address}:${closed}/ 2>&1`, "onnect"],
  ["without the variables", `env -i /usr/bin/curl -sS http://${address}:${closed}/ 2>&1`, "onnect"],
  ["/dev/tcp to loopback", `cat </dev/tcp/127.0.0.1/${closed} 2>&1`, "refused|denied"],
  [
    "/dev/tcp to an address of this machine",
    `cat </dev/tcp/${address}/${closed} 2>&1`,
    "nreach|refused|denied",
  ],
  [
    "sockets of python, both families",
    python(`import socket
for to in ("127.0.0.1", "${address}", "::1", "::ffff:127.0.0.1"):
  try:
    s = socket.create_connection((to, ${closed}), 5); s.send(b"GET / HTTP/1.0\\r\\n\\r\\n"); print(s.recv(999))
  except OSError as e: print("no:", e)`),
    "no:",
  ],
  [
    "datagrams, as DNS and QUIC send them",
    python(`import socket
for to in ("127.0.0.1", "${address}", "192.0.1.1"):
  for port in (53, 443, ${udp}):
    try: socket.socket(2, 2).sendto(b"x", (to, port)); print("sent to nobody")
    except OSError as e: print("no:", e)`),
    "no:",
  ],
  ["names", `getent hosts example.com || host example.com 8.8.8.8 || echo no name`, "no name"],
  [
    "raw and packet sockets, new addresses and routes",
    python(`import socket, subprocess
for family, kind in ((2, 3), (17, 3), (10, 3), (40, 1), (38, 5), (44, 3)):
  try: socket.socket(family, kind); print("made", family)
  except OSError as e: print("no:", e)
for words in ("addr add 192.0.1.1/24 dev lo", "route add default dev lo", "link add d type dummy"):
  print("no:", subprocess.run(["ip", *words.split()], capture_output=True, text=True).returncode if 0 else words)`),
    "no:",
  ],
  [
    "the network of another process",
    `nsenter --net=/proc/1/ns/net true 2>&1; unshare -Urn true 2>&1; nsenter -t $PPID -U -n true 2>&1; echo end`,
    "ermitted|failed|denied",
  ],
  [
    "the URL in the header that rooms use",
    raw(
      `GET / HTTP/1.1|Host: localhost:${open}|x-gate-url: http://127.0.0.1:${closed}/|Connection: close||`,
      `GET http://localhost:${open}/ HTTP/1.1|x-gate-url: http://127.0.0.1:${closed}/|Connection: close||`,
      `CONNECT localhost:${open} HTTP/1.1|x-gate-url: http://127.0.0.1:${closed}/||`,
    ),
  ],
  [
    "a key of a service",
    raw(
      `GET http://localhost:${open}/ HTTP/1.1|x-gate-secret: SERPER_KEY x-key||`,
      `GET / HTTP/1.1|x-gate-url: http://localhost:${open}/|x-gate-secret: SERPER_KEY X-API-KEY||`,
    ),
  ],
  [
    "another host in the lines of a request",
    raw(
      `GET http://localhost:${open}/ HTTP/1.1|Host: 127.0.0.1:${closed}|Connection: close||`,
      `GET http://localhost:${open}@127.0.0.1:${closed}/ HTTP/1.1|Host: localhost:${open}||`,
      `GET http://127.0.0.1:${closed}#@localhost:${open}/ HTTP/1.1|Host: localhost:${open}||`,
      `GET http://localhost:${open}\t/ HTTP/1.1 http://127.0.0.1:${closed}/ HTTP/1.1|Host: a||`,
    ),
  ],
  [
    "a second request behind the first",
    raw(
      `GET http://localhost:${open}/ HTTP/1.1|Host: localhost:${open}||GET http://127.0.0.1:${closed}/ HTTP/1.1|Host: a||`,
      `POST http://localhost:${open}/ HTTP/1.1|Content-Length: 0||GET http://127.0.0.1:${closed}/ HTTP/1.1|Host: a||`,
      `POST http://localhost:${open}/ HTTP/1.1|Content-Length: 5|Transfer-Encoding: chunked||0||GET http://127.0.0.1:${closed}/ HTTP/1.1||`,
      `GET http://localhost:${open}/ HTTP/1.1|Connection: Upgrade|Upgrade: h2c||GET http://127.0.0.1:${closed}/ HTTP/1.1|Host: a||`,
      `GET http://localhost:${open}/ HTTP/1.1|X: y\\nGET http://127.0.0.1:${closed}/ HTTP/1.1||`,
    ),
  ],
  [
    "other spellings in CONNECT",
    raw(
      ...[
        "127.0.0.1",
        "127.1",
        "0x7f.1",
        "2130706433",
        "0177.0.0.1",
        "[::ffff:127.0.0.1]",
        "[::1]",
        "0.0.0.0",
        "0",
      ]
        .map((host) => `CONNECT ${host}:${closed} HTTP/1.1||GET / HTTP/1.0||`),
      ...[
        "localhost",
        "localhost.",
        "LOCALHOST",
        "a.localhost",
        address,
        `localhost:${open}@127.0.0.1`,
        ...[
          "１２７.０.０.１",
          "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
          "127。0。0。1",
          "loc\u00adalhost",
          "[64:ff9b::7f00:1]",
          "[fe80::1%25eth0]",
        ],
        ...["169.254.169.254", "metadata.google.internal", "printer.local", "ip6-localhost", "10.0.0.1"],
      ]
        .map((host) => `CONNECT ${host}:${closed} HTTP/1.1||GET / HTTP/1.0||`),
    ),
  ],
  [
    "ports that are none",
    raw(
      ...[
        "",
        ":",
        ":0",
        ":65536",
        ":-1",
        `:${open},${closed}`,
        `:${closed + 65536}`,
        `:0${closed}`,
        `:${closed}x`,
      ]
        .map((port) => `CONNECT localhost${port} HTTP/1.1||GET / HTTP/1.0||`),
    ),
  ],
  [
    "SOCKS 5 by address and by name, and what else it can be asked",
    python(`import socket, struct
def ask(command, kind, to, port=${closed}):
  s = socket.create_connection(${PROXY_ADDRESS}, 5); s.settimeout(5)
  s.send(b"\\5\\1\\0"); s.recv(2)
  s.send(bytes([5, command, 0, kind]) + to + struct.pack(">H", port)); print("no:", s.recv(99)[:2])
  try: s.send(b"GET / HTTP/1.0\\r\\n\\r\\n"); print(s.recv(999))
  except OSError as e: print(e)
for command in (1, 2, 3, 0, 255):
  ask(command, 1, bytes([127, 0, 0, 1])); ask(command, 4, b"\\0" * 15 + b"\\1")
  for name in (b"localhost", b"127.0.0.1", b"127.1", b"::1", b"localhost\\0.shop.example", b""):
    ask(command, 3, bytes([len(name)]) + name)`),
    "no:",
  ],
  [
    "SOCKS 4, 4a and a password",
    `for kind in socks4 socks4a; do curl -m 20 -sS -x $kind://\${http_proxy#*//} http://127.0.0.1:${closed}/ 2>&1; done
curl -sS -x socks5h://root:root@\${http_proxy#*//} http://127.0.0.1:${closed}/ 2>&1`,
    "SOCKS4.*rejected",
  ],
  [
    "another name in the greeting of TLS",
    `echo | timeout 10 openssl s_client -proxy \${http_proxy#*//} -connect localhost:${open} -servername other.example 2>&1`,
    "unrecognized name|alert",
  ],
  ["a redirect into this machine", `curl -sSL http://localhost:${open}/away 2>&1`, "Cannot reach 127.0.0.1"],
  [
    "git, npm, pip and wget, each with the proxy turned off",
    `git -c http.proxy= -c http.noProxy='*' clone http://127.0.0.1:${closed}/x 2>&1
npm_config_noproxy='*' timeout 20 npm view x --registry http://127.0.0.1:${closed}/ --fetch-retries 0 2>&1
timeout 20 python3 -m pip download --proxy '' --retries 0 --index-url http://127.0.0.1:${closed}/ x 2>&1
wget --no-proxy -qO- -t1 http://127.0.0.1:${closed}/ 2>&1; echo end`,
    "end",
  ],
  [
    "the bridge killed, and one of its own in its place",
    `kill -9 -1 2>/dev/null; ${
      python(`import socket
s = socket.socket(); s.setsockopt(1, 2, 1); s.setsockopt(1, 15, 1)
try: s.bind(${PROXY_ADDRESS}); print("bound")
except OSError as e: print("no:", e)`)
    }
curl -s http://localhost:${open}/; curl -s http://127.0.0.1:${closed}/`,
    "open",
  ],
  [
    "more connections than the bridge takes",
    `${
      python(`import socket
held = []
try:
  for n in range(400): s = socket.socket(); s.settimeout(1); s.connect(${PROXY_ADDRESS}); held.append(s)
except OSError as e: pass
print("no:", len(held) > 255)`)
    }
curl -s -m 20 http://127.0.0.1:${closed}/; curl -s -m 20 http://localhost:${open}/`,
    "open",
  ],
  [
    "sockets of the gate",
    `find / -xdev -type s 2>/dev/null; ls /run /tmp/bulkhead-sockets* 2>&1; echo end`,
    "end",
  ],
];

const past = PAST.map(([title, command, says], at): Attack => ({
  id: `15-${String(at + 1).padStart(2, "0")}`,
  title,
  // No reader of commands is to stop it before the network does.
  files: { "ws/attack.sh": command },
  calls: [bash("bash attack.sh", "ok")],
  after(_, [answer]) {
    const { text = "" } = answer!;
    assertEquals(hits(), 0, `something came through: ${text}`);
    assertEquals(says === undefined || new RegExp(says).test(text), true, `it says ${text}`);
  },
  flags,
  needs,
}));

attackTests(15, sampled(past));
