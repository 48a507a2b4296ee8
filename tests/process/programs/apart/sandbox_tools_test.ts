import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import { boxTest, boxWorks } from "../../../support/box.ts";
import { png } from "../../../support/documents/png.ts";
import { programTest } from "../../../support/needed_programs.ts";
import { scriptedModel } from "../../../support/scripted_model.ts";
import { runAgent } from "../../../support/cli/agent_scene.ts";
import { makeScene, type Scene } from "../../../support/cli/scene.ts";

const PATIENT = { timeoutMs: 120_000 };

function execute(command: string, more: Record<string, unknown> = {}) {
  return {
    tool: "sandbox_shell",
    arguments: { action: "execute_command", command, blocking: true, ...more },
  };
}

function files(action: string, file_path: string, more: Record<string, unknown> = {}) {
  return { tool: "sandbox_files", arguments: { action, file_path, ...more } };
}

/** What a command said in the sandbox of a session. */
async function said(scene: Scene, command: string, flags: readonly string[]): Promise<string> {
  const { result, text } = await scene.call("sandbox_shell", execute(command).arguments, flags);
  return (result as { output?: string } | null)?.output ?? text;
}

boxTest("the tools of a sandbox share its files, from call to call and from run to run", async () => {
  using scene = makeScene({ "ws/mine.txt": "mine" });
  const { answers } = await scene.batch(
    [
      files("create_file", "src/a.py", { file_contents: "print('tea')\n" }),
      files("str_replace", "src/a.py", { old_str: "tea", new_str: "" }),
      execute("cat src/a.py; exit 3"),
      execute("sleep 0.1; echo late; exit 4", { session_name: "s", blocking: false }),
      { tool: "sandbox_shell", arguments: { action: "list_commands" } },
      execute("printf x > other; ls; ls -d /home /root ..", {}),
    ],
    ["--session=one"],
    PATIENT,
  );
  assertEquals(answers.slice(0, 2).map(({ text }) => text), [
    "File 'src/a.py' created successfully.",
    "Replacement successful.",
  ]);
  const [python, sent, listed, seen] = answers.slice(2).map(({ result }) =>
    result as Record<string, unknown>
  );
  assertEquals([python!.output, python!.exit_code, python!.completed], ["print('')\n", 3, true]);
  assertEquals([sent!.completed, listed!.sessions], [false, ["s"]]);
  assertStringIncludes(String(seen!.output), "other\nsrc\n");
  assertEquals(await said(scene, "cat other", ["--session=one"]), "x");
  assertMatch(await said(scene, "cat other", ["--session=two"]), /No such file/);
  assertMatch(await said(scene, "cat other", []), /No such file/);
  assertEquals(Array.from(Deno.readDirSync(scene.ws), ({ name }) => name), ["mine.txt"]);
});

programTest(
  "a server in one session of a sandbox is reached from another",
  ["bwrap", "python3", "nsenter"],
  async () => {
    using scene = makeScene();
    const serve = "echo tea > a; exec python3 -m http.server 8123 --bind 127.0.0.1";
    const fetch =
      "import time, urllib.request as u\nfor _ in range(200):\n  try:\n    print(u.urlopen('http://127.0.0.1:8123/a').read()); break\n  except OSError: time.sleep(0.05)";
    const { answers } = await scene.batch(
      [
        execute(serve, { session_name: "server", blocking: false }),
        execute(`python3 -c "${fetch}"`),
        { tool: "Bash", arguments: { command: `python3 -c "${fetch.replace("200", "1")}"` } },
        { tool: "sandbox_shell", arguments: { action: "terminate_command", session_name: "server" } },
      ],
      // The way to the gate is in the same network.
      ["--allow-net=shop.example"],
      PATIENT,
    );
    assertStringIncludes(answers[1]!.text, "b'tea\\\\n'");
    assert(!answers[2]!.text.includes("tea"), answers[2]!.text);
  },
);

