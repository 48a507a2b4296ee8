import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";

import { PROGRAM_VARIABLES, programEnvironment } from "../../../../../runtime/programs/launch/environment.ts";
import { type JudgedCall, makeJudge } from "../../../../../runtime/programs/launch/judge_command.ts";
import { analyseCommand } from "../../../../../runtime/programs/shell/analyse_command.ts";
import { makeGrants } from "../../../../../runtime/walls/grants/make_grants.ts";
import { namedPolicy } from "../../../../../runtime/walls/grants/policies.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { type ProgramEvent, SHELL_MARK } from "../../../../../schemas/program.ts";
import { programScene } from "../../../../support/program_scene.ts";
import { listed } from "../../../../support/listed.ts";
import type { Command, CommandFilter } from "../../../../../schemas/command.ts";

const PURE = { permissions: "none" } as const;

const HERE = { path: "/usr/bin", home: "/tmp/home", tmp: "/tmp", terminal: false, allowed: {}, own: {} };
const PLAIN = {
  ...{ PATH: "/usr/bin", HOME: "/tmp/home", TMPDIR: "/tmp", LANG: "C.UTF-8", USER: "user", LOGNAME: "user" },
  ...{ SHELL: "/bin/bash", GIT_TERMINAL_PROMPT: "0", TERM: "dumb" },
};

Deno.test("programEnvironment() is a short list of its own", PURE, () => {
  assertEquals(programEnvironment(HERE), PLAIN);
  assertEquals(PROGRAM_VARIABLES, ["LANG", "LC_ALL", "TZ", "TERM", "USER"]);
});

Deno.test("programEnvironment() adds what the user lets through, and the tool's own last", PURE, () => {
  const set = { LANG: "de_DE.UTF-8", TZ: "Asia/Tokyo", USER: "ann", LD_PRELOAD: "/lib/y.so" };
  const own = { API_URL: "tool", PAGER: "cat" };
  const made = programEnvironment({ ...HERE, allowed: { ...set, API_URL: "x" }, own });
  assertEquals(made, { ...PLAIN, ...set, LOGNAME: "ann", ...own });
});

Deno.test("programEnvironment() names a terminal only where there is one", PURE, () => {
  const termOf = (terminal: boolean, TERM?: string) =>
    programEnvironment({ ...HERE, terminal, allowed: TERM === undefined ? {} : { TERM } }).TERM;
  assertEquals(
    [termOf(true), termOf(true, "screen"), termOf(true, "dumb"), termOf(true, ""), termOf(false, "screen")],
    ["xterm-256color", "screen", "xterm-256color", "xterm-256color", "dumb"],
  );
});

Deno.test("programEnvironment() refuses what cannot be a variable", PURE, () => {
  for (const [name, value] of [["", "x"], ["A=B", "x"], ["A\0", "x"], ["A", "x\0"]] as const) {
    const error = assertThrows(() => programEnvironment({ ...HERE, own: { [name]: value } }), ToolError);
    assertEquals(error.code, "invalid_input");
  }
});

Deno.test("programEnvironment() lets no tool decide what is executed", PURE, () => {
  for (
    const name of listed("PATH, LD_PRELOAD, LD_LIBRARY_PATH, DYLD_X, BASH_ENV, ENV, BASH_FUNC_ls%%, IFS")
  ) {
    const error = assertThrows(() => programEnvironment({ ...HERE, own: { [name]: "x" } }), ToolError);
    assertEquals(error.code, "invalid_input", name);
  }
});

const CALL: JudgedCall = { interprets: false, onAnalysis: () => {} };

/** The message with which a command is refused, `null` if it may start. */
async function judged(command: Command, filter: CommandFilter): Promise<string | null> {
  const { commands } = namedPolicy("mine", { base: "coder", deny: ["git push"] });
  const grants = makeGrants({ commands }, { workspace: "/ws", cwd: "/ws", realPath: (path) => path });
  const judge = makeJudge(grants, analyseCommand, filter);
  try {
    await judge(command, CALL);
    return null;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    assertEquals(error.code, "denied_by_policy");
    return error.message;
  }
}

