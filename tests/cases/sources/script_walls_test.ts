import { assertEquals } from "@std/assert";

import { createRunner, type RunnerOptions, type ScriptTool } from "../../../runtime/mod.ts";
import { boxTest } from "../../support/box.ts";
import { hasProgram } from "../../support/needed_programs.ts";
import { workspace } from "../../support/run_tool.ts";

/** Tries what it must not do, and writes a word for each thing that it could do. */
const ATTACKER = `
try() { "$@" >/dev/null 2>&1 && found="$found $name"; }
found=""
name=read try cat "$WS/notes.txt"
name=read_beside try cat "$OUT/other.txt"
name=read_home try ls "$REAL_HOME"/.bashrc "$REAL_HOME"/.profile
name=write try sh -c "echo x > $WS/made.txt"
sh -c "echo x > $OUT/made.txt"
name=write_self try sh -c "echo x >> $OUT/attacker.sh"
name=parent try grep -q SECRET_OF_PARENT /proc/1/environ
name=env try test -n "$SECRET_OF_PARENT"
name=net try bash -c "exec 3<>/dev/tcp/127.0.0.1/$PORT"
printf '"%s"' "$found"
`;

function scene() {
  const ws = workspace({ "notes.txt": "one\n" });
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const out = workspace({ "other.txt": "two\n" });
  const words: Record<string, string> = {
    $WS: ws.path,
    $OUT: out.path,
    $REAL_HOME: Deno.env.get("HOME") ?? "/root",
    $PORT: String(listener.addr.port),
  };
  const text = ATTACKER.replace(/\$(?:WS|OUT|REAL_HOME|PORT)/g, (word) => words[word]!);
  Deno.writeTextFileSync(out.at("attacker.sh"), text);
  const tool = (name: string, changes: Partial<ScriptTool>): ScriptTool => ({
    ...{ name, path: out.at("attacker.sh"), description: "Attack.", timeout_seconds: 20, ...changes },
  });
  return {
    ...{ ws, out, tool },
    open: (scriptTools: readonly ScriptTool[], options: Partial<RunnerOptions> = {}) =>
      createRunner({
        ...{ workspace: ws.path, config: false, sandbox: "require", scriptTools },
        env: { ...Deno.env.toObject(), SECRET_OF_PARENT: "x" },
        ...options,
      }),
    [Symbol.dispose]() {
      listener.close();
      ws[Symbol.dispose]();
      out[Symbol.dispose]();
    },
  };
}

boxTest("a script can do what it says, within what is granted, and nothing else", async () => {
  using it = scene();
  const { tool } = it;
  await using runner = it.open([
    tool("nothing", {}),
    tool("reads", { filesystem_read: true }),
    tool("writes", { filesystem_write: true }),
    tool("reaches", { network: true }),
    tool("all", { filesystem_read: true, filesystem_write: true, network: ["127.0.0.1"] }),
  ]);
  const done = async (name: string) => {
    const { result, error } = await runner.call(`script/${name}`, {});
    return error === null ? String(result).trim() : error.message;
  };
  assertEquals(await done("nothing"), "");
  assertEquals(await done("reads"), "read");
  assertEquals(await done("writes"), "read write");
  // The gate refuses addresses of this machine, whatever the script says.
  assertEquals(await done("reaches"), "");
  assertEquals(await done("all"), "read write");
  // What it writes elsewhere lies in its own /tmp.
  assertEquals(Array.from(Deno.readDirSync(it.out.path), ({ name }) => name).toSorted(), [
    "attacker.sh",
    "other.txt",
  ]);
});

boxTest("a script reaches through the gate what it names and the user grants", async () => {
  using it = scene();
  const { out, tool } = it;
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => new Response("7"));
  const { port } = server.addr;
  const ask = `curl -sS -m 5 http://127.0.0.1:${port}/ || echo '"refused"'`;
  Deno.writeTextFileSync(out.at("ask.sh"), ask);
  const path = out.at("ask.sh");
  const host = `127.0.0.1:${port}`;
  await using runner = it.open([
    tool("none", { path }),
    tool("all", { path, network: true }),
    tool("named", { path, network: [host] }),
    tool("other", { path, network: ["example.com"] }),
  ], { allow: { net: [host] }, allowPrivateNet: [host] });
  const asked = async (name: string) => (await runner.call(`script/${name}`, {})).result;
  assertEquals([await asked("none"), await asked("other")], ["refused", "refused"]);
  if (!hasProgram("curl")) return;
  assertEquals([await asked("all"), await asked("named")], [7, 7]);
});

boxTest("a script gets no more than the run is granted", async () => {
  using it = scene();
  await using runner = it.open([it.tool("all", { filesystem_write: true, network: true })], {
    policy: "read-only",
  });
  assertEquals((await runner.call("script/all", {})).result, " read");
});

boxTest("a script that names its commands can start these alone", async () => {
  using it = scene();
  const { out } = it;
  const commands = ["cat", "ls", "git", "curl", "perl", "/usr/bin/env", "/usr/lib/git-core/git", "/bin/date"];
  const look = (starts: string) => `
found=""
for one in ${commands.join(" ")}; do ${starts} && found="$found $one"; done
printf '"%s"' "$found"
`;
  Deno.writeTextFileSync(out.at("look.sh"), look('"$one" --version >/dev/null 2>&1'));
  const python = `
import json, subprocess
def starts(one):
    try:
        return subprocess.run([one, "--version"], capture_output=True).returncode == 0
    except OSError:
        return False
print(json.dumps(" ".join(one for one in ${JSON.stringify(commands)} if starts(one))))
`;
  Deno.writeTextFileSync(out.at("look.py"), python);
  Deno.writeTextFileSync(out.at("look"), `#!/usr/bin/env bash\n${look('"$one" --version >/dev/null 2>&1')}`, {
    mode: 0o755,
  });
  const tool = (name: string, path: string, changes: Partial<ScriptTool> = {}) =>
    it.tool(name, { path: out.at(path), ...changes });
  await using runner = it.open([
    tool("none", "look.sh", { commands: [] }),
    tool("some", "look.sh", { commands: ["cat", "git"] }),
    tool("python", "look.py", { commands: ["ls"] }),
    tool("itself", "look", { commands: [] }),
    tool("any", "look.sh"),
  ]);
  const started = async (name: string) => {
    const { result, error } = await runner.call(`script/${name}`, {});
    return error === null ? String(result).trim() : error.message;
  };
  assertEquals(await started("none"), "");
  assertEquals((await started("some")).split(" ").filter((name) => !name.includes("git")), ["cat"]);
  assertEquals(await started("python"), "ls");
  assertEquals(await started("itself"), "/usr/bin/env");
  assertEquals((await started("any")).includes("cat ls"), true);
});

boxTest("rules about commands hold for scripts", async () => {
  using it = scene();
  await using runner = it.open([it.tool("all", {})], { policy: { base: "coder", deny: ["bash"] } });
  assertEquals((await runner.call("script/all", {})).error?.code, "denied_by_policy");
});
