import { assertEquals } from "@std/assert";

import { needsNetwork, tellsOfNoNetwork } from "../../../../../runtime/programs/hints/needs_network.ts";
import { analyseCommand } from "../../../../../runtime/programs/shell/analyse_command.ts";

const NEEDS: readonly (readonly [script: string, expected: readonly string[]])[] = [
  ["curl -s https://a.test | jq .", ["curl"]],
  ["cd x && wget a.test/f; git fetch origin", ["wget", "git fetch"]],
  ["git -C sub clone https://a.test/x y", ["git clone"]],
  ["git push", ["git push"]],
  ["npm view left-pad version", ["npm view"]],
  ["npm --silent i", ["npm i"]],
  ["npx tsc", ["npx"]],
  ["yarn", ["yarn"]],
  ["pip install x; python3 -m pip install y", ["pip install"]],
  ["cargo install ripgrep; go get a.test/x; uv sync", ["cargo install", "go get", "uv sync"]],
  ["sudo -n apt-get update; gh pr list; ssh host; docker pull x", [
    "apt-get update",
    "gh",
    "ssh",
    "docker pull",
  ]],
  ["env A=1 timeout 5 curl x", ["curl"]],
  // What works without a network, or fails for other reasons.
  ["npm test; npm run build; cargo build; go test ./...; pip list; yarn test", []],
  ["git status; git commit -m x; git clone ./a b; git fetch ../other", []],
  ["curl -s http://localhost:3000/x; curl 127.0.0.1:80; nc -z ::1 80", []],
  ["curl --version; npx --help; python3 -m http.server; python3 x.py", []],
  ["echo curl; grep npm package.json", []],
];

Deno.test("needsNetwork() finds the programs of a command that fail without a network", async () => {
  for (const [script, expected] of NEEDS) {
    assertEquals(needsNetwork(await analyseCommand({ script, shell: "bash" })), expected, script);
  }
});

Deno.test("tellsOfNoNetwork() knows what resolvers and package managers say", () => {
  const messages = [
    "curl: (6) Could not resolve host: a.test",
    "wget: unable to resolve host address ‘a.test’",
    "ssh: Could not resolve hostname a.test: Temporary failure in name resolution",
    "socket.gaierror: [Errno -3] Temporary failure in name resolution",
    "Error: getaddrinfo EAI_AGAIN packages.example",
    "npm error code ENOTCACHED",
    "Could not resolve 'deb.debian.org'",
    "dial tcp: lookup a.test on [::1]:53: read udp: connection refused",
    "error: dns error: failed to lookup address information: Temporary failure in name resolution",
    "go: module lookup disabled by GOPROXY=off",
    "connect ENETUNREACH 93.184.216.34:443",
    "ERROR: Could not find a version that satisfies the requirement x (from versions: none)",
  ];
  for (const message of messages) assertEquals(tellsOfNoNetwork(`first\n${message}\nlast`), true, message);
  for (const message of ["AssertionError", "host not allowed", "No such file", "make: *** [all] Error 2"]) {
    assertEquals(tellsOfNoNetwork(message), false, message);
  }
});
