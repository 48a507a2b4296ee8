import { assertEquals, assertMatch } from "@std/assert";

import { failureHints, foreseenHints, timeoutAdvice } from "../../../../runtime/programs/hints/hints.ts";
import { networkName, tellsOfNoNetwork } from "../../../../runtime/programs/hints/needs_network.ts";
import { analyseCommand } from "../../../../runtime/programs/shell/analyse_command.ts";
import { boxTest } from "../../../support/box.ts";
import { launchScene } from "../../../support/launch_scene.ts";
import { listed } from "../../../support/listed.ts";

const SYSTEM = "/usr/bin:/bin";
const FILES = {
  "home/.x/bin/mytool": "#!/bin/sh\necho mine",
  "home/bin/own": "#!/bin/sh\necho own",
  "home/.local/bin/linked": "-> ~/apps/linked/run",
  "home/apps/linked/run": "#!/bin/sh\necho linked",
  "home/.ssh/bin/evil": "#!/bin/sh",
  "home/data.csv": "a,b\n",
  "home/lang/bin/lang": "#!/bin/sh\necho lang $(basename $1)",
  "ws/byname": "#!/usr/bin/env lang\n",
};
const PATH = `~/.x/bin:~/bin:~/.local/bin:~/.ssh/bin:~/lang/bin:${SYSTEM}`;
const FAILED = { exitCode: 127, reason: "exited", output: "" } as const;

/** A scene, with what the hints of one script would be. */
function hinted() {
  const scene = launchScene(FILES, { searchPath: PATH, toolchains: {} });
  scene.write("ws/script", `#!${scene.at("home/lang/bin/lang")}\n`);
  return {
    scene,
    async hints(script: string, end: Partial<Parameters<typeof failureHints>[1]> = {}) {
      const { outlook } = await scene.prepare({ argv: ["sh", "-c", script] });
      const analysis = await analyseCommand({ script, shell: "sh" });
      const hints = failureHints(analysis, { ...FAILED, ...end }, outlook!);
      return hints.map((hint) => hint.replaceAll(scene.at("home"), "~"));
    },
  };
}

boxTest("failureHints() names the folder of a program that the box hides, and the flag", async () => {
  const { scene, hints } = hinted();
  using _ = scene;
  const shown = (name: string, place: string, folder: string) => [
    `${name} is in ${place}, which the sandbox does not show: pass --sandbox-show=${folder}`,
  ];
  assertEquals(await hints("mytool --version"), shown("mytool", "~/.x/bin", "~/.x"));
  assertEquals(await hints("own | cat"), shown("own", "~/bin", "~/bin"));
  assertEquals(await hints("linked"), shown("linked", "~/.local/bin", "~/apps/linked"));
  assertEquals(await hints("./script"), shown("lang, which ./script needs,", "~/lang/bin", "~/lang"));
  assertEquals(await hints("./byname"), shown("lang, which ./byname needs,", "~/lang/bin", "~/lang"));
  for (const quiet of ["evil", "ls", "nowhere", "echo mytool"]) assertEquals(await hints(quiet), [], quiet);
  const fine = { exitCode: 0, output: "" };
  assertEquals(await hints("mytool; true", fine), []);
  const told = { exitCode: 0, output: "bash: line 1: mytool: command not found\n" };
  assertEquals(await hints("mytool; true", told), shown("mytool", "~/.x/bin", "~/.x"));
  const below = { exitCode: 2, output: "/bin/sh: 1: mytool: not found\nmake: *** [all] Error 127" };
  assertEquals(await hints("make all", below), shown("mytool", "~/.x/bin", "~/.x"));
});

boxTest("failureHints() names a file that a program wants, and not the folder around it", async () => {
  const { scene, hints } = hinted();
  using _ = scene;
  const path = scene.at("home/data.csv");
  const end = { exitCode: 1, output: `cat: ${path}: No such file or directory\n` };
  assertEquals(await hints("cat data", end), [
    "~/data.csv is a file that the sandbox does not show: pass --allow-read=~/data.csv",
  ]);
  using open = launchScene(FILES, { searchPath: PATH, flags: { allow: { read: ["home/data.csv"] } } });
  assertEquals((await open.sh(`cat ${open.at("home/data.csv")}`)).stdout, "a,b\n");
});

const SHARE = "--share-net in its place gives it all of this machine's network";
const without = (
  needs: string,
  flag: string,
) => [`no network in this sandbox, which ${needs}: pass ${flag}`, SHARE];

