import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { until } from "../../support/cli/processes.ts";
import { attackTests, SECRET } from "../attack.ts";

/** Says that it is there, then waits: what its environment holds must reach it. */
const WAITS =
  'printf %s "$SEEN_TOKEN" >up-$1.part; mv up-$1.part up-$1; until [ -e go ]; do sleep 0.05; done\n';
const NAMES = ["tool", "server", "script", "exec"];
/** What starts programs lies outside of what they may write: behind Landlock they would not start otherwise. */
const beside = (name: string) => `<home>/programs/${name}`;
const SERVER = {
  ...{ command: "sh", args: [beside("server.sh")], env: { SEEN_TOKEN: "${SEEN_TOKEN}" } },
  bulkhead: { read: ["<ws>", beside("server.sh")], write: ["<ws>"] },
};
const SCRIPT = {
  ...{ name: "waits", path: beside("script.sh"), description: "Waits.", filesystem_write: true },
  input_schema: { type: "object" },
};

attackTests(10, [{
  id: "10-91",
  quick: true,
  title: "another user looks at the words of programs for the values of variables",
  files: {
    "ws/wait.sh": WAITS,
    "home/programs/script.sh": `cd <ws>; set -- script; ${WAITS}echo '{}'\n`,
    "home/programs/server.sh": `cd <ws>; set -- server; ${WAITS}`,
    "home/programs/servers.json": JSON.stringify({ mcpServers: { s: SERVER } }),
    "home/programs/config.json": JSON.stringify({ script_tools: [SCRIPT] }),
  },
  alone: true,
  env: { SEEN_TOKEN: SECRET },
  flags: ["--allow-env=SEEN_TOKEN", "--allow-run"],
  async act(place) {
    const file = (name: string) => `${place.ws}/${name}`;
    const starts = [
      ["call", "Bash", "command=sh wait.sh tool"],
      ["tools", "mcp", "--mcp", place.fill(beside("servers.json"))],
      ["call", "waits", "--config", place.fill(beside("config.json"))],
      ["exec", "--", "sh", "wait.sh", "exec"],
    ].map(([command = "", ...words]) => place.start([command, ...place.flags, ...words]));
    try {
      const up = (name: string) => `up-${name}`;
      await until("the programs", () => NAMES.every((name) => exists(file(up(name)))));
      assertEquals(NAMES.map((name) => Deno.readTextFileSync(file(up(name)))), NAMES.map(() => SECRET));
      const seen = await look();
      assert(!seen.includes(SECRET), seen);
      // It did look at these programs.
      assertStringIncludes(seen, "wait.sh tool ");
    } finally {
      Deno.writeTextFileSync(file("go"), "");
      await Promise.all(starts.map((one) => one.closeInput().then(() => one.ended())));
    }
  },
}]);

/** Returns what another user sees of all processes. Root can be another user; anybody else sees the words alone. */
async function look(): Promise<string> {
  const other = ["setpriv", "--reuid=61001", "--regid=61001", "--clear-groups", "--"];
  const files = (name: string) => `cat /proc/[0-9]*/${name} 2>/dev/null | tr '\\0\\n' '  '`;
  const isRoot = Deno.uid() === 0;
  const script = isRoot ? `${files("cmdline")}; ${files("environ")}` : files("cmdline");
  const [command = "", ...args] = [...isRoot ? other : [], "sh", "-c", script];
  const { stdout } = await new Deno.Command(command, { args, stderr: "null" }).output();
  return new TextDecoder().decode(stdout);
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}
