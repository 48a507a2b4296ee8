import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import type { AuditRecord } from "../../../schemas/audit.ts";
import { boxTest } from "../../support/box.ts";
import { program } from "../../support/program.ts";
import { makeScene, parseLines } from "../../support/cli/scene.ts";
import { makeSleepers } from "../../support/cli/sleepers.ts";
import { ANYWHERE, PLACES } from "../../support/cli/terminal.ts";

const SECRET = "hunter2-do-not-show";
/** More than a pipe holds, with every byte, in an order that no line follows. */
const BYTES = Uint8Array.from({ length: 400_000 }, (_, at) => (at * 7 + (at >> 9)) & 0xff);

Deno.test("exec passes all bytes of its streams as they are", async () => {
  using scene = makeScene({ "ws/in.bin": BYTES });
  const [command = "", ...words] = [...program(), "exec", "-q", ...ANYWHERE, "--"];
  const script = `echo "key $KEY" >&2; cat in.bin - <&0; exit 7`;
  using input = await Deno.open(scene.at("ws/in.bin"));
  const child = new Deno.Command(command, {
    args: [...words.slice(0, -1), "--allow-env=KEY", "--", "sh", "-c", script],
    cwd: scene.ws,
    env: { KEY: SECRET, INIT_CWD: scene.ws },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const fed = input.readable.pipeTo(child.stdin);
  const { code, stdout, stderr } = await child.output();
  await fed;
  assertEquals([code, new TextDecoder().decode(stderr)], [7, `key ${SECRET}\n`]);
  assertEquals(stdout.length, 2 * BYTES.length);
  assert(stdout.every((byte, at) => byte === BYTES[at % BYTES.length]));
});

Deno.test("exec ends with the code of its program", async () => {
  using scene = makeScene({ "ws/plain.txt": "text" });
  const ended = async (...words: string[]) => {
    const { code, stdout, stderr } = await scene.run(["exec", "-q", ...ANYWHERE, ...words]);
    return { code, stdout, stderr };
  };
  assertEquals(await ended("--", "sh", "-c", "exit 41"), { code: 41, stdout: "", stderr: "" });
  assertEquals((await ended("--", "sh", "-c", "kill -KILL $$")).code, 137);
  // The first word that is no option begins the command, and no word of it is an option of bulkhead.
  assertEquals((await ended("echo", "--json", "-q", "--", "x")).stdout, "--json -q -- x\n");
  const missing = await ended("--", "no-such-program");
  assertEquals(missing.code, 127);
  assertMatch(missing.stderr, /^bulkhead: Cannot run "no-such-program": .*\n$/);
  const plain = await ended("--", "./plain.txt", "--json");
  assertEquals([plain.code, plain.stdout], [126, ""]);
  assertStringIncludes(plain.stderr, "it is not executable");
  const refused = await ended("--", "sudo", "ls");
  assertEquals(refused.code, 3);
  assertMatch(refused.stderr, /^bulkhead: Cannot run this command: rule sudo forbids it/);
});

Deno.test("exec passes SIGINT to its program, which ends as it likes", async () => {
  using scene = makeScene();
  const script = "trap 'echo saved; exit 9' INT; echo on; while :; do sleep 0.05; done";
  const running = scene.start(["exec", "-q", ...ANYWHERE, "--", "sh", "-c", script]);
  assertEquals(await running.nextLine(), "on");
  running.kill("SIGINT");
  const { code, stdout } = await running.ended();
  assertEquals([code, stdout], [9, "saved\n"]);
});

for (const [place, flags] of Object.entries(PLACES)) {
  Deno.test(`exec ends what it started at a timeout and at signals, ${place}`, async () => {
    for (const signal of ["timeout", "SIGTERM", "SIGHUP"] as const) {
      using sleepers = makeSleepers();
      using scene = makeScene();
      const script = `trap '' TERM HUP; ${sleepers.words} & echo on; ${sleepers.words}; ${sleepers.words}`;
      const limit = signal === "timeout" ? ["--timeout=5"] : [];
      const running = scene.start(["exec", "-q", ...flags, ...limit, "--", "sh", "-c", script]);
      assertEquals(await running.nextLine(), "on");
      if (signal !== "timeout") running.kill(signal);
      const { code, stderr } = await running.ended();
      assertEquals(code, { timeout: 124, SIGTERM: 143, SIGHUP: 129 }[signal]);
      assertEquals(stderr.includes("longer than --timeout"), signal === "timeout");
      await sleepers.gone();
    }
  });
}

boxTest("exec says what its command left running, unless it is to be quiet", async () => {
  using scene = makeScene();
  const said =
    "what the program left running was ended with it: sleep; to keep it, let the command wait for it\n";
  for (
    const [flags, told] of [[[], said], [["-q"], ""], [PLACES["without a box"]!, said]] as const
  ) {
    const { code, stderr } = await scene.run(["exec", ...flags, "--", "sh", "-c", "sleep 1000 & exit 4"]);
    assertEquals([code, stderr.split("\n").filter((line) => line.includes("left running")).join()], [
      4,
      told === "" ? "" : `bulkhead: ${told}`.trimEnd(),
    ], stderr);
    const calm = await scene.run(["exec", ...flags, "--", "sh", "-c", "sleep 0 & wait"]);
    assertEquals([calm.code, calm.stderr.includes("left running")], [0, false], calm.stderr);
  }
});

boxTest("exec keeps the walls around programs, and records the command", async () => {
  using scene = makeScene({ "ws/.env": `${SECRET}\n`, "outside.txt": "outside", "ws/notes.txt": "plain\n" });
  const script = "cat .env ../outside.txt; echo x > .envrc; echo x > /etc/x; cat notes.txt";
  const audit = ["--audit", "../audit.jsonl"];
  const ended = await scene.run(["exec", ...audit, "--", "sh", "-c", script]);
  assertEquals([ended.code, ended.stdout], [0, "plain\n"]);
  assertMatch(ended.stderr, /^bulkhead: Moved ".*\/\.envrc" to .*: a program made or changed it/m);
  assertEquals(scene.exists("ws/.envrc"), false);
  const narrow = ["--policy", "read-only", ...audit];
  assertEquals(
    (await scene.run(["exec", ...narrow, "--", "sh"], { stdin: "echo x > made; exit 5" })).code,
    5,
  );
  assertEquals(scene.exists("ws/made"), false);
  assertEquals((await scene.run(["exec", ...narrow, "--", "touch", "made"])).code, 3);
  const [ran, fed, refused] = parseLines(scene.read("audit.jsonl")) as AuditRecord[];
  assertEquals([ran?.tool, ran?.decision, ran?.ok, ran?.exit_code], ["exec", "allowed", true, 0]);
  assertEquals(ran?.programs.map(({ boxed }) => boxed), [true]);
  assertEquals(ran?.argv, ["sh", "-c", script]);
  assertEquals([fed?.exit_code, fed?.policy], [5, "read-only"]);
  assertEquals([refused?.decision, refused?.error, refused?.programs], ["refused", "denied_by_policy", []]);
  const summary = await scene.run(["audit", "../audit.jsonl"]);
  assertEquals([summary.code, summary.stdout.includes("exec")], [0, true], summary.stdout);
});
