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
  run: string;
}

interface Action {
  inputs: Record<string, { default: string }>;
  outputs: Record<string, { value: string }>;
  runs: { steps: Step[] };
}

const action = parse(Deno.readTextFileSync(join(ROOT, "action.yml"))) as Action;

/** What a job saw of the action. */
interface Ran {
  /** Names of the steps that ran, each with its exit code. */
  steps: [name: string, code: number][];
  outputs: Record<string, string>;
  summary: string;
  said: string;
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
    const [, wanted = ""] = /^(inputs\.[\w-]+) != ''$/.exec(step.if ?? "") ?? [];
    if (values.get(wanted) === "") continue;
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
  ["bash", "sed"],
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
        options: "--policy=read-only\n\n--no-color",
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
        options: "--model=replay:agent.jsonl\n--replay-tools\n--no-session\n--quiet",
      }, folder);
      assertEquals(agent.steps, [["Run the agent", 0]], agent.said);
      const answer = Deno.readTextFileSync(agent.outputs.answer!);
      assertStringIncludes(answer, "Fixed:");
      assertStringIncludes(agent.summary, `### bulkhead run ended with 0\n    ${answer.split("\n")[0]}`);
      assert(![...Deno.readDirSync(join(folder, "shop"))].some(({ name }) => name === "injected"));
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);

Deno.test("no step of action.yml puts an input into its script", () => {
  for (const { name, run } of action.runs.steps) assert(!run.includes("${{"), name);
});

/** What would happen if an input were read as words of a shell, or as an option. */
const ATTACKS = ['"; touch injected; $(touch injected)', "a\ntouch injected\n", "--version"];

programTest(
  "the steps of action.yml take each input as a text, whatever stands in it",
  ["bash", "sed"],
  async () => {
    const folder = Deno.realPathSync(await Deno.makeTempDir({ prefix: "bulkhead-action-" }));
    try {
      await Deno.mkdir(join(folder, "shop"));
      await Deno.mkdir(join(folder, "bin"));
      // It says what words it was given.
      const words = `#!/bin/sh\nfor word in "$@"; do printf '<%s>' "$word"; done\nexit 3\n`;
      await Deno.writeTextFile(join(folder, "bin/bulkhead"), words, { mode: 0o755 });
      const at = { "working-directory": "shop" };
      for (const text of ATTACKS) {
        const lines = text.split("\n").filter(Boolean).map((line) => `<${line}>`).join("");
        const batch = await runAction({ ...at, batch: text, options: text, report: text }, folder);
        assertEquals(batch.steps, [["Run the batch", 3]]);
        assertEquals(
          Deno.readTextFileSync(batch.outputs.results!),
          `<batch><--json>${lines}<--report=junit=${text}><--report=github><--><${text}>`,
        );
        const run = await runAction({ ...at, run: text, options: text, summary: "false" }, folder);
        assertEquals([run.steps, run.summary], [[["Run the agent", 3]], ""]);
        assertEquals(Deno.readTextFileSync(run.outputs.answer!), `<run>${lines}<--><${text}>`);
        const from = await runAction({ ...at, from: text }, folder);
        assertEquals(from.steps, [["Install bulkhead", 2]]);
      }
      assertEquals([...Deno.readDirSync(join(folder, "shop"))], []);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);