/** A command, its end, and the hints: with the host that the command, its output or its registry names. */
const NETWORK_HINTS: readonly (readonly [
  script: string,
  end: { exitCode: number; output?: string },
  hints: readonly string[],
])[] = [
  ["curl -s a.example", { exitCode: 6 }, without("curl needs", "--allow-net=a.example")],
  // Whatever the whole ends with, this one cannot have worked.
  [
    "curl -s https://a.example:8443/x | head",
    { exitCode: 0 },
    without("curl needs", "--allow-net=a.example:8443"),
  ],
  [
    "git clone https://a.example/x || true",
    { exitCode: 0 },
    without("git clone needs", "--allow-net=a.example"),
  ],
  [
    "curl -s http://10.1.2.3/x; true",
    { exitCode: 0 },
    without("curl needs", "--allow-private-net=10.1.2.3"),
  ],
  ["wget -q printer.local", { exitCode: 4 }, without("wget needs", "--allow-private-net=printer.local")],
  // These may have worked with what is there.
  ["npm install; true", { exitCode: 0, output: "up to date" }, []],
  ["pip install x || true", { exitCode: 0, output: "Requirement already satisfied: x" }, []],
  ["npm view x", { exitCode: 1 }, without("npm view needs", "--allow-net=registry.npmjs.org")],
  [
    "npm view x | cat",
    {
      exitCode: 0,
      output: "npm error code ENOTCACHED\nnpm error request to https://packages.example/x failed",
    },
    without("npm view needs", "--allow-net=packages.example"),
  ],
  [
    "./fetch",
    { exitCode: 1, output: "getaddrinfo EAI_AGAIN a.example" },
    without("the program needs", "--allow-net=a.example"),
  ],
  [
    "./fetch || true",
    { exitCode: 0, output: "getaddrinfo EAI_AGAIN a.example" },
    without("the program needs", "--allow-net=a.example"),
  ],
  [
    "./fetch",
    { exitCode: 1, output: "Temporary failure in name resolution" },
    without("the program needs", "--allow-net=HOST with the host that it asks"),
  ],
  // What reads a text tells what stands in it.
  ["cat log.txt", { exitCode: 0, output: "Could not resolve host: a.example" }, []],
  ["false", { exitCode: 1 }, []],
  [
    "curl -s http://localhost:3000/x",
    { exitCode: 7, output: "curl: (7) Failed to connect to localhost port 3000" },
    ["localhost:3000 is an address of the sandbox itself: pass --allow-private-net=localhost:3000 to reach what listens there on this machine"],
  ],
  [
    "git clone git@a.example:you/x",
    { exitCode: 128 },
    ["only a proxy leads out of this sandbox, and git clone does not use it: pass --share-net to give it the network of this machine"],
  ],
];

boxTest(
  "hints say when the network is missing, with the host and the flag that is right for it",
  async () => {
    const { scene, hints } = hinted();
    using _ = scene;
    for (const [script, end, expected] of NETWORK_HINTS) {
      const { exitCode, output = "" } = { ...FAILED, ...end };
      assertEquals(await hints(script, { exitCode, output }), expected, script);
    }
    const [hint = ""] = without("curl needs", "--allow-net=a.example");
    const analysis = await analyseCommand({ script: "curl a.example", shell: "sh" });
    const { outlook } = await scene.prepare({ argv: ["true"] });
    const late = { exitCode: 143, reason: "timeout", output: "" } as const;
    assertEquals(foreseenHints(analysis, outlook!), [hint, SHARE]);
    assertEquals(timeoutAdvice(analysis, late, outlook!), hint);
    assertEquals(timeoutAdvice(null, late, outlook!), null);
    assertEquals(foreseenHints(analysis, { ...outlook!, network: "machine" }), []);
    const proxied = await analyseCommand({ script: "ssh a.example", shell: "sh" });
    for (const network of ["none", "gate"] as const) {
      const [told] = foreseenHints(proxied, { ...outlook!, network });
      const [narrow] = foreseenHints(proxied, { ...outlook!, network, isNarrow: true });
      assertEquals([told?.includes("--share-net"), narrow?.includes("--share-net")], [true, false]);
    }
    assertEquals(failureHints(analysis, { ...late, exitCode: 6 }, { ...outlook!, network: "machine" }), []);
    using denying = launchScene(FILES, { searchPath: PATH, flags: { deny: { net: ["a.example"] } } });
    const { outlook: denied } = await denying.prepare({ argv: ["true"] });
    assertEquals(foreseenHints(analysis, denied!), [
      "no network in this sandbox, which curl needs: a.example is denied",
    ]);
  },
);

