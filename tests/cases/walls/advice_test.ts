import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { boxTest } from "../../support/box.ts";
import { scriptedModel } from "../../support/scripted_model.ts";
import { runAgent } from "../../support/cli/agent_scene.ts";
import { makeScene, parseLines } from "../../support/cli/scene.ts";

// What messages advise beside the hints of refusals, followed: a test of each.

/** The flags at a place of a text, as a shell reads them. */
function flagsIn(text: string, lead: string): string[] {
  const at = text.indexOf(lead);
  assert(at >= 0, `no "${lead}" in: ${text}`);
  const [words = ""] = /^(?:'(?:[^']|'\\'')*'|--[^\s;)]+)(?: (?:'(?:[^']|'\\'')*'|--[^\s;)]+))*/
    .exec(text.slice(at + lead.length)) ?? [];
  const { stdout } = new Deno.Command("bash", { args: ["-c", `printf '%s\\0' ${words}`] }).outputSync();
  return new TextDecoder().decode(stdout).split("\0").slice(0, -1);
}

/** A folder of programs without bubblewrap. */
function plainPath(scene: { link(target: string, name: string): void; at(name: string): string }): string {
  Deno.mkdirSync(scene.at("bin"));
  for (const name of ["bash", "sh", "cat"]) scene.link(`/bin/${name}`, `bin/${name}`);
  return scene.at("bin");
}

Deno.test("advice, followed, works: another sandbox mode, and the flags of a machine without a sandbox", async () => {
  using scene = makeScene();
  const env = { PATH: plainPath(scene) };
  const call = ["call", "Bash", "command=true"];
  const required = await scene.run([...call, "--sandbox=require"], { env });
  assertEquals(required.code, 6);
  assertStringIncludes(required.stderr, "or do without it: --sandbox auto");
  const auto = await scene.run([...call, "--sandbox", "auto"], { env });
  const lacking = flagsIn(auto.stderr, "pass ");
  assertEquals([auto.code, lacking], [3, ["--allow-run=bash"]]);
  assertEquals((await scene.run([...call, "--sandbox", "auto", ...lacking], { env })).code, 0);
  const notice = await scene.run(["doctor", "--policy=read-only"], { env });
  const told = flagsIn(notice.stdout, "are refused; ");
  assertEquals(told, ["--policy=coder", "--allow-run=bash"]);
  assertEquals((await scene.run([...call, ...told], { env })).code, 0);
});

boxTest("advice, followed, works: a rule that denies is taken out of the policy", async () => {
  const policy = (deny: string[]) =>
    JSON.stringify({ policy: "mine", policies: { mine: { base: "coder", deny } } });
  using scene = makeScene({ "home/.config/bulkhead/config.json": policy(["git push", "id"]) });
  const { stderr, code } = await scene.run(["exec", "--", "id"]);
  assertEquals(code, 3);
  assertStringIncludes(stderr, 'policy "mine" denies "id"; use another command, or remove that rule');
  scene.write("home/.config/bulkhead/config.json", policy(["git push"]));
  assertEquals((await scene.run(["exec", "--", "id"])).code, 0);
});

boxTest("advice, followed, works: a smaller workspace, or a folder of many secrets denied", async () => {
  using scene = makeScene({ "ws/sub/a.txt": "a" });
  for (let n = 0; n < 1_001; n++) scene.write(`ws/many/${n}.pem`, "");
  const call = ["call", "Bash", "command=true"];
  const refused = await scene.run(call);
  assertStringIncludes(refused.stderr, "name a smaller folder with --workspace, or deny one that holds many");
  assertEquals(refused.code, 7);
  for (const flags of [["--workspace", "sub"], ["--deny-read=many"]]) {
    assertEquals((await scene.run([...call, ...flags])).code, 0, flags.join(" "));
  }
  const none = await scene.run([...call, "--workspace", "none"]);
  assertEquals([none.code, none.stderr.includes("no such folder, name one with --workspace")], [6, true]);
});

