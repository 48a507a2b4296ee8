import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import { boxTest } from "../../support/box.ts";
import { makeScene, type Scene } from "../../support/cli/scene.ts";

/** A server in the language of the shell: it does what its tool is called. */
const SERVER = `
answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$1"; }
say() { answer "{\\"content\\":[{\\"type\\":\\"text\\",\\"text\\":\\"$1\\"}]}"; }
tool() { printf '{"name":"%s","inputSchema":{"type":"object"}}' "$1"; }
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
  case "$line" in
    *'"initialize"'*) answer '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}' ;;
    *tools/list*) answer "{\\"tools\\":[$(tool env),$(tool look),$(tool die)]}" ;;
    *'"name":"env"'*) say "$SECRET_KEY|$GIVEN|$ALLOWED" ;;
    *'"name":"look"'*) say "$(cat "$1" 2>&1 | tail -c 30)|$(cat "$2" 2>&1 | tail -c 30)" ;;
    *'"name":"die"'*) echo "no more" >&2; exit 5 ;;
  esac
done
`;

function scene(entry: Record<string, unknown> = {}): Scene {
  const made = makeScene({
    "home/diary.txt": "dear diary",
    "server/run.sh": SERVER,
    "ws/open.txt": "open",
    "ws/shut.txt": "shut",
  });
  const args = [made.at("server/run.sh"), made.at("home/diary.txt"), `${made.ws}/open.txt`];
  const s = { command: "sh", args, env: { GIVEN: "given" }, ...entry };
  made.write("mcp.json", JSON.stringify({ mcpServers: { s, gone: { command: "no-such-program" } } }));
  made.write("config.json", JSON.stringify({ mcpServers: { s } }));
  return made;
}

const MCP = ["--mcp", "../mcp.json"];

Deno.test("mcp add, list and remove write servers for runs, and say how each stands", async () => {
  using made = scene();
  const env = { XDG_CONFIG_HOME: undefined };
  const mcp = (...words: string[]) => made.run(["mcp", ...words], { env });
  const open = ["--sandbox=off", "--allow-run=sh"];
  assertEquals(
    (await mcp("list")).stdout,
    "No servers are named. Add one: bulkhead mcp add NAME -- COMMAND [ARG ...]\n",
  );
  const command = ["sh", made.at("server/run.sh")];
  const added = await mcp("add", "s", "--allow-read=docs", "--allow-env=A", "--", ...command);
  assertEquals(added.code, 0, added.stderr);
  assertEquals((await mcp("add", "far", "https://example.test/mcp", "--project")).code, 0);
  const file = "home/.config/bulkhead/config.json";
  const bulkhead = { read: [`${made.ws}/docs`], env: ["A"] };
  assertEquals(JSON.parse(made.read(file)), {
    mcpServers: { s: { command: "sh", args: [command[1]], bulkhead } },
  });
  assertEquals(JSON.parse(made.read("ws/.mcp.json")), {
    mcpServers: { far: { type: "http", url: "https://example.test/mcp" } },
  });
  assertEquals([(await mcp("add", "s", "--", "x")).code, (await mcp("add", "s", "x")).code], [1, 2]);
  made.write(
    "off.json",
    JSON.stringify({ mcpServers: { gone: { command: "no-such" }, idle: { command: "x", disabled: true } } }),
  );
  const { stdout, stderr } = await mcp("list", "--json", "--mcp=../off.json", ...open);
  const rows = JSON.parse(stdout).map((row: Record<string, unknown>) => [row.name, row.state, row.tools]);
  assertEquals(rows, [["gone", "failed", null], ["s", "ready", 3], ["idle", "off", null]]);
  assertStringIncludes(stderr, '".mcp.json", which you have not trusted');
  assertMatch((await mcp("list", ...open)).stdout, /^SERVER +STATE .*\ns +ready, 3 tools +sh /);
  assertEquals([(await mcp("remove", "s")).code, (await mcp("remove", "s")).code], [0, 1]);
  assertEquals(JSON.parse(made.read(file)), { mcpServers: {} });
  assertEquals((await mcp("remove", "far", "--project")).code, 0);
});