boxTest(
  "hints name protected files and secrets that a program met, and the flag, whatever the end is",
  async () => {
    const files = {
      ...{ "ws/.git/config": "[core]\n", "ws/.git/hooks/a": "", "ws/sub/a": "", "ws/no/a": "" },
      ...{ "ws/.env": "KEY=1", "ws/no/.env": "KEY=1" },
    };
    using scene = launchScene(files, { flags: { deny: { write: ["ws/no"], read: ["ws/no"] } } });
    const { outlook } = await scene.prepare({ argv: ["true"] });
    const hints = (output: string) =>
      failureHints(null, { exitCode: 0, reason: "exited", output }, outlook!)
        .map((hint) => hint.replaceAll(scene.at("ws"), "~"));
    const told = (name: string) =>
      `"${name}" is protected, since other programs execute or obey it: pass --allow-write=~/${name} to let programs change it`;
    const rows: [output: string, hints: string[]][] = [
      ["error: could not write config file .git/config: Device or resource busy", [told(".git/config")]],
      ["fatal: could not set 'remote.o.url' to '/x'", [told(".git/config")]],
      ["touch: cannot touch '../.git/hooks/pre-commit': Read-only file system", [told(".git/hooks")]],
      ["no luck with .git/config\nrm: sub/a: Device or resource busy", []],
      ["touch: cannot touch 'no/a': Read-only file system", []],
      ["cat: .env: Permission denied", [
        '".env" is a secret, and closed: pass --allow-secrets=~/.env to open it',
      ]],
      ["cat: no/.env: Permission denied", []],
    ];
    for (const [output, expected] of rows) assertEquals(hints(output), expected, output);
    const analysis = await analyseCommand({ script: "wc -c .env", shell: "sh" });
    assertEquals(foreseenHints(analysis, outlook!).length, 1);
  },
);

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

Deno.test("networkName() finds the programs of a command that fail without a network", async () => {
  for (const [script, expected] of NEEDS) {
    const { commands } = await analyseCommand({ script, shell: "bash" });
    const found = new Set(commands.flatMap((command) => networkName(command) ?? []));
    assertEquals([...found], expected, script);
  }
});

Deno.test("tellsOfNoNetwork() knows what resolvers and package managers say", () => {
  const messages = listed(
    "curl: (6) Could not resolve host: a.test, wget: unable to resolve host address ‘a.test’",
    "ssh: Could not resolve hostname a.test: Temporary failure in name resolution",
    "socket.gaierror: [Errno -3] Temporary failure in name resolution",
    "Error: getaddrinfo EAI_AGAIN packages.example, npm error code ENOTCACHED",
    "Could not resolve 'deb.debian.org', dial tcp: lookup a.test on [::1]:53: read udp: connection refused",
    "error: dns error: failed to lookup address information: Temporary failure in name resolution",
    "go: module lookup disabled by GOPROXY=off, connect ENETUNREACH 93.184.216.34:443",
    "ERROR: Could not find a version that satisfies the requirement x (from versions: none)",
  );
  for (const message of messages) assertEquals(tellsOfNoNetwork(`first\n${message}\nlast`), true, message);
  for (const message of ["AssertionError", "host not allowed", "No such file", "make: *** [all] Error 2"]) {
    assertEquals(tellsOfNoNetwork(message), false, message);
  }
});

boxTest(
  "failureHints() tells how a folder is renamed that an overlay of the kernel had from below",
  async () => {
    using scene = launchScene({});
    const { outlook } = await scene.prepare({ argv: ["true"] });
    const end = { exitCode: 1, reason: "exited", output: "mv: Invalid cross-device link" } as const;
    const hints = (isLaid: boolean) =>
      failureHints(null, end, { ...outlook!, closed: { ...outlook!.closed, isLaid } });
    assertEquals(hints(false), []);
    assertEquals(hints(true).map((hint) => hint.includes("begin with --overlay=copy")), [true]);
  },
);

boxTest(
  "failureHints() tells root that a folder of another user cannot be written, and the way round",
  async () => {
    using scene = launchScene({});
    const said = async (output: string) => {
      const { outlook } = await scene.prepare({ argv: ["true"] });
      return failureHints(null, { exitCode: 1, reason: "exited", output }, outlook!);
    };
    const denied = "bash: b: Permission denied";
    assertEquals(await said(denied), []);
    Deno.chownSync(scene.at("ws"), 61_001, 61_001);
    assertEquals(await said("done"), []);
    assertMatch((await said(denied)).join(), /ws" belongs to another user.*with --overlay/);
    Deno.chmodSync(scene.at("ws"), 0o777);
    assertEquals(await said(denied), []);
  },
  { asRoot: true },
);