boxTest("advice, followed, works: what doctor says of PATH, and what the sum of a batch says", async () => {
  using scene = makeScene({ "home/.x y/bin/mytool": "#!/bin/sh\necho mine", "other/a.txt": "a\n" });
  Deno.chmodSync(scene.at("home/.x y/bin/mytool"), 0o755);
  const env = { PATH: `${scene.at("home/.x y")}/bin:/usr/bin:/bin` };
  const { stdout } = await scene.run(["doctor"], { env });
  const show = flagsIn(stdout, "do not see " + scene.at("home/.x y/bin") + ": pass ");
  assertEquals(show, [`--sandbox-show=${scene.at("home/.x y")}`]);
  assertStringIncludes(
    (await scene.run(["call", "Bash", "command=mytool", ...show], { env })).stdout,
    "mine\n",
  );
  const healthy = await scene.run(["doctor", "--json", ...show], { env });
  const { findings } = JSON.parse(healthy.stdout) as { findings: { check: string; state: string }[] };
  assertEquals(findings.find(({ check }) => check === "path")?.state, "ok");
  const calls = [
    { tool: "Read", arguments: { path: "../other/a.txt" } },
    { tool: "Write", arguments: { path: "new.txt", content: "x" } },
    { tool: "Bash", arguments: { command: "touch made" } },
  ];
  const stdin = calls.map((call) => `${JSON.stringify(call)}\n`).join("");
  const refused = await scene.run(["batch", "-", "--policy=read-only"], { stdin });
  const flags = flagsIn(refused.stderr, "3 calls: 3 refused (allow them with ");
  const followed = await scene.run(["batch", "-", ...flags], { stdin });
  assertEquals([refused.code, followed.code, scene.exists("ws/made")], [3, 0, true], followed.stderr);
});

boxTest("advice, followed, works: a longer time for a call, and for a command", async () => {
  using scene = makeScene();
  const call = ["call", "Bash", "command=sleep 1.2"];
  const slow = await scene.run([...call, "timeout=1"]);
  assertStringIncludes(slow.stderr, "pass a larger timeout");
  assertEquals([slow.code, (await scene.run([...call, "timeout=60"])).code], [124, 0]);
  const odd = await scene.run([...call, "--tool-timeout", "Bash=long"]);
  assertStringIncludes(odd.stderr, "write --tool-timeout TOOL=SECONDS");
  assertEquals([odd.code, (await scene.run([...call, "--tool-timeout", "Bash=60"])).code], [2, 0]);
  const command = ["--", "sleep", "1.2"];
  const ended = await scene.run(["exec", "--timeout", "1", ...command]);
  assertStringIncludes(ended.stderr, "took longer than --timeout allows");
  assertEquals([ended.code, (await scene.run(["exec", "--timeout", "60", ...command])).code], [124, 0]);
});

Deno.test("advice, followed, works: how a run goes on, and what its options may not be together", async () => {
  using scene = makeScene();
  await using model = scriptedModel(() => ({ text: "done" }));
  const first = await runAgent(scene, model, ["hi", "--session", "s1"]);
  const [, resume = ""] = /^go on +bulkhead (.*)$/m.exec(first.stderr) ?? [];
  assertEquals([first.code, resume], [0, "run --resume s1 '…'"]);
  const again = await runAgent(scene, model, ["hi", "--session", "s1"]);
  const [, advised = ""] = /go on with it by (--resume \S+),/.exec(again.stderr) ?? [];
  assertEquals(advised, "--resume s1");
  // Model and address are those of the session.
  assertEquals((await runAgent(scene, null, ["more", ...advised.split(" ")])).code, 0);
  const both = await runAgent(scene, model, ["hi", "--no-session", "--session", "s2"]);
  assertStringIncludes(both.stderr, "exclude each other: give one of them");
  for (const flags of [["--no-session"], ["--session", "s2"]]) {
    assertEquals((await runAgent(scene, model, ["hi", ...flags])).code, 0, flags.join(" "));
  }
  const listed = await scene.run(["sessions", "--json"]);
  assertEquals((JSON.parse(listed.stdout) as { id: string }[]).map(({ id }) => id).sort(), ["s1", "s2"]);
  const two = await runAgent(scene, model, ["hi", "--resume", "s1", "--session", "s2"]);
  assertStringIncludes(two.stderr, "name two sessions");
  const unknown = await runAgent(scene, model, ["hi", "--resume", "s9"]);
  const [, meant = ""] = /no session "s9", did you mean "(s\d)"/.exec(unknown.stderr) ?? [];
  assertEquals([unknown.code, (await runAgent(scene, model, ["hi", "--resume", meant])).code], [2, 0]);
  const rm = await scene.run(["sessions", "rm"]);
  assertStringIncludes(
    rm.stderr,
    "bulkhead sessions rm ID ..., or choose them with --older-than AGE or --here",
  );
  assertEquals((await scene.run(["sessions", "rm", "s1"])).stdout, "removed s1\n");
  assertEquals((await scene.run(["sessions", "rm", "--here"])).stdout, "removed s2\n");
});