Deno.test("a policy's filter refuses what the rules allow, and allows nothing that they refuse", async () => {
  const seen: Command[] = [];
  const filter: CommandFilter = (command) => {
    seen.push(command);
    const words = "argv" in command ? command.argv.join(" ") : command.script;
    if (words.includes("secret")) return { refuse: "it names a secret" };
  };
  const push: Command = { argv: ["git", "push"] };
  assertEquals(await judged({ argv: ["ls"] }, filter), null);
  assertEquals(
    await judged({ script: "cat secret.txt", shell: "bash" }, filter),
    'Cannot run this command: policy "mine" refuses it: it names a secret',
  );
  assertEquals(await judged(push, () => {}) === null, false);
  assertEquals(seen, [{ argv: ["ls"] }, { script: "cat secret.txt", shell: "bash" }]);
});

Deno.test("a filter that fails refuses, and cannot change the command", async () => {
  const command: Command = { argv: ["ls", "-l"] };
  const broken: CommandFilter = () => Promise.reject(new Error("out of order"));
  assertEquals(
    await judged(command, broken),
    'Cannot run this command: policy "mine" refuses it: its filter failed: out of order',
  );
  await judged(command, (given) => {
    if ("argv" in given) (given.argv as string[]).push("/etc");
  });
  assertEquals(command.argv, ["ls", "-l"]);
});

const waitMs = 60_000;

/** A scene whose calls write down what is told of their programs. */
function toldScene() {
  const scene = programScene({ boxed: false });
  const events: ProgramEvent[] = [];
  return { ...scene, events, told: scene.call({ onEvent: (event) => events.push(event) }) };
}

function exists(folder: string, name: string): boolean {
  return [...Deno.readDirSync(folder)].some((entry) => entry.name === name);
}

/** Each event in few words. */
function shown(events: readonly ProgramEvent[]): string[] {
  return events.map((event) => {
    const { type, program } = event;
    if (type === "program.start") return `${program} starts ${event.command ?? event.argv.join(" ")}`;
    if (type === "program.input") return `${program} gets ${JSON.stringify(event.text)}`;
    return `${program} ends ${event.exit_code} ${event.signal} ${event.reason}`;
  });
}

Deno.test("tellStart() tells of a program before it runs, and once of its end", async () => {
  await using scene = toldScene();
  const atStart: boolean[] = [];
  const call = scene.call({
    onEvent(event) {
      if (event.type === "program.start") atStart.push(exists(scene.path, "made"));
      scene.told.onEvent?.(event);
    },
  });
  await scene.host.run({ argv: ["sh", "-c", "touch made; exit 3"] }, call);
  await scene.host.run({ argv: ["sh", "-c", "kill -9 $$"] }, scene.told);
  await scene.host.run({ argv: ["sleep", "60"], timeoutMs: 20 }, scene.told);
  assertEquals(atStart, [false]);
  assertEquals(
    shown(scene.events),
    listed(
      "1 starts sh -c touch made; exit 3, 1 ends 3 null exited, 2 starts sh -c kill -9 $$",
      "2 ends 137 SIGKILL exited, 3 starts sleep 60, 3 ends 143 SIGTERM timeout",
    ),
  );
  const [first, end] = scene.events;
  assert(first?.type === "program.start" && end?.type === "program.end");
  const { cwd, sandboxed, risk } = first;
  assertEquals({ cwd, sandboxed, risk }, { cwd: scene.path, sandboxed: false, risk: "low" });
  assert(end.duration_ms >= 0);
});

Deno.test("ProgramHost.run() tells nothing of what a program said once it has told its end", async () => {
  // Longer than lines wait until they are told.
  const inspect = () => new Promise<string[]>((resolve) => setTimeout(() => resolve([]), 250));
  await using scene = programScene({ boxed: false, inspect });
  const heard: string[] = [];
  const call = scene.call({
    onEvent: ({ type }) => heard.push(type),
    onOutput: (lines) => heard.push(lines),
  });
  await scene.host.run({ argv: ["sh", "-c", "echo one; echo two >&2"] }, call);
  assertEquals([heard[0], heard.at(-1)], ["program.start", "program.end"]);
  assert(heard.length > 2);
});