boxTest("a resumed run finds its sandbox, and shells of an earlier process are gone", async () => {
  using scene = makeScene();
  const call = (id: string, name: string, given: unknown) => ({
    tool_calls: [{ id, name, arguments: given }],
  });
  await using model = scriptedModel([
    call("1", "sandbox_shell", execute("echo kept > file", { session_name: "s" }).arguments),
    { text: "Begun." },
    // The shells of another process have the same ids.
    call("2", "sandbox_shell", execute("cat file", { session_name: "t" }).arguments),
    call("3", "sandbox_shell", { action: "check_command_output", session_name: "s" }),
    { text: "Ended." },
  ]);
  const first = await runAgent(scene, model, ["Go", "--session=s1", "--tool=manus/sandbox_shell"]);
  assertEquals(first.code, 0, first.stderr);
  const second = await runAgent(scene, null, ["More", "--resume=s1"]);
  assertEquals(second.code, 0, second.stderr);
  const heard = JSON.stringify(model.requests.at(-1)!.body.messages);
  assertStringIncludes(heard, "Tmux session 's' does not exist.");
  assertStringIncludes(heard, "kept\\\\n");
  assertEquals(scene.read("state/bulkhead/sessions/s1/apart/file"), "kept\n");
  assertEquals((await scene.run(["sessions", "rm", "s1"])).code, 0);
  assertEquals(scene.exists("state/bulkhead/sessions/s1"), false);
});

boxTest("manus/bash takes no shell of a sandbox for its own in another process", async () => {
  using scene = makeScene({ "ws/mine.txt": "" });
  const bash = { tool: "manus/bash", arguments: { command: "ls" } };
  const first = await scene.batch([bash], ["--session=s"], PATIENT);
  assertEquals(first.answers[0]!.text, "mine.txt");
  const { answers } = await scene.batch(
    [execute("echo x > theirs", { session_name: "n" }), bash, execute("ls", { session_name: "n" })],
    ["--session=s"],
    PATIENT,
  );
  assertEquals(answers[1]!.text, "mine.txt");
  assertEquals((answers[2]!.result as { output: string }).output, "theirs\n");
});

boxTest("a sandbox shows nothing of the user, and its links lead nowhere", async () => {
  using scene = makeScene({
    "ws/mine.txt": "mine",
    "home/.ssh/id_rsa": "key",
    "ws/a.png": png({ width: 2, height: 2, colour: 0, depth: 1 }),
  });
  const host = scene.at("ws/mine.txt");
  const command = `cat ${host} ${scene.at("home/.ssh/id_rsa")}; ls ${scene.root} ${scene.at("state")}; ` +
    `ln -s ${host} link; ln -s ${
      scene.at("ws/a.png")
    } pic.png; ln -s ${scene.ws} dir; grep -rl mine /proc/1/environ /etc 2>/dev/null`;
  const { answers } = await scene.batch(
    [
      execute(command),
      files("full_file_rewrite", "link", { file_contents: "theirs" }),
      files("create_file", "dir/new", { file_contents: "theirs" }),
      files("delete_file", "dir/mine.txt"),
      { tool: "sandbox_vision", arguments: { action: "see_image", file_path: "pic.png" } },
      { tool: "Read", arguments: { path: scene.at("state/bulkhead/sessions/s/apart/link") } },
    ],
    ["--session=s"],
    PATIENT,
  );
  assert(!JSON.stringify(answers).includes('"mine'), JSON.stringify(answers[0]));
  assertEquals(answers.slice(1).map(({ ok }) => ok), [false, false, false, false, false]);
  assertEquals(answers[4]!.images, []);
  assertEquals([scene.read("ws/mine.txt"), scene.exists("ws/new")], ["mine", false]);
});

Deno.test("a sandbox is refused without a sandbox of the system, with what helps", async () => {
  using scene = makeScene();
  const help = boxWorks ? /--sandbox off.*leave that word out$/ : /bwrap.*install bubblewrap/;
  const calls = [
    execute("echo x"),
    files("create_file", "a", { file_contents: "" }),
    { tool: "sandbox_vision", arguments: { action: "see_image", file_path: "a.png" } },
  ];
  const { answers } = await scene.batch(calls, ["--sandbox=off", "--allow-run"]);
  for (const { error } of answers) {
    assertEquals(error?.code, "unavailable");
    assertMatch(error?.message ?? "", /private sandbox or not at all/);
    assertMatch(error?.message ?? "", help);
  }
});

boxTest("explain tells what a program of the private sandbox may write, and starts nothing", async () => {
  using scene = makeScene();
  const words = ["action=execute_command", "command=rm -rf x"];
  const { code, stdout } = await scene.run(["explain", "sandbox_shell", ...words]);
  assertEquals(code, 0);
  assertStringIncludes(
    stdout,
    "programs in the private sandbox of the session\n  run    any, in a sandbox only\n  write  /workspace\n",
  );
  assertStringIncludes(stdout, "command  rm; risk high\n");
  assertEquals(leftOf(scene), []);
});

/** What runs without a session left. */
function leftOf(scene: Scene): string[] {
  const runs = "state/bulkhead/runs";
  const names = scene.exists(runs) ? Array.from(Deno.readDirSync(scene.at(runs)), ({ name }) => name) : [];
  return names.filter((name) => name !== "owners");
}