Deno.test("advice, followed, works: names of tools, reports, actions and fields that are not there", async () => {
  using scene = makeScene({ "ws/calls.jsonl": '{"tool":"echo","arguments":{"text":"x"}}\n' });
  const sets = ["tools", "--toolset", "manus", "--toolset", "par"];
  const clash = await scene.run(sets);
  const [, words = ""] = / with (--toolset .*)$/m.exec(clash.stderr) ?? [];
  assertEquals([clash.code, words], [2, "--toolset par --extra-tool manus/bash=manus_bash"]);
  const named = await scene.run(["tools", ...words.split(" ")]);
  assertEquals(named.code, 0);
  assertStringIncludes(named.stdout, "manus_bash");
  const report = await scene.run(["batch", "calls.jsonl", "--report", "xml=a"]);
  assertStringIncludes(report.stderr, "must be junit=FILE or github");
  assertEquals((await scene.run(["batch", "calls.jsonl", "--report", "junit=a.xml"])).code, 0);
  const action = await scene.run(["config", "nope"]);
  const [, actions = ""] = /there are ([a-z, ]+), see/.exec(action.stderr) ?? [];
  for (const one of actions.split(", ")) assertEquals((await scene.run(["config", one])).code, 0, one);
  scene.write("c.json", '{"policys": "coder"}');
  const field = await scene.run(["config", "check", "../c.json"]);
  const [, right = ""] = /did you mean "(\w+)"/.exec(field.stderr) ?? [];
  scene.write("c.json", `{"${right}": "coder"}`);
  assertEquals([field.code, (await scene.run(["config", "check", "../c.json"])).code], [6, 0]);
});

Deno.test("advice, followed, works: which models there are, and how one is named", async () => {
  using scene = makeScene();
  await using server = scriptedModel((request) =>
    JSON.stringify(request).includes('"messages"')
      ? { text: "done" }
      : { body: { data: [{ id: "qwen3", max_model_len: 32768 }] } }
  );
  const env = { OLLAMA_HOST: `127.0.0.1:${server.port}` };
  const none = await runAgent(scene, null, ["hi"]);
  assertEquals(none.code, 6);
  assertStringIncludes(none.stderr, "pass --model NAME");
  const listed = await scene.run(["models"]);
  assertStringIncludes(listed.stdout, "\nollama/ ");
  const half = await runAgent(scene, null, ["hi", "--model", "ollama/"], { env });
  const [, models = ""] = /bulkhead (models \w+) lists the names/.exec(half.stderr) ?? [];
  const offered = await scene.run(models.split(" "), { env });
  const [, name = ""] = /^(ollama\/\S+)/m.exec(offered.stdout) ?? [];
  assertEquals([half.code, name], [6, "ollama/qwen3"]);
  const replay = await runAgent(scene, null, ["hi", "--strict", "--model", name], { env });
  assertStringIncludes(replay.stderr, "--strict is for a replay: --model replay:FILE");
  const recorded = await runAgent(scene, null, ["hi", "--record", "r.jsonl", "--model", name], { env });
  assertEquals(recorded.code, 0, recorded.stderr);
  assert(parseLines(scene.read("ws/r.jsonl")).length > 0);
  const replayed = await runAgent(scene, null, ["hi", "--strict", "--model", "replay:r.jsonl"]);
  assertEquals(replayed.code, 0, replayed.stderr);
});
