import { assertEquals, assertStringIncludes } from "@std/assert";

import { outsideServers } from "../../support/net/outside_servers.ts";
import { type Attack, attackTests, bash, PROXY, SECRET } from "../attack.ts";

const { open, closed, address, hits } = await outsideServers(SECRET);

const needs = ["sandbox"] as const;
const named = `--allow-private-net=localhost:${open}`;
const NAME = `bulkhead-${crypto.randomUUID()}`;
/** Listens by a name without a path and at a port, which it writes into the file `port`. */
const LISTENER = `exec python3 -c "import os, socket as s; a=s.socket(s.AF_UNIX); a.bind('\\\\0${NAME}'); ` +
  "a.listen(); b=s.socket(); b.bind(('127.0.0.1', 0)); b.listen(); " +
  "open('new', 'w').write(str(b.getsockname()[1])); os.rename('new', 'port'); print('ready'); a.accept()\"";
const CONNECTS = `python3 - <<'END'
import socket as s
for kind, to in ((s.AF_UNIX, "\\0${NAME}"), (s.AF_INET, ("127.0.0.1", int(open("port").read())))):
  try: s.socket(kind).connect(to); print("reached")
  except OSError as e: print("no:", e)
END`;

/** Which flags open what. Each has a start of its own, as its flags are. */
const RULES:
  readonly (readonly [id: string, title: string, flags: string[], command: string, says: string])[] = [
    [
      "15-40",
      "no host was named",
      [],
      `curl -sS -x ${PROXY} http://localhost:${open}/ 2>&1; echo "proxy=$http_proxy"`,
      "proxy=\n",
    ],
    [
      "15-41",
      "all public hosts, and addresses that are not",
      ["--allow-net"],
      `for host in 127.0.0.1 localhost ${address} 169.254.169.254 10.0.0.1 [::1] [fd00::1]; do
curl -sS -m 20 -x ${PROXY} -p http://$host:${closed}/ 2>&1; done; echo end`,
      "end\n",
    ],
    [
      "15-42",
      "a host that is denied and allowed",
      ["--allow-net", named, "--deny-net=localhost"],
      `curl -sS http://localhost:${open}/ 2>&1`,
      "denied by --deny-net",
    ],
    [
      "15-43",
      "a policy that only reads",
      ["--policy=read-only", "--allow-net=shop.example", named],
      `curl -sS http://localhost:${open}/; curl -sS http://127.0.0.1:${closed}/`,
      "openbulkhead: Cannot reach 127.0.0.1",
    ],
    ["15-44", "a policy without a network", ["--policy=read-only-no-net"], "getent hosts example.com", ""],
  ];

/** What a program without a network may try, where nothing but the policy stands in its way. */
const WAYS = [
  `exec 3<>/dev/tcp/127.0.0.1/${closed}`,
  `cat < /dev/tcp/127.0.0.1/${closed}`,
  `echo x > /dev/tcp/127.0.0.1/${closed}`,
  `bash -c "cat </dev/tcp/127.0.0.1/${closed}"`,
  `curl http://127.0.0.1:${closed}/`,
  `wget -qO- http://127.0.0.1:${closed}/`,
  `git ls-remote http://127.0.0.1:${closed}/`,
  `python3 -c "import urllib.request as r; r.urlopen('http://127.0.0.1:${closed}/')"`,
  `perl -MIO::Socket::INET -e 'IO::Socket::INET->new("127.0.0.1:${closed}") or die'`,
];

const ways = ["read-only", "read-only-no-net"].map((policy, at): Attack => ({
  id: `15-${48 + at}`,
  title: `ways to this machine, under ${policy}`,
  calls: WAYS.map((command) => bash(command)),
  after(_, answers) {
    assertEquals(hits(), 0);
    assertEquals(answers.filter(({ ok, text }) => ok && text.startsWith("exit_code: 0")), []);
  },
  flags: [`--policy=${policy}`],
  needs,
}));

attackTests(15, [
  ...ways,
  ...RULES.map(([id, title, flags, command, says]): Attack => ({
    id,
    title,
    calls: [bash(command)],
    after(_, [answer]) {
      assertEquals(hits(), 0);
      assertStringIncludes(answer!.text ?? "", says);
    },
    flags,
    needs,
  })),
  {
    id: "15-45",
    title: "sockets of a program in another sandbox of the run",
    alone: true,
    calls: [
      { tool: "TerminalStart", arguments: {}, refusal: "ok" },
      {
        tool: "TerminalWrite",
        arguments: { session_id: "term_1", input: LISTENER, yield_time_ms: 5_000 },
        refusal: "ok",
        says: "ready",
      },
      bash(CONNECTS, "ok"),
    ],
    after: (_, answers) => assertEquals(answers.at(-1)!.text?.match(/no:|reached/g), ["no:", "no:"]),
    flags: ["--allow-net=shop.example", named],
    needs,
  },
  {
    id: "15-46",
    title: "sockets of this machine without a path",
    beside: LISTENER,
    begun: "test -e port",
    calls: [bash(CONNECTS, "ok")],
    after: (_, answers) => assertEquals(answers.at(-1)!.text?.match(/no:|reached/g), ["no:", "no:"]),
    flags: ["--allow-net=shop.example", named],
    needs,
  },
  {
    id: "15-47",
    title: "a program without a sandbox",
    calls: [bash(`curl -sS --noproxy '*' http://127.0.0.1:${open}/`, "ok")],
    after(_, [answer]) {
      assertStringIncludes(answer!.text ?? "", "open");
      assertStringIncludes(
        answer!.warnings.join("\n"),
        "reach the network, whatever --allow-net and --deny-net say",
      );
    },
    flags: ["--allow-net=shop.example", "--allow-run=bash"],
    needs: ["no sandbox"],
    why: "it shows what no sandbox means",
    open: "Without a sandbox, a program reaches all that you reach, and the answer says so",
  },
]);
