import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { until } from "../../support/cli/processes.ts";
import { attackTests, SECRET } from "../attack.ts";

/** Says that it is there, then waits: what its environment holds must reach it. */
const WAITS =
  'printf %s "$SEEN_TOKEN" >up-$1.part; mv up-$1.part up-$1; until [ -e go ]; do sleep 0.05; done\n';
const NAMES = ["tool", "server", "script", "exec"];

attackTests(10, [{
  id: "10-91",
  quick: true,
  title: "another user looks at the words of programs for the values of variables",
  files: {
    "ws/wait.sh": WAITS,
    "ws/script.sh": "cd $(dirname $0); set -- script; . ./wait.sh; echo '{}'",
    "ws/server.sh": "cd $(dirname $0); set -- server; . ./wait.sh\n",
  },
  alone: true,
  env: { SEEN_TOKEN: SECRET },
  flags: ["--allow-env=SEEN_TOKEN", "--allow-run"],
  async act(place) {
    const file = (name: string) => `${place.ws}/${name}`;
    const bulkhead = { read: [place.ws], write: [place.ws] };
    const env = { SEEN_TOKEN: "${SEEN_TOKEN}" };
    const server = { command: "sh", args: [file("server.sh")], env, bulkhead };
    Deno.writeTextFileSync(file("servers.json"), JSON.stringify({ mcpServers: { s: server } }));
    const script = { name: "waits", path: file("script.sh"), description: "Waits.", filesystem_write: true };
    const config = { script_tools: [{ ...script, input_schema: { type: "object" } }] };
    Deno.writeTextFileSync(file("config.json"), JSON.stringify(config));
    const starts = [
      ["call", "Bash", "command=sh wait.sh tool"],
      ["tools", "mcp", "--mcp", "servers.json"],
      ["call", "waits", "--config", "config.json"],
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