Deno.test("tellStart() also ends a program that could not be started", async () => {
  await using scene = toldScene();
  await assertRejects(() => scene.host.run({ argv: ["true"], cwd: "/nowhere" }, scene.told), ToolError);
  await assertRejects(() => scene.host.open({ argv: ["true"], cwd: "/nowhere" }, scene.told), ToolError);
  assertEquals(
    shown(scene.events),
    ["1 starts true", "1 ends null null failed", "2 starts true", "2 ends null null failed"],
  );
});

Deno.test("tellStart() tells of each command of an open shell, and of the shell", async () => {
  await using scene = toldScene();
  const { id, nonce = "" } = await scene.host.open({ argv: ["bash"], shell: true }, scene.told);
  const mark = `${SHELL_MARK}${nonce}${SHELL_MARK}`;
  const read = () => scene.host.read(id, { waitMs, until: mark }, scene.told);
  await read();
  for (const command of ["echo one", "(exit 4)"]) {
    await scene.host.command(id, command, scene.told);
    await read();
  }
  await scene.host.command(id, "sleep 60", scene.told);
  await scene.host.end();
  assertEquals(
    shown(scene.events).map((line) => line.replace(/ --no.*/, "")),
    listed(
      "1 starts bash, 2 starts echo one, 2 ends 0 null exited, 3 starts (exit 4), 3 ends 4 null exited",
      "4 starts sleep 60, 4 ends 137 SIGKILL cancelled, 1 ends 137 SIGKILL cancelled",
    ),
  );
  const sessions = scene.events.flatMap((event) => event.type === "program.start" ? event.session ?? "" : []);
  assertEquals(sessions, [id, id, id, id]);
});

Deno.test("ProgramHost tells what is typed into an open program before it gets it", async () => {
  await using scene = toldScene();
  const { id } = await scene.host.open({ argv: ["cat"] }, scene.told);
  await scene.host.write(id, "hello\n", scene.told);
  await scene.host.close(id, { graceMs: 0 }, scene.told);
  assertEquals(shown(scene.events), ["1 starts cat", '1 gets "hello\\n"', "1 ends 137 SIGKILL cancelled"]);
});

Deno.test("a command that starts a denied program is refused, wherever in it that is, by name and by path", async () => {
  const flags = { deny: { run: ["curl", "sh", "/opt/x/tool"] } };
  const grants = makeGrants(flags, { workspace: "/ws", cwd: "/ws", realPath: (path) => path });
  const judge = makeJudge(grants, analyseCommand);
  const refused = async (script: string) => {
    const error = await judge({ script, shell: "bash" }, CALL).then(() => null, (error) => error);
    return error instanceof ToolError ? [error.code, error.details.target, error.details.flags] : error;
  };
  const denied: Readonly<Record<string, string>> = {
    ...{ "curl x": "curl", "ls && /usr/bin/curl x": "/usr/bin/curl", "find . | xargs curl": "curl" },
    ...{ "echo $(curl x)": "curl", "sh -c ls": "sh", "/opt/x/tool a": "/opt/x/tool", "tool a": "tool" },
  };
  for (const [script, target] of Object.entries(denied)) {
    assertEquals(await refused(script), ["permission_denied", target, []], script);
  }
  for (const script of ["echo curl", "/opt/y/tool a", "ls curl"]) {
    assertEquals(await refused(script), null, script);
  }
});

Deno.test("a line that is ended is judged as a command, and what comes later not as a whole", async () => {
  const { commands } = namedPolicy("mine", { base: "read-only" });
  const grants = makeGrants({ commands }, { workspace: "/ws", cwd: "/ws", realPath: (path) => path });
  const judge = makeJudge(grants, analyseCommand);
  const allowed = async (script: string) =>
    await judge({ script, shell: "bash", typed: true }, CALL).then(() => true, () => false);
  assertEquals(await allowed("$UNKNOWN"), true);
  assertEquals(await allowed("$UNKNOWN\n"), false);
  assertEquals(await allowed("rm a"), false);
});
