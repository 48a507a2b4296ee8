import { assertEquals } from "@std/assert";
import { join } from "@std/path";

import { CallLine } from "../../../../../runtime/calls/call_line.ts";
import type { Machine } from "../../../../../runtime/calls/machine.ts";
import { makeRoomMachine } from "../../../../../runtime/host/make_machine.ts";
import { makeJudge } from "../../../../../runtime/programs/launch/judge_command.ts";
import { CommandReader } from "../../../../../runtime/programs/launch/command_reader.ts";
import { makeArtifactFolder } from "../../../../../runtime/state/artifact_folder.ts";
import { memorySession } from "../../../../../runtime/state/tool_state.ts";
import { chooseBox } from "../../../../../runtime/walls/box/choose_box.ts";
import { exists } from "../../../../../runtime/walls/files/file_facts.ts";
import { makeGrants } from "../../../../../runtime/walls/grants/make_grants.ts";
import { namedPolicy } from "../../../../../runtime/walls/grants/policies.ts";
import type { PolicyConfig } from "../../../../../schemas/config.ts";
import { boxTest } from "../../../../support/box.ts";
import { entryOf } from "../../../../support/manifest_entry.ts";
import { noGate } from "../../../../support/net/no_gate.ts";
import { countedLinks, probeLink } from "../../../../support/probe_rooms.ts";
import { OPEN_CONTROL } from "../../../../support/test_machine.ts";

// A room that no tool of ours is in any more asks main for programs as it likes. Main judges what it asks for.

const NAME = "made.txt";

/** A real room with a hostile tool, and the real host of programs, under a policy that denies `touch`. */
function scene({ base = "coder", boxed = false, interprets = false }: {
  base?: PolicyConfig["base"];
  boxed?: boolean;
  interprets?: boolean;
} = {}) {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "bulkhead-lying-" }));
  const place = { workspace: root, cwd: root, realPath: Deno.realPathSync };
  const { commands } = namedPolicy("careful", { base, deny: ["touch"] });
  const allow = boxed ? {} : { run: true as const };
  const searchPath = Deno.env.get("PATH") ?? "/usr/bin:/bin";
  const grants = makeGrants({ policy: base, commands, allow }, place);
  const machine: Machine = {
    grants,
    home: "",
    artifacts: makeArtifactFolder(() => join(root, "artifacts")),
    control: OPEN_CONTROL,
    line: new CallLine(3),
  };
  const { openLink, ended } = countedLinks(probeLink("process"));
  const reader = new CommandReader();
  const made = makeRoomMachine({
    machine,
    box: chooseBox({ mode: boxed ? "require" : "off", searchPath }),
    rooms: { openLink, maxIdle: 1 },
    state: memorySession(),
    searchPath,
    judge: makeJudge(grants, reader.read),
    variables: { programs: {}, tools: {}, git: {} },
    gate: noGate,
    findBrowser: () => null,
    userBrowser: undefined,
    desktop: { find: () => null },
  });
  const needs = { read: "granted", run: "granted" } as const;
  const limits = { timeout_ms: 20_000, concurrency: null };
  const tool = entryOf("test/probe", { needs, limits, interprets, error_lead: "" });
  return {
    made: () => exists(join(root, NAME)),
    async attempt(attempt: string, value: unknown): Promise<string> {
      const input = { attempt, value: JSON.stringify(value) };
      const { result } = await made.carrier.call(tool, input, {});
      return result.error?.code ?? result.text;
    },
    async [Symbol.asyncDispose]() {
      await made[Symbol.asyncDispose]();
      reader[Symbol.dispose]();
      await ended();
      Deno.removeSync(root, { recursive: true });
    },
  };
}

const TERMINAL = { rows: 5, cols: 40 };
const TOUCH = `touch ${NAME}`;
/** Ways to run what the policy denies. */
const LIES: Readonly<Record<string, readonly unknown[]>> = {
  "the program itself": [{ run: { argv: ["touch", NAME] } }],
  "by its path": [{ run: { argv: ["/usr/bin/touch", NAME] } }],
  "behind another program": [{ run: { argv: ["env", "touch", NAME] } }],
  "in a shell's option": [{ run: { argv: ["bash", "-c", TOUCH] } }],
  "on a shell's stdin": [{ run: { argv: ["bash"], stdin: TOUCH } }],
  "as a shell's text": [{ run: { argv: ["bash"], script: TOUCH } }],
  "typed to a shell without a terminal": [{ open: { argv: ["bash"] } }, { write: `${TOUCH}\n` }],
  "as a command of a shell": [{ open: { argv: ["bash"], shell: true } }, { command: TOUCH }],
  "typed to a shell that waits for commands": [{ open: { argv: ["bash"], shell: true } }, {
    write: `${TOUCH}\n`,
  }],
  "in two pieces of a line": [{ open: { argv: ["bash"] } }, { write: "tou" }, { write: `ch ${NAME}\n` }],
};

for (const interprets of [false, true]) {
  const who = interprets ? "that may interpret" : "that runs programs";
  Deno.test(`a lying room of a tool ${who} cannot get past a rule of the policy`, async () => {
    await using lying = scene({ interprets });
    assertEquals(await lying.attempt("programs", [{ run: { argv: ["true"] } }]), "DONE");
    for (const [name, steps] of Object.entries(LIES)) {
      assertEquals([await lying.attempt("programs", steps), lying.made()], ["denied_by_policy", false], name);
    }
  });
}

Deno.test("a lying room's word that the user named a program ends the room", async () => {
  await using lying = scene();
  const run = { argv: ["touch", NAME] };
  for (const lie of [{ vouched: true }, { boxed: false }, { unforeseen: true }]) {
    const ask = { kind: "program.run", run, ...lie };
    assertEquals([await lying.attempt("say", { t: "ask", n: 1, ask }), lying.made()], ["internal", false]);
  }
});

Deno.test("a shell is given a text by nothing but its name", async () => {
  await using lying = scene();
  for (
    const run of [
      { argv: ["python3"], script: "1" },
      { argv: ["bash", "-x"], script: "true" },
      { argv: ["bash"], script: "true", stdin: TOUCH },
    ]
  ) assertEquals(await lying.attempt("programs", [{ run }]), "invalid_input", JSON.stringify(run));
  const open = { argv: ["python3"], shell: true };
  assertEquals(await lying.attempt("programs", [{ open }]), "invalid_input");
});

boxTest("a lying room gets no more than its policy lets commands do", async () => {
  for (const interprets of [false, true]) {
    await using lying = scene({ base: "read-only", boxed: true, interprets });
    const copy = ["cp", "/etc/passwd", NAME];
    for (
      const steps of [
        [{ run: { argv: copy, stdin: "" } }],
        [{ open: { argv: copy } }],
        [{ open: { argv: ["bash"], shell: true } }, { command: copy.join(" ") }],
      ]
    ) assertEquals(await lying.attempt("programs", steps), "denied_by_policy", JSON.stringify(steps));
    // What a shell is told later is not known yet: only a tool that says so may open one.
    const opened = await lying.attempt("programs", [{ open: { argv: ["bash"] } }]);
    assertEquals(opened, interprets ? "DONE" : "denied_by_policy");
  }
});

boxTest("what is typed into a terminal is judged as a whole line", async () => {
  await using lying = scene({ boxed: true, interprets: true });
  const open = { argv: ["bash", "--norc"], terminal: TERMINAL };
  const steps = [{ open }, { write: "true\n" }, { write: "to" }, { write: "uch" }, { write: ` ${NAME}\n` }];
  assertEquals([await lying.attempt("programs", steps), lying.made()], ["denied_by_policy", false]);
});
