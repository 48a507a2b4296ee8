import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { parse } from "@std/yaml";

import { filesBelow } from "../../../scripts/compile/files_below.ts";
import { programTest } from "../../support/needed_programs.ts";
import { program } from "../../support/program.ts";

const ROOT = fromFileUrl(new URL("../../..", import.meta.url)).replace(/\/$/, "");

interface Step {
  name: string;
  id?: string;
  if?: string;
  "working-directory"?: string;
  env?: Record<string, string>;
  run?: string;
}

interface Action {
  inputs: Record<string, { default: string }>;
  outputs: Record<string, { value: string }>;
  runs: { steps: Step[] };
}

const action = parse(Deno.readTextFileSync(join(ROOT, "action.yml"))) as Action;

/** What the runner of jobs says of itself. */
const RUNNER = { RUNNER_ENVIRONMENT: "self-hosted" };

/** What a job saw of the action. */
interface Ran {
  /** Names of the steps that ran, each with its exit code. */
  steps: [name: string, code: number][];
  outputs: Record<string, string>;
  summary: string;
  said: string;
}

/** Says whether a step runs: comparisons of values with texts, joined by `&&`. */
function holds(condition: string | undefined, values: ReadonlyMap<string, string>): boolean {
  return (condition ?? "").split(" && ").filter((part) => part !== "" && part !== "always()").every(
    (part) => {
      const [, name, text] = /^([\w.-]+) != '([^']*)'$/.exec(part) ?? [];
      assert(name !== undefined, `not understood: ${part}`);
      return (values.get(name) ?? "") !== text;
    },
  );
}

/** Runs the steps of the action as a runner of jobs does: a shell each, with files for what they hand on. */
async function runAction(given: Record<string, string>, folder: string): Promise<Ran> {
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, input]) => [name, given[name] ?? input.default]),
  );
  const values = new Map(Object.entries(inputs).map(([name, value]) => [`inputs.${name}`, value]));
  const filled = (text: string) =>
    text.replace(/\$\{\{ *([\w.-]+) *\}\}/g, (_, name) => values.get(name) ?? "");
  const files = Object.fromEntries(
    ["PATH", "OUTPUT", "STEP_SUMMARY"].map((name) => [`GITHUB_${name}`, join(folder, name)]),
  );
  for (const file of Object.values(files)) await Deno.writeTextFile(file, "");
  const ran: Ran = { steps: [], outputs: {}, summary: "", said: "" };
  for (const step of action.runs.steps) {
    // What other actions do is no step of ours.
    if (step.run === undefined || !holds(step.if, values)) continue;
    const path = [
      ...Deno.readTextFileSync(files.GITHUB_PATH!).split("\n").filter(Boolean),
      join(folder, "bin"),
    ];
    const { code, stdout, stderr } = await new Deno.Command("bash", {
      args: ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run],
      cwd: join(folder, filled(step["working-directory"] ?? ".")),
      env: {
        ...files,
        ...Object.fromEntries(Object.entries(step.env ?? {}).map(([name, text]) => [name, filled(text)])),
        ...RUNNER,
        ...{ RUNNER_TEMP: folder, GITHUB_ACTION_PATH: ROOT, HOME: folder, NO_COLOR: "1" },
        PATH: `${path.join(":")}:${Deno.env.get("PATH")}`,
      },
    }).output();
    ran.steps.push([step.name, code]);
    ran.said += new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    for (const line of Deno.readTextFileSync(files.GITHUB_OUTPUT!).split("\n").filter(Boolean)) {
      const [name, value = ""] = line.split("=");
      values.set(`steps.${step.id}.outputs.${name}`, value);
    }
    await Deno.writeTextFile(files.GITHUB_OUTPUT!, "");
    if (code !== 0) break;
  }
  ran.summary = Deno.readTextFileSync(files.GITHUB_STEP_SUMMARY!);
  for (const [name, { value }] of Object.entries(action.outputs)) ran.outputs[name] = filled(value);
  return ran;
}

