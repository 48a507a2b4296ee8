import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import type { NarrowPrograms } from "../../../../../runtime/programs/narrow/narrow_programs.ts";
import type { PipedProgram } from "../../../../../runtime/programs/narrow/piped_program.ts";
import { boxTest } from "../../../../support/box.ts";
import { programCall } from "../../../../support/program_scene.ts";
import { workspace } from "../../../../support/run_tool.ts";
import { sourceHost } from "../../../../support/sources/source_host.ts";

const FILES = { "a.txt": "in the workspace\n", "sub/b.txt": "below\n", "sub/.env": "KEY=1\n" };

async function sh(programs: NarrowPrograms, script: string) {
  const { exitCode, stdout, stderr } = await programs.run({ argv: ["sh", "-c", script] }, programCall());
  return { exitCode, stdout: stdout.head, stderr: stderr.head };
}

async function send(program: PipedProgram, text: string): Promise<void> {
  await program.write(new TextEncoder().encode(text));
}

/** Reads so many lines. */
async function lines(program: PipedProgram, count: number): Promise<string[]> {
  const reader = program.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (text.split("\n").length <= count) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  return text.split("\n").slice(0, count);
}

boxTest("a program that needs nothing sees no file of the user, and starts in an empty home", async () => {
  await using ws = workspace(FILES);
  await using opened = await sourceHost(ws.path, { grants: { toolchains: "off" } });
  const { host } = opened;
  const outside = await sh(host.programsFor({}), `pwd; ls -A; cat ${ws.path}/a.txt`);
  assertEquals([outside.stdout, outside.exitCode], [`${Deno.env.get("HOME")}\n`, 1]);
  assertStringIncludes(outside.stderr, "No such file");
  const below = host.programsFor({ read: [`${ws.path}/sub`] });
  const inside = await sh(below, `cat ${ws.path}/sub/b.txt; cat ${ws.path}/sub/.env ${ws.path}/a.txt`);
  assertEquals([inside.stdout, inside.exitCode], ["below\n", 1]);
  const writing = await sh(below, `echo new > ${ws.path}/sub/b.txt`);
  assertStringIncludes(writing.stderr, "Read-only file system");
  await sh(host.programsFor({ write: [`${ws.path}/sub`] }), `echo new > ${ws.path}/sub/b.txt`);
  assertEquals(Deno.readTextFileSync(`${ws.path}/sub/b.txt`), "new\n");
});

boxTest("a program sees only the variables that it needs", async () => {
  await using ws = workspace(FILES);
  const env = { ...Deno.env.toObject(), ONE_TOKEN: "1", OTHER_TOKEN: "2" };
  await using opened = await sourceHost(ws.path, { env });
  const { stdout } = await sh(opened.host.programsFor({ env: ["ONE_TOKEN"] }), "env");
  assertStringIncludes(stdout, "ONE_TOKEN=1\n");
  assert(!stdout.includes("OTHER_TOKEN"));
});

boxTest(
  "a program reaches the hosts that it needs, through the gate, and is refused all others",
  async () => {
    await using ws = workspace();
    const serve = (text: string) =>
      Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => new Response(text));
    await using one = serve("one\n");
    await using other = serve("other\n");
    const both = [one, other].map(({ addr: { port } }) => `127.0.0.1:${port}`);
    await using opened = await sourceHost(ws.path, { grants: { allowPrivateNet: both } });
    const get = both.map((at) => `curl -sS http://${at}`).join("; ");
    const needing = await sh(opened.host.programsFor({ net: [both[0]!] }), get);
    assertStringIncludes(needing.stdout, "one\n");
    assertStringIncludes(needing.stdout, `Cannot reach ${both[1]}`);
    const none = await sh(opened.host.programsFor({}), get);
    assertEquals([none.stdout, none.exitCode], ["", 7]);
  },
);