boxTest(
  "a server runs in the sandbox with what its entry permits, and one that fails is a warning",
  async () => {
    using made = scene();
    const env = { SECRET_KEY: "do-not-tell-me", ALLOWED: "plain" };
    const said = await made.run(["call", "mcp_s_env", ...MCP], { env });
    assertEquals([said.code, said.stdout], [0, "|given|\n"]);
    assertMatch(
      said.stderr,
      /^bulkhead: server "gone" of "[^"]*mcp.json" failed: [^\n]*; the other tools go on/,
    );
    const help = await made.run(["call", "mcp_s_env", "--help", ...MCP, "-q"]);
    assertMatch(help.stdout, /^mcp\/mcp_s_env: /);
    const nothing = await made.run(["call", "mcp_s_look", ...MCP, "-q"]);
    assertMatch(nothing.stdout, /No such file or directory\|.*No such file or directory/);
    using more = scene({ bulkhead: { read: ["open.txt"], env: ["ALLOWED"] } });
    const lines = ["env", "die", "look"].map((name) => JSON.stringify({ tool: `mcp_s_${name}` })).join("\n");
    const audit = ["--audit", more.at("audit.jsonl")];
    const { stdout, code } = await more.run(["batch", "-", "--config", "../config.json", ...audit], {
      env,
      stdin: lines,
    });
    const texts = stdout.trim().split("\n").map((line) => JSON.parse(line).text);
    assertEquals(texts.slice(0, 2), [
      "|given|plain",
      'Server "s" failed: it ended with code 5; it said: no more',
    ]);
    assertMatch(texts[2], /No such file or directory\|open$/);
    assertEquals(code, 1);
    const records = more.read("audit.jsonl").trim().split("\n").map((line) => JSON.parse(line));
    const servers = records.filter(({ tool }) => tool === "mcp/s");
    assertEquals(records.length, 5);
    assertEquals(servers.map(({ ok, exit_code, place }) => [ok, exit_code, place]), [
      [true, 5, "sandbox"],
      [true, 0, "sandbox"],
    ]);
    const argv = ["sh", more.at("server/run.sh"), more.at("home/diary.txt"), `${more.ws}/open.txt`];
    const granted = { read: [`${more.ws}/open.txt`], write: [], net: [], env: ["ALLOWED"] };
    assertEquals(servers[0].arguments, { argv, ...granted });
    const [{ argv: started, boxed, cwd }] = servers[0].programs;
    assertEquals([started, boxed, cwd], [argv, true, servers[0].cwd]);
  },
);

Deno.test("without a sandbox a server starts only if the user says so", async () => {
  using made = scene();
  const flags = [...MCP, "--sandbox=off"];
  const refused = await made.run(["call", "mcp_s_env", ...flags, "--audit", made.at("refused.jsonl")]);
  assertEquals([refused.code, refused.stdout], [2, ""]);
  assertStringIncludes(refused.stderr, "pass --allow-run=sh to grant it");
  const refusals = made.read("refused.jsonl").trim().split("\n").map((line) => JSON.parse(line));
  const { decision, flag, programs } = refusals.find(({ tool }) => tool === "mcp/s");
  assertEquals([decision, flag, programs], ["refused", "--allow-run=sh", []]);
  const { stdout, stderr } = await made.run(["call", "mcp_s_env", ...flags, "--allow-run=sh"]);
  assertEquals(stdout, "|given|\n");
  assertStringIncludes(stderr, 'server "s": "sh" ran without a sandbox');
});

Deno.test("where all servers fail, what is asked for says why it is not there", async () => {
  using made = scene();
  made.write("gone.json", JSON.stringify({ mcpServers: { gone: { command: "no-such-program" } } }));
  const gone = ["--mcp", "../gone.json"];
  for (const words of [["tools", "mcp"], ["call", "mcp_gone_look"], ["tools", "--toolset=mcp"]]) {
    const { code, stderr } = await made.run([...words, ...gone]);
    const last = stderr.trimEnd().split("\n").at(-1)!;
    assert(code !== 0, stderr);
    assertMatch(last, /^bulkhead: .*server "gone" of ".*gone.json" failed: Cannot run "no-such-program"/);
  }
  const none = await made.run(["tools", "mcp"]);
  assertEquals([none.code, none.stderr], [
    1,
    "bulkhead: There are no tools of mcp: name some with --mcp, or mcpServers in your configuration\n",
  ]);
});

Deno.test("help and completions start no server of the configuration", async () => {
  using made = scene();
  made.write("gone.json", JSON.stringify({ mcpServers: { gone: { command: "no-such-program" } } }));
  const gone = ["--config", "../gone.json"];
  const completed = await made.run(["completions", "bash", ...gone]);
  assertEquals([completed.code, completed.stderr], [0, ""]);
  const helped = await made.run(["help", "mcp_gone_look", ...gone]);
  assertEquals([helped.code, helped.stderr], [
    2,
    "bulkhead: For help no MCP server is started: see the arguments of its tools with bulkhead call TOOL --help\n",
  ]);
  assertStringIncludes((await made.run(["schema", "mcp_gone_look", ...gone])).stderr, 'server "gone"');
});
