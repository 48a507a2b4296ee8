import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { sshMachine, sshTest } from "../../../support/net/ssh_machine.ts";
import { type Answer, makeScene, type Scene } from "../../../support/cli/scene.ts";
import { makeSleepers } from "../../../support/cli/sleepers.ts";

const CONFIG = "home/.config/bulkhead/config.json";

function sceneOf(remote: readonly string[]): Scene {
  return makeScene({ [CONFIG]: JSON.stringify({ sandbox: { remote } }), "ws/mine.txt": "mine" });
}

const call = (tool: string, input: Record<string, unknown>) => ({
  tool: `manus/sandbox_${tool}`,
  arguments: input,
});
const shell = (command: string, more: Record<string, unknown> = {}) =>
  call("shell", { action: "execute_command", command, blocking: true, ...more });
const make = (file_path: string, file_contents: string) =>
  call("files", { action: "create_file", file_path, file_contents });

sshTest("the tools of the sandbox work on another machine, with its real exit codes", async () => {
  await using machine = await sshMachine();
  using scene = sceneOf(machine.words("key"));
  const { answers, stderr } = await scene.batch([
    make("a b'c/tea.txt", "green tea\n"),
    shell("cat a*/tea.txt; x='$5'; (exit 7)", { session_name: "one" }),
    shell('echo "$x"; exit 255', { session_name: "one" }),
    call("files", { action: "str_replace", file_path: "a b'c/tea.txt", old_str: "green ", new_str: "" }),
    shell(`cat a*/tea.txt; ls ${scene.ws}/mine.txt; echo $PPID`),
    shell("sleep 300 & exit 3"),
    make("index.html", "<h1>"),
    make("../out", ""),
  ], ["--session=s"]);
  const results = answers.map(({ result }) => result as Record<string, unknown>);
  assertEquals(answers.map(({ ok }) => ok), [...Array(7).fill(true), false], stderr);
  assertEquals([results[1]!.output, results[1]!.exit_code], ["green tea\n", 7]);
  assertEquals([results[2]!.output, results[2]!.exit_code], ["$5\n", 254]);
  assertStringIncludes(String(results[4]!.output), "tea\nls: cannot access");
  assertEquals(results[5]!.exit_code, 3);
  assertEquals(answers[6]!.text, "File 'index.html' created successfully.");
  assertEquals(Deno.readTextFileSync(`${machine.folder}/a b'c/tea.txt`), "tea\n");
  const again = await scene.batch([shell("ls")], ["--session=s"]);
  assertEquals((again.answers[0]!.result as { output: string }).output, "a b'c\nindex.html\n");
});

sshTest(
  "what runs on another machine ends with its session, with its run, and when bulkhead is killed",
  async () => {
    await using machine = await sshMachine();
    using scene = sceneOf(machine.words("key"));
    using sleepers = makeSleepers();
    const nap = shell(`${sleepers.words} & ${sleepers.words}`, { blocking: false, session_name: "n" });
    const ended = await scene.batch([
      nap,
      call("shell", { action: "terminate_command", session_name: "n" }),
      nap,
    ]);
    assertEquals(ended.answers.map(({ ok }) => ok), [true, true, true], ended.stderr);
    await sleepers.gone();
    const batch = scene.start(["batch", "-"]);
    await batch.write(`${JSON.stringify(nap)}\n`);
    await batch.nextLine();
    await sleepers.run(2);
    batch.kill("SIGKILL");
    await batch.ended();
    await sleepers.gone();
  },
);

sshTest("a link that fails or breaks is told, with what to do", async () => {
  await using machine = await sshMachine();
  const table: [string[], string][] = [
    [machine.words("key", 1), "Connection refused"],
    [machine.words("other"), "Permission denied (publickey"],
  ];
  for (const [words, why] of table) {
    using scene = sceneOf(words);
    const { answers } = await scene.batch([shell("true"), make("a", "")]);
    for (const { error } of answers) {
      assertEquals(error?.code, "unavailable");
      assertStringIncludes(error?.message ?? "", why);
      assertStringIncludes(error?.message ?? "", "Try the command of sandbox.remote");
    }
  }
  using scene = sceneOf(machine.words("key"));
  const batch = scene.start(["batch", "-"], { timeoutMs: 60_000 });
  const ask = async (one: unknown): Promise<Answer> => {
    await batch.write(`${JSON.stringify(one)}\n`);
    return JSON.parse(await batch.nextLine() ?? "{}");
  };
  assert((await ask(make("kept", ""))).ok);
  using sleepers = makeSleepers();
  const broken = ask(shell(sleepers.words, { session_name: "b" }));
  await sleepers.run(1);
  machine.breakLinks();
  const { error } = await broken;
  assertEquals([error?.code, error?.retryable], ["unavailable", true]);
  assertStringIncludes(error?.message ?? "", "The link to the remote sandbox broke");
  await sleepers.gone();
  const again = await ask(shell("ls", { session_name: "b" }));
  assertEquals((again.result as { output: string }).output, "kept\n");
  await batch.closeInput();
  await batch.ended();
});

Deno.test("a remote sandbox that gives no shell is told, with what it says", async () => {
  using scene = sceneOf(["sh", "-c", "echo no such pod >&2; exit 3"]);
  const { error } = await scene.call("sandbox_shell", shell("true").arguments);
  assertEquals([error?.code, error?.retryable], ["unavailable", true]);
  assertStringIncludes(error?.message ?? "", "it ended with exit code 3, and said: no such pod\n");
});

sshTest("what is denied holds for another machine, and a project names none", async () => {
  await using machine = await sshMachine();
  using scene = sceneOf(machine.words("key"));
  for (const flag of ["--deny-net", "--deny-run=ssh", "--policy=read-only"]) {
    const { error } = await scene.call("sandbox_shell", shell("rm kept").arguments, [flag]);
    assert(
      ["permission_denied", "denied_by_policy"].includes(error?.code ?? ""),
      `${flag}: ${error?.message}`,
    );
  }
  const { stdout } = await scene.run(["explain", "sandbox_shell", "action=execute_command", "command=true"]);
  assertStringIncludes(stdout, "programs in the remote sandbox, with all that it gives them\n");
  using other = makeScene({ "ws/bulkhead.json": JSON.stringify({ sandbox: { remote: ["touch", "made"] } }) });
  const { code } = await other.call("sandbox_files", make("a", "").arguments);
  assertEquals(code, 0);
  assert(!other.exists("ws/made"));
});
