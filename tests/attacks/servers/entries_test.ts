import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { attackTests, type Place, SECRET } from "../attack.ts";
import { assertWithout, serverFiles } from "./server_scene.ts";

/** Code that writes the file which is its argument to where the failure of its server is told. */
const PYTHON = "import sys;sys.stderr.write(open(sys.argv[-1]).read())";
const NODE = "process.stderr.write(fs.readFileSync(process.argv.at(-1)))";
const PERL = "print STDERR <>";
const SHELL = 'cat "$0" >&2';
const ENTRIES: readonly (readonly string[])[] = [
  ...[["python3", `-c${PYTHON}`], ["python3", "-c", PYTHON], ["python3", "-Bc", PYTHON]],
  ...[["python3", "-mthis"], ["python3", "-Wignore::x.Y"]],
  ...[["node", `--eval=${NODE}`], ["node", "-p", NODE], ["node", `--import=data:text/javascript,${NODE}`]],
  ...[["node", "--require", "./own.js"], ["perl", `-e${PERL}`], ["perl", "-we", PERL], ["perl", "-ne", PERL]],
  ...[["sh", "-c", SHELL], ["bash", "-ec", SHELL], ["awk", "{print}"]],
  ...[["ruby", "-e", "warn ARGF.read"], ["php", "-r", "fwrite(STDERR,`cat $argv[1]`);"], ["cat"], ["node"]],
];

/** Returns what servers of these commands told, each with the path of the file behind its words. */
async function told(place: Place, file: string, flags: readonly string[] = []): Promise<string> {
  const servers = Object.fromEntries(
    ENTRIES.map(([command, ...args], at) => [
      `s${at}`,
      // The plain one is given code by a variable.
      {
        ...{ command, args: [...args, place.fill(file)] },
        env: args.length === 0 ? { NODE_OPTIONS: `--require=${place.ws}/own.js` } : {},
        bulkhead: { read: ["own.js"] },
      },
    ]),
  );
  Deno.writeTextFileSync(`${place.ws}/servers.json`, JSON.stringify({ mcpServers: servers }));
  const words = ["tools", "mcp", "--mcp", "servers.json", ...place.flags, ...flags];
  const { stderr } = await place.run(words);

  assertStringIncludes(stderr, 'server "s0"');
  return stderr;
}

const OWN = 'process.stderr.write(require("fs").readFileSync(process.argv.at(-1)));process.exit(1)';
const OTHERS = {
  "outside/other/package.json": "{}",
  "outside/other/index.js": `// ${SECRET}`,
  "ws/own.js": OWN,
};

attackTests(16, [{
  id: "16-14",
  quick: true,
  title: "words of an entry name files of others, behind code for an interpreter",
  files: OTHERS,
  async act(place) {
    if (!place.boxed) return;
    assertWithout(await told(place, "<outside>/other/index.js"), SECRET);
  },
}, {
  id: "16-15",
  title: "an entry names what is denied, though everything is granted",
  files: OTHERS,
  async act(place) {
    if (!place.boxed) return;
    const flags = (path: string) => ["-A", `--deny-read=${place.fill(path)}`];
    assertWithout(await told(place, "<outside>/other/index.js", flags("<outside>")), SECRET);
  },
}, {
  id: "16-16",
  title: "the run's own tools change what a server starts, or put something in its way",
  files: {
    ...serverFiles("ws"),
    "ws/servers.json": JSON.stringify({
      mcpServers: {
        p: { command: "sh", args: ["server.sh"] },
        q: { command: "python3", args: ["started.py"] },
      },
    }),
    "ws/started.py": "import part, later\n",
    "ws/part.py": "",
    "ws/lib.sh": "",
  },
  flags: ["--mcp", "<ws>/servers.json"],
  async act(place) {
    const before = Deno.readTextFileSync(`${place.ws}/server.sh`);
    const names = ["server.sh", "started.py", "part.py", "servers.json"];
    const answers = await place.batch([
      ...names.map((path) => ({ tool: "Write", arguments: { path, content: "bad", overwrite: true } })),
      ...names.map((path) => ({ tool: "Bash", arguments: { command: `echo bad > ${path}` } })),
      { tool: "Bash", arguments: { command: "mv server.sh x; rm -f server.sh; ln -sf lib.sh server.sh" } },
      // It ends, and is started again with what lies beside it by then.
      { tool: "Bash", arguments: { command: "echo bad > later.py; mkdir part" } },
    ]);
    assertEquals(Deno.readTextFileSync(`${place.ws}/server.sh`), before);
    for (const name of names) assert(!/^bad/.test(Deno.readTextFileSync(`${place.ws}/${name}`)), name);
    assertEquals(
      answers.slice(0, names.length).map(({ error }): string | undefined => error?.code),
      names.map(() => "permission_denied"),
    );
  },
}]);