programTest(
  "the steps of action.yml run batches and agents, and hand on what came of them",
  ["bash", "sed", "jq"],
  async () => {
    const folder = Deno.realPathSync(await Deno.makeTempDir({ prefix: "bulkhead-action-" }));
    try {
      for (const path of filesBelow(join(ROOT, "scripts/demo"))) {
        await Deno.mkdir(join(folder, "shop", path, ".."), { recursive: true });
        await Deno.copyFile(join(ROOT, "scripts/demo", path), join(folder, "shop", path));
      }
      await Deno.mkdir(join(folder, "bin"));
      const words = program().map((word) => `'${word}'`).join(" ");
      const cache = Deno.env.get("DENO_DIR") ?? join(Deno.env.get("HOME") ?? "/", ".cache/deno");
      const start = `#!/bin/sh\nunset INIT_CWD\nDENO_DIR='${cache}' exec ${words} "$@"\n`;
      await Deno.writeTextFile(join(folder, "bin/bulkhead"), start, { mode: 0o755 });
      const calls = [{ id: "one", tool: "Read", arguments: { path: "notes.md" } }, {
        id: "two",
        tool: "Read",
        arguments: { path: "missing.md" },
      }];
      await Deno.writeTextFile(
        join(folder, "shop/c.jsonl"),
        calls.map((call) => JSON.stringify(call)).join("\n"),
      );

      const batch = await runAction({
        ...{ batch: "c.jsonl", "working-directory": "shop", report: join(folder, "junit.xml") },
        ...{ sandbox: "off", policy: "read-only", options: "\n --no-color" },
      }, folder);
      assertEquals(batch.steps, [["Run the batch", 1]], batch.said);
      const results = Deno.readTextFileSync(batch.outputs.results!).trim().split("\n").map((line) =>
        JSON.parse(line)
      );
      assertEquals(results.map(({ id, ok, result }) => [id, ok ?? result?.ok]), [["one", true], [
        "two",
        false,
      ]]);
      assertMatch(batch.summary, /two/);
      assertStringIncludes(batch.said, "::error ");
      assertStringIncludes(Deno.readTextFileSync(join(folder, "junit.xml")), "<testcase");

      const agent = await runAction({
        ...{ run: "Fix it; $(touch injected)", "working-directory": "shop" },
        ...{ sandbox: "off", options: "--model=replay:agent.jsonl --replay-tools\n--no-session '--quiet'" },
      }, folder);
      assertEquals(agent.steps, [["Run the agent", 0]], agent.said);
      const answer = Deno.readTextFileSync(agent.outputs.answer!);
      assertStringIncludes(answer, "Fixed:");
      assertStringIncludes(agent.summary, `### bulkhead run ended with 0\n    ${answer.split("\n")[0]}`);
      assertEquals(JSON.parse(Deno.readTextFileSync(agent.outputs.changed!)).exit_code, 0);
      assertMatch(agent.summary, /\n {4}changed {2}\S+/);
      assert(![...Deno.readDirSync(join(folder, "shop"))].some(({ name }) => name === "injected"));
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);

Deno.test("no step of action.yml puts an input into its script", () => {
  for (const { name, run = "" } of action.runs.steps) assert(!run.includes("${{"), name);
});

/** What would happen if an input were read as words of a shell, or as an option. */
const ATTACKS = ['"; touch injected; $(touch injected)', "a\ntouch injected\n", "--version"];

/** Options as they are written, and the words that they become; `null` for an error. */
const OPTIONS: readonly (readonly [string, string | null])[] = [
  ["--model \"a b\"\t--deny-run='git push'", "<--model><a b><--deny-run=git push>"],
  ["--a\n# nothing\r\n--b=c\\ d ''", "<--a><--b=c d><>"],
  ['$(touch injected) `id` * "\\"$HOME"', '<$(touch><injected)><`id`><*><"$HOME>'],
  ["--a\n--b 'c", null],
];

programTest(
  "the steps of action.yml take each input as a text, whatever stands in it",
  ["bash", "sed", "jq"],
  async () => {
    const folder = Deno.realPathSync(await Deno.makeTempDir({ prefix: "bulkhead-action-" }));
    try {
      await Deno.mkdir(join(folder, "shop"));
      await Deno.mkdir(join(folder, "bin"));
      // It says what words it was given.
      const words = `#!/bin/sh\nfor word in "$@"; do printf '<%s>' "$word"; done\nexit 3\n`;
      await Deno.writeTextFile(join(folder, "bin/bulkhead"), words, { mode: 0o755 });
      const at = { "working-directory": "shop", sandbox: "off" };
      for (const text of ATTACKS) {
        const given = `<batch><--json><--policy=${text}><--sandbox=off><--report=junit=${text}>`;
        const batch = await runAction({ ...at, batch: text, policy: text, report: text }, folder);
        assertEquals(batch.steps, [["Run the batch", 3]]);
        assertEquals(Deno.readTextFileSync(batch.outputs.results!), `${given}<--report=github><--><${text}>`);
        const exec = await runAction({ ...at, exec: text }, folder);
        assertStringIncludes(exec.said, `<exec><--sandbox=off><--><bash><-eo><pipefail><-c><${text}>`);
        const run = await runAction({ ...at, run: text, summary: "false" }, folder);
        assertEquals([run.steps, run.summary], [[["Run the agent", 3]], ""]);
        assertEquals(
          Deno.readTextFileSync(run.outputs.changed!),
          `<run><--json><--sandbox=off><--><${text}>`,
        );
        const from = await runAction({ ...at, from: text }, folder);
        assertEquals(from.steps, [["Install bulkhead", 2]]);
        const pinned = { from: "file:///nowhere", version: text, sha256: text };
        assertEquals((await runAction({ ...at, ...pinned }, folder)).steps, [["Install bulkhead", 1]]);
        const sandbox = await runAction({ ...at, sandbox: text, exec: "true" }, folder);
        assertEquals(sandbox.steps, [["Set up the sandbox", 2]], sandbox.said);
      }
      for (const [options, words] of OPTIONS) {
        const { steps, said } = await runAction({ ...at, exec: "x", options }, folder);
        if (words === null) assertEquals(steps, [["Run the command", 2]]);
        assertStringIncludes(
          said,
          words === null ? "::error::options, line 2: the quote" : `off>${words}<-->`,
        );
      }
      assertEquals([...Deno.readDirSync(join(folder, "shop"))], []);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);

programTest("the sandbox of action.yml is set up on hosted runners alone, and what was done is said", [
  "bash",
], async () => {
  const folder = Deno.realPathSync(await Deno.makeTempDir({ prefix: "bulkhead-action-" }));
  const script = join(ROOT, "scripts/release/action.sh");
  const set = async (want: string, hosted: boolean) => {
    const { code, stdout } = await new Deno.Command("bash", {
      args: ["-euc", `. '${script}'; set_up_sandbox ${want}`],
      clearEnv: true,
      env: { PATH: join(folder, "bin"), RUNNER_ENVIRONMENT: hosted ? "github-hosted" : "self-hosted" },
    }).output();
    return [code, new TextDecoder().decode(stdout)] as const;
  };
  try {
    await Deno.mkdir(join(folder, "bin"));
    const write = (name: string, text: string) =>
      Deno.writeTextFile(join(folder, "bin", name), `#!/bin/sh\n${text}`, { mode: 0o755 });
    for (const name of ["bash", "sh", "cat", "chmod"]) {
      await Deno.symlink(`/bin/${name}`, join(folder, "bin", name));
    }
    await write("uname", "echo Linux\n");
    assertMatch(
      (await set("require", false)).join(" "),
      /^1 ::error::There is no sandbox.*apt-get install bubblewrap/,
    );
    assertMatch((await set("auto", false)).join(" "), /^0 ::warning::There is no sandbox/);
    // apt-get brings a program that works only once namespaces are allowed.
    const bwrap = join(folder, "bin/bwrap");
    await write(
      "sudo",
      `[ "$2" = apt-get ] && [ "$3" = install ] && { printf '#!/bin/sh\\n[ -e ${folder}/open ]\\n' > ${bwrap}; chmod 755 ${bwrap}; }
[ "$2" = sysctl ] && : > ${folder}/open
exit 0\n`,
    );
    const [code, said] = await set("require", true);
    assertEquals([code, said.match(/^::notice::/gm)?.length], [0, 2], said);
    assertStringIncludes(said, "apparmor_restrict_unprivileged_userns=0");
    assertEquals(await set("require", false), [0, ""]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