for (const sandbox of ["auto", "off"] as const) {
  const test = sandbox === "auto" ? boxTest : Deno.test;
  const grants = sandbox === "off" ? { allow: { run: ["sh", "cat"] } } : {};

  test(`a program with pipes talks until its input is closed, sandbox ${sandbox}`, async () => {
    await using ws = workspace();
    await using opened = await sourceHost(ws.path, { grants, sandbox });
    const program = await opened.host.programsFor({}).pipe({
      argv: ["sh", "-c", "read a; echo got $a; echo note >&2; exec cat"],
    });
    await send(program, "1\n2\n3\n");
    assertEquals(await lines(program, 3), ["got 1", "2", "3"]);
    assertEquals(program.audited().exit_code, null);
    assertEquals(program.audited().boxed, sandbox === "auto");
    const { exitCode, reason } = await program.close();
    assertEquals([exitCode, reason, program.stderr], [0, "exited", "note\n"]);
    await assertRejects(() => send(program, "more"));
  });

  test(`a program that ends by itself says how, sandbox ${sandbox}`, async () => {
    await using ws = workspace();
    await using opened = await sourceHost(ws.path, { grants, sandbox });
    const pipe = (script: string) => opened.host.programsFor({}).pipe({ argv: ["sh", "-c", script] });
    const program = await pipe("head -c 100000 /dev/zero; head -c 20000 /dev/zero | tr '\\0' x >&2; exit 7");
    const size = (await new Response(program.stdout).bytes()).length;
    assertEquals([size, program.stderr.length], [100_000, 8_000]);
    assertEquals((await program.ended).exitCode, 7);
    // Nobody reads: what it wrote last still waits in its pipe.
    const unread = await pipe("head -c 300000 /dev/zero");
    assertEquals((await unread.ended).exitCode, 0);
    const held = await pipe("head -c 9000000 /dev/zero");
    assertEquals((await held.close({ graceMs: 1 })).reason, "cancelled");
  });

  test(`a program that does not end is killed with all that it started, sandbox ${sandbox}`, async () => {
    await using ws = workspace();
    await using opened = await sourceHost(ws.path, { grants, sandbox });
    const programs = opened.host.programsFor({});
    const script = `trap '' TERM; (trap '' TERM; echo ready; exec sleep 1000) & while :; do sleep 1; done`;
    const stays = await programs.pipe({ argv: ["sh", "-c", script] });
    await lines(stays, 1);
    const { reason, exitCode } = await stays.close({ graceMs: 10 });
    assertEquals([reason, exitCode], ["cancelled", 137]);
    const signal = new AbortController();
    const aborted = await programs.pipe({ argv: ["sh", "-c", script] }, { signal: signal.signal });
    await lines(aborted, 1);
    signal.abort();
    assertEquals((await aborted.ended).reason, "cancelled");
  });
}

boxTest(
  "under a read-only policy only a program that the user named runs what nobody can judge",
  async () => {
    await using ws = workspace({ "server.sh": "echo ready; touch made" });
    await using opened = await sourceHost(ws.path, { grants: { policy: "read-only" } });
    const programs = opened.host.programsFor({ read: [ws.path], write: [ws.path] });
    const server = { argv: ["bash", "server.sh"], cwd: ws.path };
    assertEquals((await assertRejects(() => programs.pipe(server), ToolError)).code, "denied_by_policy");
    const program = await programs.pipe(server, { isNamed: true });
    assertEquals(await lines(program, 1), ["ready"]);
    assertEquals((await program.ended).exitCode, 1);
    assertStringIncludes(program.stderr, "Read-only file system");
  },
);

boxTest("programs with pipes end with their host", async () => {
  await using ws = workspace();
  await using opened = await sourceHost(ws.path);
  const program = await opened.host.programsFor({ write: [ws.path] }).pipe({
    argv: ["sh", "-c", `trap '' TERM; echo $$ > ${ws.path}/pid; echo ready; while :; do sleep 1; done`],
  });
  await lines(program, 1);
  await opened[Symbol.asyncDispose]();
  assertEquals((await program.ended).reason, "cancelled");
});

Deno.test("without a sandbox nothing starts that the user did not name", async () => {
  await using ws = workspace();
  await using opened = await sourceHost(ws.path, { sandbox: "off" });
  const error = await assertRejects(() => opened.host.programsFor({}).pipe({ argv: ["sh"] }), ToolError);
  assertEquals(error.code, "permission_denied");
  assertStringIncludes(error.message, "--allow-run=sh");
});

boxTest("what the box of a staying program closes is closed to tools as well", async () => {
  await using ws = workspace(FILES);
  await using opened = await sourceHost(ws.path);
  const program = await opened.host.programsFor({ write: [ws.path] }).pipe({ argv: ["cat"] });
  const { programs } = opened.host;
  assert(programs.closed().hidden.includes(`${ws.path}/sub/.env`));
  await program.close();
  assertEquals(programs.closed().hidden, []);
});
