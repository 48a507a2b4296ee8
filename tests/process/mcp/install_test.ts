import { assert, assertEquals } from "@std/assert";

import { connect, initialize } from "../../support/cli/mcp/client.ts";
import { makeScene } from "../../support/cli/scene.ts";
import { scriptedModel } from "../../support/scripted_model.ts";
import { FINISH } from "../../support/web/research_scene.ts";
import { tell } from "../../support/cli/agent_scene.ts";

Deno.test("mcp install prints an entry that starts the server, and writes nothing unasked", async () => {
  using scene = makeScene({ "ws/a.txt": "hello" });
  const { code, stdout, stderr } = await scene.run([
    ...["mcp", "install", "claude-code", "--policy", "read-only", "--allow-read=../more", "--tool", "Read"],
  ]);
  assertEquals([code, scene.exists("home/.claude.json"), scene.exists("ws/.mcp.json")], [0, false, false]);
  assert(stderr.includes(scene.at("home/.claude.json")), stderr);
  assert(stderr.includes("these tools work in the folder in which claude-code is started"), stderr);
  const cursor = await scene.run(["mcp", "install", "cursor"]);
  assert(
    JSON.parse(cursor.stdout).mcpServers.bulkhead.args.includes(`--workspace=${scene.ws}`),
    cursor.stdout,
  );
  assert(cursor.stderr.includes(`these tools work in ${scene.ws} alone; for another project`), cursor.stderr);
  const { command, args } = JSON.parse(stdout).mcpServers.bulkhead as { command: string; args: string[] };
  assertEquals(args.slice(args.indexOf("mcp")), [
    "mcp",
    "serve",
    "--policy=read-only",
    `--allow-read=${scene.at("more")}`,
    "--tool=Read",
  ]);
  await using client = await initialize(scene.start(args, { program: [command], cwd: "/" }));
  const { result } = await client.ask("tools/list");
  assertEquals((result?.tools as { name: string }[]).map(({ name }) => name), ["Read"]);
});

Deno.test("mcp install --write keeps all else of the file, links and mode included", async () => {
  using scene = makeScene({ "home/dotfiles/zed.json": '{\n  // mine\n  "theme": "One", // best\n}\n' });
  Deno.mkdirSync(scene.at("home/.config/zed"), { recursive: true });
  scene.link("../../dotfiles/zed.json", "home/.config/zed/settings.json");
  Deno.chmodSync(scene.at("home/dotfiles/zed.json"), 0o640);
  const env = { XDG_CONFIG_HOME: undefined };
  const first = await scene.run(["mcp", "install", "zed", "--write"], { env });
  assertEquals(first.code, 0, first.stderr);
  const text = scene.read("home/dotfiles/zed.json");
  assert(text.startsWith('{\n  // mine\n  "theme": "One", // best\n  "context_servers": {\n'), text);
  assertEquals(Deno.lstatSync(scene.at("home/.config/zed/settings.json")).isSymlink, true);
  assertEquals(Deno.statSync(scene.at("home/dotfiles/zed.json")).mode! & 0o777, 0o640);
  await scene.run(["mcp", "install", "zed", "--write"], { env });
  assertEquals(scene.read("home/dotfiles/zed.json"), text);
  const gone = await scene.run(["mcp", "uninstall", "zed"], { env });
  assertEquals([gone.code, scene.read("home/dotfiles/zed.json")], [
    0,
    '{\n  // mine\n  "theme": "One", // best\n  "context_servers": {}\n}\n',
  ], gone.stderr);
  assertEquals((await scene.run(["mcp", "uninstall", "zed"], { env })).code, 1);
  assertEquals(Array.from(Deno.readDirSync(scene.at("home/dotfiles"))).length, 1);
});

Deno.test("mcp install --project writes through no link that leads out of the project", async () => {
  using scene = makeScene({ "home/.claude.json": "{}", "ws/own/mcp.json": "{}" });
  Deno.mkdirSync(scene.at("elsewhere"));
  scene.link("../home/.claude.json", "ws/.mcp.json");
  scene.link("../elsewhere", "ws/.gemini");
  scene.link("../gone/made", "ws/.cursor");
  for (const client of ["claude-code", "gemini", "cursor"]) {
    const { code, stderr } = await scene.run(["mcp", "install", client, "--write", "--project"]);
    assertEquals([code, stderr.includes("out of the project")], [3, true], `${client}: ${stderr}`);
  }
  assertEquals([scene.read("home/.claude.json"), scene.exists("gone")], ["{}", false]);
  assertEquals(Array.from(Deno.readDirSync(scene.at("elsewhere"))), []);
  // Its own links stay in it.
  Deno.removeSync(scene.at("ws/.mcp.json"));
  scene.link("own/mcp.json", "ws/.mcp.json");
  assertEquals((await scene.run(["mcp", "install", "claude-code", "--write", "--project"])).code, 0);
  assert(scene.read("ws/own/mcp.json").includes('"bulkhead"'));
});

Deno.test("mcp install leaves a broken file as it is, and writes a project's file only with --project", async () => {
  using scene = makeScene({ "home/.cursor/mcp.json": "{ broken", "ws/.mcp.json": '{"mcpServers":{}}' });
  const broken = await scene.run(["mcp", "install", "cursor", "--write"]);
  assertEquals([broken.code, scene.read("home/.cursor/mcp.json")], [6, "{ broken"]);
  assert(broken.stderr.includes("mcp.json"), broken.stderr);
  await scene.run(["mcp", "install", "claude-code", "--write"]);
  assertEquals([scene.read("ws/.mcp.json"), scene.exists("home/.claude.json")], ['{"mcpServers":{}}', true]);
  await scene.run(["mcp", "install", "claude-code", "--write", "--project"]);
  assert(scene.read("ws/.mcp.json").includes('"bulkhead"'));
  const slip = await scene.run(["mcp", "install", "cursr"]);
  assertEquals([slip.code, slip.stderr.includes("cursor")], [2, true], slip.stderr);
});

// A tool has one name and several spellings: each place where a person, a client or a model names one takes them all.
const [, INPUT] = FINISH;

Deno.test("spellings of a name mean the tool that is offered to a client or a model", async () => {
  using scene = makeScene();
  await using client = await connect(scene, {
    flags: ["--tool", "FinalAnswerTool", "--tool", "sgr/reasoningtool"],
  });
  for (const name of ["final_answer_tool", "FinalAnswerTool", "finalanswertool"]) {
    assertEquals((await client.call(name, INPUT as Record<string, unknown>)).isError, false, name);
  }
  const { error } = await client.ask("tools/call", { name: "AnswerTool", arguments: {} });
  assertEquals(error?.code, -32602);
  for (const name of ["FinalAnswerTool", "finalanswertool"]) {
    await using model = scriptedModel([{ tool_calls: [{ name, arguments: INPUT }] }]);
    const { code, run, stderr } = await tell(scene, model, ["Do it", `--tool=${name}`, "--no-session"]);
    assertEquals([code, run.state ?? run.termination_reason], [0, "completed"], stderr);
  }
});
